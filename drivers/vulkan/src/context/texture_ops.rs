//! Texture transfers between texels and memory or buffers.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::VulkanContext;
use super::transfer::Storage;
use crate::barrier::Access;
use crate::depth_texels::{DepthLayout, pack, unpack};
use crate::texture::{ImageStorage, Texture};

/// A transfer resolved to an image and a part of it.
struct Part {
    image: Arc<ImageStorage>,
    level: u32,
    /// First layer, or first slice.
    z: u32,
    x: u32,
    /// First row in memory order of the image.
    y: u32,
    width: u32,
    height: u32,
    depth: u32,
    /// Rows in memory run the other way.
    flip: bool,
}

impl Part {
    fn new(texture: &Texture, transfer: &TextureTransfer) -> Option<Self> {
        let image = texture.image()?;
        let level = texture.first_level + transfer.level;
        let r = &transfer.region;
        let z = if image.dim == TextureDim::D3 { r.z } else { texture.first_layer + r.z };
        let (w, h, _) = image.extent(level);
        if level >= image.levels
            || r.x.checked_add(r.width).is_none_or(|e| e > w)
            || r.y.checked_add(r.height).is_none_or(|e| e > h)
            || z.checked_add(r.depth).is_none_or(|e| e > image.slices(level))
            || r.width == 0
            || r.height == 0
            || r.depth == 0
        {
            return None;
        }
        let flip = image.surface_oriented;
        let y = if flip { h - r.y - r.height } else { r.y };
        Some(Self { level, z, x: r.x, y, width: r.width, height: r.height, depth: r.depth, flip, image })
    }

    fn copy(&self, aspect: vk::ImageAspectFlags, buffer_offset: u64) -> vk::BufferImageCopy {
        let volume = self.image.dim == TextureDim::D3;
        vk::BufferImageCopy {
            buffer_offset,
            buffer_row_length: 0,
            buffer_image_height: 0,
            image_subresource: vk::ImageSubresourceLayers {
                aspect_mask: aspect,
                mip_level: self.level,
                base_array_layer: if volume { 0 } else { self.z },
                layer_count: if volume { 1 } else { self.depth },
            },
            image_offset: vk::Offset3D {
                x: self.x as i32,
                y: self.y as i32,
                z: if volume { self.z as i32 } else { 0 },
            },
            image_extent: vk::Extent3D {
                width: self.width,
                height: self.height,
                depth: if volume { self.depth } else { 1 },
            },
        }
    }
}

/// One aspect's bytes within a staging buffer.
struct Plane {
    aspect: vk::ImageAspectFlags,
    /// Bytes of one texel or block as Vulkan copies it.
    texel: u32,
    offset: u64,
    layout: DepthLayout,
}

/// How the texels of a transfer lie in a staging buffer: one plane for each aspect that Vulkan copies separately.
struct Staging {
    planes: SmallVec<[Plane; 2]>,
    row_blocks: u64,
    rows: u32,
    slices: u32,
    size: u64,
}

impl Staging {
    fn new(part: &Part, aspect: TransferAspect) -> Self {
        let format = part.image.format;
        let info = format.info();
        let row_blocks = u64::from(part.width.div_ceil(u32::from(info.block_width.max(1))));
        let rows = format.block_rows(part.height);
        let native = part.image.aspects();
        let mut planes: SmallVec<[Plane; 2]> = SmallVec::new();
        if native == vk::ImageAspectFlags::COLOR {
            planes.push(Plane { aspect: native, texel: format.block_bytes(), offset: 0, layout: DepthLayout::Same });
        } else {
            let wants = |a: TransferAspect, has: bool| (aspect == TransferAspect::WHOLE || aspect == a) && has;
            if wants(TransferAspect::DEPTH, format.has_depth()) {
                let layout = DepthLayout::of(part.image.native, format, aspect);
                planes.push(Plane {
                    aspect: vk::ImageAspectFlags::DEPTH,
                    texel: if format == Format::Z16_UNORM && layout == DepthLayout::Same { 2 } else { layout.texel() },
                    offset: 0,
                    layout,
                });
            }
            if wants(TransferAspect::STENCIL, format.has_stencil()) {
                let alone = aspect == TransferAspect::STENCIL || !format.has_depth();
                let layout = if alone { DepthLayout::Same } else { DepthLayout::stencil_of(format) };
                planes.push(Plane { aspect: vk::ImageAspectFlags::STENCIL, texel: 1, offset: 0, layout });
            }
        }
        let mut size = 0;
        for plane in &mut planes {
            plane.offset = size;
            let bytes = row_blocks * u64::from(rows) * u64::from(part.depth) * u64::from(plane.texel);
            size += bytes.next_multiple_of(16);
        }
        Self { planes, row_blocks, rows, slices: part.depth, size }
    }

    /// Bytes of one memory texel or block, given the format and aspect of the transfer.
    fn memory_texel(format: Format, aspect: TransferAspect) -> u32 {
        match aspect {
            TransferAspect::STENCIL => 1,
            TransferAspect::DEPTH if format == Format::Z16_UNORM => 2,
            TransferAspect::DEPTH => 4,
            _ => format.block_bytes(),
        }
    }

    /// Calls `row(memory offset, staging row, plane)` for every row of a plane.
    fn rows(&self, transfer: &TextureTransfer, flip: bool, plane: &Plane, mut row: impl FnMut(u64, u64)) {
        let pitch = self.row_blocks * u64::from(plane.texel);
        for z in 0..u64::from(self.slices) {
            for y in 0..u64::from(self.rows) {
                let memory = z * transfer.layer_stride + y * u64::from(transfer.row_stride);
                let image_row = if flip { u64::from(self.rows) - 1 - y } else { y };
                row(memory, plane.offset + (z * u64::from(self.rows) + image_row) * pitch);
            }
        }
    }
}

/// Bytes that are staged of a fill, a single row aside.
const MOST_FILL: usize = 1 << 20;

impl VulkanContext {
    pub(crate) fn texture_write(&mut self, transfer: &TextureTransfer, bytes: &[u8]) {
        let Some(part) = self.texture(transfer.texture).and_then(|t| Part::new(&t, transfer)) else { return };
        let Some((raw, planes)) = self.stage_texels(&part, transfer, bytes) else { return };
        let regions: SmallVec<[vk::BufferImageCopy; 2]> =
            planes.iter().map(|(aspect, offset)| part.copy(*aspect, *offset)).collect();
        self.upload(&part.image, raw, &regions);
        self.limit_batch();
    }

    /// Fills a part of a texture with one texel. What is staged of it is copied as often as it takes, so that it needs no memory
    /// of the texture's size; and as the bits that it is, which no conversion touches.
    pub(crate) fn clear_texture(&mut self, info: &ClearTexture) {
        let r = info.region;
        let mut transfer = TextureTransfer {
            texture: info.texture,
            level: info.level,
            aspect: info.aspect,
            region: r,
            // All rows are one.
            row_stride: 0,
            reserved: 0,
            layer_stride: 0,
        };
        let Some(whole) = self.texture(info.texture).and_then(|t| Part::new(&t, &transfer)) else { return };
        let format = whole.image.format;
        let texel = Staging::memory_texel(format, info.aspect) as usize;
        let value = &bytemuck::bytes_of(&info.value)[..texel.min(16)];
        let (block_width, block_height) =
            (format.info().block_width.max(1), u32::from(format.info().block_height.max(1)));
        let columns = r.width.div_ceil(block_width.into()) as usize;
        let row: Vec<u8> = value.iter().copied().cycle().take(columns * value.len()).collect();
        let rows = format.block_rows(r.height);
        // Some rows, or whole slices.
        let staged_rows = ((MOST_FILL / row.len().max(1)).max(1) as u32).min(rows);
        let slice = row.len() * rows as usize;
        let staged_slices =
            if staged_rows < rows { 1 } else { ((MOST_FILL / slice.max(1)).max(1) as u32).min(r.depth) };
        transfer.region.height = (staged_rows * block_height).min(r.height);
        transfer.region.depth = staged_slices;
        let tile = Part { height: transfer.region.height, depth: staged_slices, image: whole.image.clone(), ..whole };
        let Some((raw, planes)) = self.stage_texels(&tile, &transfer, &row) else { return };
        let mut regions: Vec<vk::BufferImageCopy> = Vec::new();
        for z in (0..r.depth).step_by(staged_slices as usize) {
            for y in (0..r.height).step_by(tile.height as usize) {
                let part = Part {
                    y: whole.y + y,
                    z: whole.z + z,
                    height: tile.height.min(r.height - y),
                    depth: staged_slices.min(r.depth - z),
                    image: whole.image.clone(),
                    ..whole
                };
                regions.extend(planes.iter().map(|(aspect, offset)| part.copy(*aspect, *offset)));
            }
        }
        self.upload(&whole.image, raw, &regions);
        self.limit_batch();
    }

    /// Puts texels of a part where copies read them: the buffer, and each aspect with its offset there.
    fn stage_texels(
        &mut self,
        part: &Part,
        transfer: &TextureTransfer,
        bytes: &[u8],
    ) -> Option<(vk::Buffer, SmallVec<[(vk::ImageAspectFlags, u64); 2]>)> {
        let staging = Staging::new(part, transfer.aspect);
        // 16 is a multiple of every texel block size but 12 (VUID-vkCmdCopyBufferToImage-dstImage-07975).
        let align = if part.image.format.block_bytes().is_multiple_of(3) { 48 } else { 16 };
        let piece = self.stage(staging.size + align, 16)?;
        let shift = piece.offset.next_multiple_of(align) - piece.offset;
        let format = part.image.format;
        let memory_texel = u64::from(Staging::memory_texel(format, transfer.aspect));
        for plane in &staging.planes {
            let row_bytes = (staging.row_blocks * memory_texel) as usize;
            let mut scratch = vec![0; (staging.row_blocks * u64::from(plane.texel)) as usize];
            staging.rows(transfer, part.flip, plane, |memory, at| {
                let Some(source) = bytes.get(memory as usize..memory as usize + row_bytes) else { return };
                if plane.layout == DepthLayout::Same {
                    piece.host.write(shift + at, source);
                } else {
                    pack(plane.layout, source, &mut scratch);
                    piece.host.write(shift + at, &scratch);
                }
            });
        }
        self.counters.bytes_staged += staging.size;
        let planes = staging.planes.iter().map(|plane| (plane.aspect, piece.offset + shift + plane.offset));
        Some((piece.raw, planes.collect()))
    }

    /// Whether an image is an attachment of the bound framebuffer.
    pub(super) fn is_attached(&self, image: &Arc<ImageStorage>) -> bool {
        self.target
            .as_ref()
            .is_some_and(|t| t.color.iter().flatten().chain(&t.depth_stencil).any(|a| Arc::ptr_eq(&a.image, image)))
    }

    pub(crate) fn texture_write_from_buffer(
        &mut self,
        buffer: BufferId,
        offset: u64,
        transfer: &TextureTransfer,
    ) -> Outcome {
        let Some(storage) = self.buffer(buffer).and_then(|b| b.storage()) else { return Outcome::DECLINED };
        let Some(part) = self.texture(transfer.texture).and_then(|t| Part::new(&t, transfer)) else {
            return Outcome::DECLINED;
        };
        let Some(regions) = direct_regions(&part, transfer, storage.offset + offset) else {
            return Outcome::DECLINED;
        };
        let transfer = self.begin_transfer(Some(Storage::Buffer(&storage)), Storage::Image(&part.image));
        let Some(cmd) = transfer else { return Outcome::DEVICE_LOST };
        cmd.copy_buffer_to_image(storage.raw, part.image.raw, &regions);
        Outcome::DONE
    }

    pub(crate) fn texture_read(&mut self, transfer: &TextureTransfer, bytes: &mut [u8]) -> Outcome {
        let Some(part) = self.texture(transfer.texture).and_then(|t| Part::new(&t, transfer)) else {
            return if self.gpu.is_lost() { Outcome::DEVICE_LOST } else { Outcome::DONE };
        };
        let staging = Staging::new(&part, transfer.aspect);
        let align = if part.image.format.block_bytes() % 3 == 0 { 48 } else { 16 };
        let Some(memory) = self.readback_storage(staging.size + align) else {
            return Outcome::OUT_OF_MEMORY;
        };
        let shift = memory.offset.next_multiple_of(align) - memory.offset;
        self.end_pass();
        if !self.ensure_batch() {
            return Outcome::DEVICE_LOST;
        }
        self.use_image(&part.image, Access::COPY_READ);
        memory.uses.mark(self.batches.stamp(), &self.gpu);
        let regions: SmallVec<[vk::BufferImageCopy; 2]> =
            staging.planes.iter().map(|plane| part.copy(plane.aspect, memory.offset + shift + plane.offset)).collect();
        let Some(cmd) = self.transfer_cmd() else { return Outcome::DEVICE_LOST };
        cmd.copy_image_to_buffer(part.image.raw, memory.raw, &regions);
        self.finish();
        if self.gpu.is_lost() {
            return Outcome::DEVICE_LOST;
        }
        let Some(host) = memory.host else { return Outcome::OUT_OF_MEMORY };
        let format = part.image.format;
        let memory_texel = u64::from(Staging::memory_texel(format, transfer.aspect));
        for plane in &staging.planes {
            let row_bytes = (staging.row_blocks * memory_texel) as usize;
            let mut scratch = vec![0; (staging.row_blocks * u64::from(plane.texel)) as usize];
            staging.rows(transfer, part.flip, plane, |at_memory, at| {
                let Some(row) = bytes.get_mut(at_memory as usize..at_memory as usize + row_bytes) else { return };
                if plane.layout == DepthLayout::Same {
                    host.read(shift + at, row);
                } else {
                    host.read(shift + at, &mut scratch);
                    unpack(plane.layout, &scratch, row);
                }
            });
        }
        self.readbacks.give(memory);
        Outcome::DONE
    }

    pub(crate) fn texture_read_to_buffer(
        &mut self,
        buffer: BufferId,
        offset: u64,
        transfer: &TextureTransfer,
    ) -> Outcome {
        let Some(storage) = self.buffer(buffer).and_then(|b| b.storage()) else { return Outcome::DECLINED };
        let Some(part) = self.texture(transfer.texture).and_then(|t| Part::new(&t, transfer)) else {
            return Outcome::DECLINED;
        };
        let Some(regions) = direct_regions(&part, transfer, storage.offset + offset) else {
            return Outcome::DECLINED;
        };
        let transfer = self.begin_transfer(Some(Storage::Image(&part.image)), Storage::Buffer(&storage));
        let Some(cmd) = transfer else { return Outcome::DEVICE_LOST };
        cmd.copy_image_to_buffer(part.image.raw, storage.raw, &regions);
        Outcome::DONE
    }
}

/// Copy regions between an image and a buffer whose layout Vulkan can express; `None` when it cannot.
fn direct_regions(part: &Part, transfer: &TextureTransfer, offset: u64) -> Option<SmallVec<[vk::BufferImageCopy; 4]>> {
    let format = part.image.format;
    let info = format.info();
    let aspects = part.image.aspects();
    let aspect = match transfer.aspect {
        TransferAspect::STENCIL => vk::ImageAspectFlags::STENCIL,
        TransferAspect::DEPTH => vk::ImageAspectFlags::DEPTH,
        _ if !format.is_depth_stencil() => vk::ImageAspectFlags::COLOR,
        _ if format.has_depth() != format.has_stencil() => conv_single(format),
        _ => return None,
    };
    if !aspects.contains(aspect) {
        return None;
    }
    let same = DepthLayout::of(part.image.native, format, transfer.aspect) == DepthLayout::Same;
    if aspect == vk::ImageAspectFlags::DEPTH && !same {
        return None;
    }
    let texel = u64::from(Staging::memory_texel(format, transfer.aspect));
    // VUID-vkCmdCopyBufferToImage-dstImage-07975 and -07978: whole texel blocks, words for depth and stencil.
    let unit = if format.is_depth_stencil() { 4 } else { texel };
    let (row, layer) = (u64::from(transfer.row_stride), transfer.layer_stride);
    if !offset.is_multiple_of(unit) || row % texel != 0 || (part.depth > 1 && (row == 0 || layer % row != 0)) {
        return None;
    }
    let row_length = row / texel * u64::from(info.block_width);
    let image_height = if part.depth > 1 { layer / row * u64::from(info.block_height) } else { 0 };
    let min_row = part.width.next_multiple_of(u32::from(info.block_width));
    let min_height = part.height.next_multiple_of(u32::from(info.block_height));
    if row_length < u64::from(min_row) || (image_height != 0 && image_height < u64::from(min_height)) {
        return None;
    }
    let mut copy = part.copy(aspect, offset);
    copy.buffer_row_length = u32::try_from(row_length).ok()?;
    copy.buffer_image_height = u32::try_from(image_height).ok()?;
    if !part.flip {
        return Some(smallvec::smallvec![copy]);
    }
    // Rows run the other way: one region for each.
    Some(
        (0..part.height)
            .map(|y| {
                let mut one = copy;
                one.buffer_offset = offset + u64::from(y) * row;
                one.image_offset.y = (part.y + part.height - 1 - y) as i32;
                one.image_extent.height = 1;
                one
            })
            .collect(),
    )
}

fn conv_single(format: Format) -> vk::ImageAspectFlags {
    if format.has_depth() { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::STENCIL }
}
