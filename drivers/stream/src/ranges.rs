//! Numbers of a call against what they refer to: ranges of buffers, boxes of textures, lengths of sets.

use std::collections::HashMap;

use gallite_pipe::*;

/// A call whose numbers are outside of what they refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {what} is out of range")]
pub struct RangeError {
    /// The call.
    pub call: &'static str,
    /// What of it.
    pub what: &'static str,
}

type Checked = Result<(), RangeError>;

macro_rules! range_check {
    (screen { $($(#[$sdoc:meta])* $sop:literal $sclass:ident fn $sname:ident($($sv:ident: $svt:ty),*) &($($sr:ident: $srt:ty),*) [$($ss:ident: $sst:ty),*] out($($so:ident),*) -> $sret:ty;)* }
     context { $($(#[$cdoc:meta])* $cop:literal $cclass:ident fn $cname:ident($($cv:ident: $cvt:ty),*) &($($cr:ident: $crt:ty),*) [$($cs:ident: $cst:ty),*] out($($co:ident),*) -> $cret:ty;)* }) => {
        /// One check per call of the catalogue; a call without numbers to check passes. Lengths stand for out buffers.
        /// Handles have been checked before.
        pub trait RangeCheck {
            $(
                #[doc = concat!("Checks `", stringify!($sname), "`.")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                fn $sname(&mut self $(, $sv: $svt)* $(, $sr: &$srt)* $(, $ss: &[$sst])* $(, $so: usize)*) -> Result<(), RangeError> {
                    Ok(())
                }
            )*
            $(
                #[doc = concat!("Checks `", stringify!($cname), "`.")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                fn $cname(&mut self $(, $cv: $cvt)* $(, $cr: &$crt)* $(, $cs: &[$cst])* $(, $co: usize)*) -> Result<(), RangeError> {
                    Ok(())
                }
            )*
        }
    };
}
for_each_call!(range_check);

fn require(holds: bool, call: &'static str, what: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(RangeError { call, what }) }
}

/// Whether `start .. start + size` ends at `limit` or before.
fn within(start: u64, size: u64, limit: u64) -> bool {
    start.checked_add(size).is_some_and(|end| end <= limit)
}

/// Sizes of the objects alive.
pub struct Resources {
    limits: Limits,
    buffers: HashMap<BufferId, u64>,
    /// Buffer textures have zero levels.
    textures: HashMap<TextureId, TextureDesc>,
}

impl Resources {
    pub fn new(limits: Limits) -> Self {
        Self { limits, buffers: HashMap::new(), textures: HashMap::new() }
    }

    /// Notes a texture made outside the stream.
    pub fn add_texture(&mut self, id: TextureId, desc: &TextureDesc) {
        self.textures.insert(id, *desc);
    }

    fn buffer_range(&self, buffer: BufferId, offset: u64, size: u64, call: &'static str) -> Checked {
        // Null buffers read zeros; the codec has refused stale ones.
        let fits = self.buffers.get(&buffer).is_none_or(|limit| within(offset, size, *limit));
        require(fits, call, "a buffer range")
    }

    fn texture_desc(&self, id: TextureId, desc: &TextureDesc, call: &'static str) -> Checked {
        let limits = &self.limits;
        require(desc.format.is_valid(), call, "the format")?;
        require(desc.dim != TextureDim::BUFFER, call, "the dimensionality")?;
        let edge = match desc.dim {
            TextureDim::D3 => limits.max_texture_3d_size,
            TextureDim::CUBE | TextureDim::CUBE_ARRAY => limits.max_texture_cube_size,
            _ => limits.max_texture_2d_size,
        };
        let edge = edge.max(limits.max_framebuffer_size);
        let sides = [desc.width, desc.height, desc.depth];
        require(sides.iter().all(|side| (1..=edge).contains(side)), call, "the size")?;
        require(desc.dim == TextureDim::D3 || desc.depth == 1, call, "the depth")?;
        let layers = match desc.dim {
            TextureDim::CUBE => desc.layers == 6,
            TextureDim::CUBE_ARRAY => desc.layers.is_multiple_of(6) && desc.layers > 0,
            _ => desc.layers > 0,
        };
        let most = limits.max_texture_array_layers.max(6);
        require(layers && desc.layers <= most, call, "the layer count")?;
        let largest = sides.into_iter().max().unwrap_or(1);
        require((1..=32 - largest.leading_zeros()).contains(&desc.levels), call, "the level count")?;
        require((1..=32).contains(&desc.samples), call, "the sample count")?;
        require(!id.is_null(), call, "the handle")
    }

    /// Levels and layers of a texture; slices of the level when it is 3D. Null and buffer textures pass.
    fn subresource(
        &self,
        texture: TextureId,
        [level, levels]: [u32; 2],
        [layer, layers]: [u32; 2],
        call: &'static str,
    ) -> Checked {
        let Some(desc) = self.textures.get(&texture).filter(|desc| desc.levels > 0) else { return Ok(()) };
        require(within(level.into(), levels.into(), desc.levels.into()), call, "a level")?;
        let limit = if desc.dim == TextureDim::D3 { (desc.depth >> level.min(31)).max(1) } else { desc.layers };
        require(within(layer.into(), layers.into(), limit.into()), call, "a layer")
    }

    fn texel_box(&self, texture: TextureId, level: u32, region: &TextureBox, call: &'static str) -> Checked {
        let Some(desc) = self.textures.get(&texture) else { return Ok(()) };
        require(level < desc.levels, call, "the level")?;
        let at = |size: u32| (size >> level).max(1);
        let (info, depth) = (desc.format.info(), if desc.dim == TextureDim::D3 { at(desc.depth) } else { desc.layers });
        // A compressed level ends with a whole block.
        let width = at(desc.width).next_multiple_of(u32::from(info.block_width.max(1)));
        let height = at(desc.height).next_multiple_of(u32::from(info.block_height.max(1)));
        let fits = within(region.x.into(), region.width.into(), width.into())
            && within(region.y.into(), region.height.into(), height.into())
            && within(region.z.into(), region.depth.into(), depth.into());
        require(fits, call, "the box")
    }

    /// Checks a transfer's box and returns the bytes it touches in linear memory.
    fn transfer(&self, transfer: &TextureTransfer, call: &'static str) -> Result<u64, RangeError> {
        self.texel_box(transfer.texture, transfer.level, &transfer.region, call)?;
        let region = &transfer.region;
        let Some(desc) = self.textures.get(&transfer.texture) else { return Ok(0) };
        if region.width == 0 || region.height == 0 || region.depth == 0 {
            return Ok(0);
        }
        let combined = desc.format.has_depth() && desc.format.has_stencil();
        let last_row = match transfer.aspect {
            TransferAspect::DEPTH if combined => u64::from(region.width) * 4,
            TransferAspect::STENCIL if combined => u64::from(region.width),
            _ => desc.format.row_bytes(region.width),
        };
        let rows = u64::from(desc.format.block_rows(region.height) - 1) * u64::from(transfer.row_stride);
        let layers = u64::from(region.depth - 1).checked_mul(transfer.layer_stride);
        layers
            .and_then(|layers| layers.checked_add(rows)?.checked_add(last_row))
            .ok_or(RangeError { call, what: "a stride" })
    }

    fn attachment(&self, view: &SurfaceView, call: &'static str) -> Checked {
        self.subresource(view.texture, [view.level, 1], [view.first_layer, view.layer_count], call)
    }
}

impl RangeCheck for Resources {
    fn create_buffer(&mut self, id: BufferId, desc: &BufferDesc) -> Checked {
        require(!id.is_null(), "create_buffer", "the handle")?;
        self.buffers.insert(id, desc.size);
        Ok(())
    }

    fn destroy_buffer(&mut self, id: BufferId) -> Checked {
        self.buffers.remove(&id);
        Ok(())
    }

    fn create_texture(&mut self, id: TextureId, desc: &TextureDesc) -> Checked {
        self.texture_desc(id, desc, "create_texture")?;
        self.add_texture(id, desc);
        Ok(())
    }

    fn create_window_texture(&mut self, id: TextureId, _: WindowId, desc: &TextureDesc) -> Checked {
        self.texture_desc(id, desc, "create_window_texture")?;
        self.add_texture(id, desc);
        Ok(())
    }

    fn create_texture_alias(&mut self, id: TextureId, desc: &TextureAliasDesc) -> Checked {
        let call = "create_texture_alias";
        let levels = [desc.first_level, desc.level_count];
        let Some(source) = self.textures.get(&desc.source).copied() else { return Ok(()) };
        require(desc.level_count > 0 && desc.layer_count > 0, call, "a count")?;
        let layers = if source.dim == TextureDim::D3 { [0, 1] } else { [desc.first_layer, desc.layer_count] };
        self.subresource(desc.source, levels, layers, call)?;
        let at = |size: u32| (size >> desc.first_level).max(1);
        let alias = TextureDesc {
            format: desc.format,
            dim: desc.dim,
            width: at(source.width),
            height: at(source.height),
            depth: if desc.dim == TextureDim::D3 { at(source.depth) } else { 1 },
            layers: desc.layer_count,
            levels: desc.level_count,
            ..source
        };
        self.texture_desc(id, &alias, call)?;
        self.add_texture(id, &alias);
        Ok(())
    }

    fn create_buffer_texture(&mut self, id: TextureId, desc: &BufferTextureDesc) -> Checked {
        self.buffer_range(desc.buffer, desc.offset, desc.size, "create_buffer_texture")?;
        let texels = TextureDesc { format: desc.format, dim: TextureDim::BUFFER, ..TextureDesc::default() };
        self.add_texture(id, &texels);
        Ok(())
    }

    fn destroy_texture(&mut self, id: TextureId) -> Checked {
        self.textures.remove(&id);
        Ok(())
    }

    fn create_sampler_view(&mut self, _: SamplerViewId, desc: &SamplerViewDesc) -> Checked {
        let is_3d = self.textures.get(&desc.texture).is_some_and(|texture| texture.dim == TextureDim::D3);
        let layers = if is_3d { [0, 1] } else { [desc.first_layer, desc.layer_count] };
        self.subresource(desc.texture, [desc.first_level, desc.level_count], layers, "create_sampler_view")
    }

    fn create_vertex_elements(&mut self, _: VertexElementsId, state: &VertexElements) -> Checked {
        let call = "create_vertex_elements";
        let (elements, bindings) = (state.element_count as usize, state.binding_count as usize);
        require(elements <= MAX_VERTEX_ATTRIBUTES && bindings <= MAX_VERTEX_BINDINGS, call, "a count")?;
        let used = &state.elements[..elements];
        let bound =
            used.iter().all(|element| element.format == Format::NONE || usize::from(element.binding) < bindings);
        require(bound, call, "a binding")
    }

    fn create_shader(&mut self, _: ShaderId, desc: &ShaderDesc, words: &[u32], bindings: &[ShaderBinding]) -> Checked {
        let call = "create_shader";
        let inside = |stage: &StageCode| within(stage.offset.into(), stage.count.into(), words.len() as u64);
        require(desc.stages.iter().all(inside), call, "a stage's code")?;
        let sane =
            |binding: &ShaderBinding| binding.count > 0 && within(binding.binding.into(), binding.count.into(), 4096);
        require(bindings.iter().all(sane), call, "a binding")
    }

    fn create_xfb_target(&mut self, _: XfbTargetId, desc: &XfbTargetDesc) -> Checked {
        self.buffer_range(desc.buffer, desc.offset, desc.size, "create_xfb_target")
    }

    fn set_framebuffer(&mut self, state: &FramebufferState) -> Checked {
        let call = "set_framebuffer";
        require(state.color_count as usize <= MAX_COLOR_ATTACHMENTS, call, "the attachment count")?;
        state.color[..state.color_count as usize].iter().try_for_each(|view| self.attachment(view, call))?;
        self.attachment(&state.depth, call)?;
        self.attachment(&state.stencil, call)
    }

    fn set_viewports(&mut self, first: u32, viewports: &[Viewport]) -> Checked {
        require(within(first.into(), viewports.len() as u64, MAX_VIEWPORTS as u64), "set_viewports", "the window")
    }

    fn set_scissors(&mut self, first: u32, scissors: &[Rect]) -> Checked {
        require(within(first.into(), scissors.len() as u64, MAX_VIEWPORTS as u64), "set_scissors", "the window")
    }

    fn set_clip_planes(&mut self, planes: &[Color]) -> Checked {
        require(planes.len() <= MAX_CLIP_PLANES, "set_clip_planes", "the length")
    }

    fn set_vertex_buffers(&mut self, buffers: &[VertexBuffer]) -> Checked {
        require(buffers.len() <= MAX_VERTEX_BINDINGS, "set_vertex_buffers", "the length")
    }

    fn set_uniform_buffers(&mut self, _: BindPoint, ranges: &[BufferRange]) -> Checked {
        let call = "set_uniform_buffers";
        ranges.iter().try_for_each(|range| self.buffer_range(range.buffer, range.offset, range.size, call))
    }

    fn set_storage_buffers(&mut self, _: BindPoint, _: u64, ranges: &[BufferRange]) -> Checked {
        let call = "set_storage_buffers";
        require(ranges.len() <= 64, call, "the length")?;
        ranges.iter().try_for_each(|range| self.buffer_range(range.buffer, range.offset, range.size, call))
    }

    fn set_images(&mut self, _: BindPoint, images: &[ImageBinding]) -> Checked {
        images.iter().try_for_each(|image| {
            let layers = [image.first_layer, image.layer_count];
            self.subresource(image.texture, [image.level, 1], layers, "set_images")
        })
    }

    fn set_samplers(&mut self, _: BindPoint, first: u32, samplers: &[SampledBinding]) -> Checked {
        let fits = within(first.into(), samplers.len() as u64, MAX_PROGRAM_SAMPLERS as u64);
        require(fits, "set_samplers", "the window")
    }

    fn set_xfb_targets(&mut self, targets: &[XfbBinding]) -> Checked {
        require(targets.len() <= MAX_XFB_TARGETS, "set_xfb_targets", "the length")
    }

    fn draw(&mut self, info: &DrawInfo, ranges: &[DrawRange], user_indices: &[u8]) -> Checked {
        require(matches!(info.index_size, 0 | 1 | 2 | 4), "draw", "the index size")?;
        if info.index_size == 0 || !info.index_buffer.is_null() {
            return Ok(());
        }
        let count = user_indices.len() as u64 / u64::from(info.index_size);
        let fits = |range: &DrawRange| within(range.start.into(), range.count.into(), count);
        require(ranges.iter().all(fits), "draw", "a range of indices")
    }

    fn draw_indirect(&mut self, info: &DrawInfo, indirect: &IndirectInfo) -> Checked {
        let call = "draw_indirect";
        require(matches!(info.index_size, 0 | 1 | 2 | 4), call, "the index size")?;
        let command = if info.index_size == 0 { 16 } else { 20 };
        let last = u64::from(indirect.draw_count.saturating_sub(1)) * u64::from(indirect.stride);
        self.buffer_range(indirect.buffer, indirect.offset, last + command, call)?;
        let count_size = if indirect.count_buffer.is_null() { 0 } else { 4 };
        self.buffer_range(indirect.count_buffer, indirect.count_offset, count_size, call)
    }

    fn dispatch_indirect(&mut self, buffer: BufferId, offset: u64) -> Checked {
        self.buffer_range(buffer, offset, 12, "dispatch_indirect")
    }

    fn clear(&mut self, info: &ClearInfo) -> Checked {
        require(info.color_attachments < 1 << MAX_COLOR_ATTACHMENTS, "clear", "an attachment")
    }

    fn clear_texture(&mut self, info: &ClearTexture) -> Checked {
        self.texel_box(info.texture, info.level, &info.region, "clear_texture")
    }

    fn clear_buffer(&mut self, info: &ClearBuffer) -> Checked {
        let call = "clear_buffer";
        require(matches!(info.value_size, 1 | 2 | 4 | 8 | 12 | 16), call, "the value size")?;
        require(info.size.is_multiple_of(info.value_size.into()), call, "the size")?;
        self.buffer_range(info.buffer, info.offset, info.size, call)
    }

    fn blit(&mut self, info: &BlitInfo) -> Checked {
        [&info.source, &info.destination]
            .into_iter()
            .try_for_each(|end| self.subresource(end.texture, [end.level, 1], [end.layer, 1], "blit"))
    }

    fn copy_image(&mut self, info: &CopyImage) -> Checked {
        let call = "copy_image";
        self.texel_box(info.source, info.source_level, &info.source_box, call)?;
        let format = |texture| self.textures.get(&texture).map(|desc: &TextureDesc| desc.format.info());
        let blocks = |texture| format(texture).map(|info| (info.block_width, info.block_height));
        // Between formats of unlike blocks the written box has another size; its corner still has to be inside.
        let same = blocks(info.source) == blocks(info.destination);
        let size = if same { info.source_box } else { TextureBox { width: 1, height: 1, ..info.source_box } };
        let region = TextureBox { x: info.x, y: info.y, z: info.z, ..size };
        self.texel_box(info.destination, info.destination_level, &region, call)
    }

    fn copy_buffer(&mut self, info: &CopyBuffer) -> Checked {
        self.buffer_range(info.source, info.source_offset, info.size, "copy_buffer")?;
        self.buffer_range(info.destination, info.destination_offset, info.size, "copy_buffer")
    }

    fn generate_mipmap(&mut self, info: &GenerateMipmap) -> Checked {
        let call = "generate_mipmap";
        require(info.base_level <= info.last_level, call, "the base level")?;
        let levels = [info.base_level, (info.last_level - info.base_level).saturating_add(1)];
        let is_3d = self.textures.get(&info.texture).is_some_and(|texture| texture.dim == TextureDim::D3);
        let layers = if is_3d { [0, 1] } else { [info.first_layer, info.layer_count] };
        self.subresource(info.texture, levels, layers, call)
    }

    fn invalidate_texture(&mut self, texture: TextureId, level: u32) -> Checked {
        self.subresource(texture, [level, 1], [0, 1], "invalidate_texture")
    }

    fn buffer_write(&mut self, buffer: BufferId, offset: u64, _: MapFlags, bytes: &[u8]) -> Checked {
        self.buffer_range(buffer, offset, bytes.len() as u64, "buffer_write")
    }

    fn buffer_read(&mut self, buffer: BufferId, offset: u64, length: usize) -> Checked {
        self.buffer_range(buffer, offset, length as u64, "buffer_read")
    }

    fn texture_write(&mut self, transfer: &TextureTransfer, bytes: &[u8]) -> Checked {
        let needed = self.transfer(transfer, "texture_write")?;
        require(needed <= bytes.len() as u64, "texture_write", "the length")
    }

    fn texture_read(&mut self, transfer: &TextureTransfer, length: usize) -> Checked {
        let needed = self.transfer(transfer, "texture_read")?;
        require(needed <= length as u64, "texture_read", "the length")
    }

    fn texture_write_from_buffer(&mut self, buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Checked {
        let needed = self.transfer(transfer, "texture_write_from_buffer")?;
        self.buffer_range(buffer, offset, needed, "texture_write_from_buffer")
    }

    fn texture_read_to_buffer(&mut self, buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Checked {
        let needed = self.transfer(transfer, "texture_read_to_buffer")?;
        self.buffer_range(buffer, offset, needed, "texture_read_to_buffer")
    }

    fn query_result_to_buffer(&mut self, info: &QueryToBuffer) -> Checked {
        let call = "query_result_to_buffer";
        require(matches!(info.size, 4 | 8), call, "the size")?;
        self.buffer_range(info.buffer, info.offset, info.size.into(), call)
    }
}
