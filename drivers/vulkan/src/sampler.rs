//! Samplers and sampler views.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ash::vk;
use gallite_pipe::*;

use crate::adapter::DeviceFeatures;
use crate::conv;
use crate::gpu::{Garbage, Gpu, Uses};
use crate::texture::{ImageStorage, Texture, TextureKind};

/// A sampler.
pub(crate) struct Sampler {
    gpu: Arc<Gpu>,
    pub raw: vk::Sampler,
    /// It has a border colour of its own.
    border: bool,
    pub uses: Uses,
}

/// The samplers there are: devices have room for so many, and for fewer with a border colour of their own.
#[derive(Default)]
pub(crate) struct SamplerCount {
    all: AtomicU32,
    border: AtomicU32,
}

impl SamplerCount {
    /// Takes a place for a sampler; the second says whether there is one for its border colour.
    fn take(&self, f: &DeviceFeatures, border: bool) -> Option<bool> {
        let one = |count: &AtomicU32, most| {
            count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < most).then_some(n + 1)).is_ok()
        };
        one(&self.all, f.max_samplers).then(|| border && one(&self.border, f.max_border_samplers))
    }

    /// A sampler is gone.
    pub fn give_back(&self, border: bool) {
        self.all.fetch_sub(1, Ordering::Relaxed);
        self.border.fetch_sub(u32::from(border), Ordering::Relaxed);
    }
}

impl Sampler {
    pub fn new(gpu: &Arc<Gpu>, state: &SamplerState) -> Option<Self> {
        let features = gpu.features();
        let wrap = |w: Wrap| match w {
            Wrap::CLAMP_TO_EDGE | Wrap::CLAMP => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Wrap::CLAMP_TO_BORDER => vk::SamplerAddressMode::CLAMP_TO_BORDER,
            Wrap::MIRRORED_REPEAT => vk::SamplerAddressMode::MIRRORED_REPEAT,
            Wrap::MIRROR_CLAMP_TO_EDGE => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
            _ => vk::SamplerAddressMode::REPEAT,
        };
        let filter = |f: Filter| if f == Filter::LINEAR { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let limits = gpu.limits();
        let anisotropy = state.max_anisotropy.get().min(limits.max_sampler_anisotropy);
        let anisotropic = anisotropy > 1.0 && gpu.selected.core.sampler_anisotropy == vk::TRUE;
        // GL 4.6 core 8.14: without mipmapping the base level is read whatever the level of detail. Vulkan
        // documents the equivalent: a nearest mip mode with the level of detail held below one half.
        let (mip_mode, min_lod, max_lod) = match state.mip_filter {
            MipFilter::NEAREST => (vk::SamplerMipmapMode::NEAREST, state.min_lod.get(), state.max_lod.get()),
            MipFilter::LINEAR => (vk::SamplerMipmapMode::LINEAR, state.min_lod.get(), state.max_lod.get()),
            _ => (vk::SamplerMipmapMode::NEAREST, 0.0, if state.min_filter == state.mag_filter { 0.0 } else { 0.25 }),
        };
        let min_lod = min_lod.max(0.0);
        let max_lod = max_lod.max(min_lod);
        let bias_limit = limits.max_sampler_lod_bias;
        let mut info = vk::SamplerCreateInfo::default()
            .mag_filter(filter(state.mag_filter))
            .min_filter(filter(state.min_filter))
            .mipmap_mode(mip_mode)
            .address_mode_u(wrap(state.wrap_s))
            .address_mode_v(wrap(state.wrap_t))
            .address_mode_w(wrap(state.wrap_r))
            .mip_lod_bias(state.lod_bias.get().clamp(-bias_limit, bias_limit))
            .anisotropy_enable(anisotropic)
            .max_anisotropy(if anisotropic { anisotropy } else { 1.0 })
            .compare_enable(state.flags.contains(SamplerFlags::COMPARE))
            .compare_op(conv::compare_op(state.compare_func))
            .min_lod(min_lod)
            .max_lod(max_lod);
        let mut custom = vk::SamplerCustomBorderColorCreateInfoEXT::default()
            .custom_border_color(conv::clear_color(state.border_color));
        let plain = plain_border(state);
        let wanted = plain.is_none() && features.custom_border_color && features.border_color_without_format;
        // What nobody names any more makes room.
        let fits = |taken: &Option<bool>| taken.is_some_and(|border| border == wanted);
        let mut taken = gpu.samplers.take(features, wanted);
        if !fits(&taken) {
            taken.into_iter().for_each(|border| gpu.samplers.give_back(border));
            gpu.collect();
            taken = gpu.samplers.take(features, wanted);
        }
        let border = taken?;
        match plain {
            Some(color) => info = info.border_color(color),
            None if border => {
                let custom_kind = if state.border_kind == BorderKind::FLOAT {
                    vk::BorderColor::FLOAT_CUSTOM_EXT
                } else {
                    vk::BorderColor::INT_CUSTOM_EXT
                };
                info = info.border_color(custom_kind).push_next(&mut custom);
            }
            None => info = info.border_color(nearest_border(state)),
        }
        if !state.flags.contains(SamplerFlags::SEAMLESS_CUBE) && features.non_seamless_cube {
            info = info.flags(vk::SamplerCreateFlags::NON_SEAMLESS_CUBE_MAP_EXT);
        }
        let Ok(raw) = gpu.device.create_sampler(&info) else {
            gpu.samplers.give_back(border);
            return None;
        };
        Some(Self { gpu: gpu.clone(), raw, border, uses: Uses::default() })
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.gpu.retire(&self.uses, Garbage::Sampler(self.raw, self.border));
    }
}

fn uses_border(state: &SamplerState) -> bool {
    [state.wrap_s, state.wrap_t, state.wrap_r].contains(&Wrap::CLAMP_TO_BORDER)
}

/// One of Vulkan's own border colours, when it is exactly the one wanted.
fn plain_border(state: &SamplerState) -> Option<vk::BorderColor> {
    if !uses_border(state) {
        return Some(vk::BorderColor::FLOAT_TRANSPARENT_BLACK);
    }
    let float = state.border_kind == BorderKind::FLOAT;
    let one = if float { 1f32.to_bits() } else { 1 };
    let c = state.border_color;
    let pick = |f, i| Some(if float { f } else { i });
    if c == [0; 4] {
        pick(vk::BorderColor::FLOAT_TRANSPARENT_BLACK, vk::BorderColor::INT_TRANSPARENT_BLACK)
    } else if c == [0, 0, 0, one] {
        pick(vk::BorderColor::FLOAT_OPAQUE_BLACK, vk::BorderColor::INT_OPAQUE_BLACK)
    } else if c == [one; 4] {
        pick(vk::BorderColor::FLOAT_OPAQUE_WHITE, vk::BorderColor::INT_OPAQUE_WHITE)
    } else {
        None
    }
}

/// The closest of Vulkan's own border colours.
fn nearest_border(state: &SamplerState) -> vk::BorderColor {
    if state.border_kind != BorderKind::FLOAT {
        return if state.border_color[3] == 0 {
            vk::BorderColor::INT_TRANSPARENT_BLACK
        } else if state.border_color[..3] == [0; 3] {
            vk::BorderColor::INT_OPAQUE_BLACK
        } else {
            vk::BorderColor::INT_OPAQUE_WHITE
        };
    }
    let c = state.border_color.map(f32::from_bits);
    if c[3] < 0.5 {
        vk::BorderColor::FLOAT_TRANSPARENT_BLACK
    } else if c[0] + c[1] + c[2] < 1.5 {
        vk::BorderColor::FLOAT_OPAQUE_BLACK
    } else {
        vk::BorderColor::FLOAT_OPAQUE_WHITE
    }
}

/// What a sampler view looks at.
pub(crate) enum ViewSource {
    Image { image: Arc<ImageStorage>, raw: vk::ImageView },
    Buffer(TexelView),
    Dead,
}

/// A view of a buffer's texels, made again when the buffer's storage changes.
pub(crate) struct TexelView {
    pub texture: Arc<Texture>,
    pub format: vk::Format,
    made: parking_lot::Mutex<Option<(u64, vk::BufferView, Arc<crate::buffer::BufferStorage>)>>,
}

/// A sampler view.
pub(crate) struct SamplerView {
    gpu: Arc<Gpu>,
    pub source: ViewSource,
    pub uses: Uses,
}

impl SamplerView {
    pub fn new(gpu: &Arc<Gpu>, texture: &Arc<Texture>, desc: &SamplerViewDesc) -> Self {
        let source = match &texture.kind {
            TextureKind::Image(image) => image_view(gpu, texture, image, desc)
                .map_or(ViewSource::Dead, |raw| ViewSource::Image { image: image.clone(), raw }),
            TextureKind::Buffer { .. } => ViewSource::Buffer(TexelView {
                texture: texture.clone(),
                format: gpu.formats.get(desc.format).exact,
                made: parking_lot::Mutex::new(None),
            }),
            _ => ViewSource::Dead,
        };
        Self { gpu: gpu.clone(), source, uses: Uses::default() }
    }

    /// The native texel view of a buffer view now, with the storage it looks at.
    pub fn texel_view(&self) -> Option<(vk::BufferView, Arc<crate::buffer::BufferStorage>)> {
        let ViewSource::Buffer(texel) = &self.source else { return None };
        let TextureKind::Buffer { buffer, offset, size } = &texel.texture.kind else { return None };
        let version = buffer.version.load(std::sync::atomic::Ordering::Relaxed);
        let mut made = texel.made.lock();
        if let Some((at, view, storage)) = made.as_ref()
            && *at == version
        {
            return Some((*view, storage.clone()));
        }
        let storage = buffer.storage()?;
        let available = storage.size.saturating_sub(*offset);
        let limit = u64::from(self.gpu.limits().max_texel_buffer_elements)
            * u64::from(texel.texture.format.block_bytes().max(1));
        let bytes = u64::from(texel.texture.format.block_bytes().max(1));
        let range = (*size).min(available).min(limit) / bytes * bytes;
        if range == 0 || texel.format == vk::Format::UNDEFINED {
            return None;
        }
        let info = vk::BufferViewCreateInfo::default()
            .buffer(storage.raw)
            .format(texel.format)
            .offset(storage.offset + *offset)
            .range(range);
        let view = self.gpu.device.create_buffer_view(&info).ok()?;
        if let Some((_, old, _)) = made.replace((version, view, storage.clone())) {
            self.gpu.retire(&self.uses, Garbage::BufferView(old));
        }
        Some((view, storage))
    }
}

fn image_view(gpu: &Gpu, texture: &Texture, image: &ImageStorage, desc: &SamplerViewDesc) -> Option<vk::ImageView> {
    let stencil = desc.aspect == ViewAspect::STENCIL || !desc.format.has_depth() && desc.format.has_stencil();
    let (native, aspects) = if image.format.is_depth_stencil() {
        let aspect = if stencil { vk::ImageAspectFlags::STENCIL } else { vk::ImageAspectFlags::DEPTH };
        (image.native, aspect)
    } else {
        (gpu.formats.image(desc.format), vk::ImageAspectFlags::COLOR)
    };
    if native == vk::Format::UNDEFINED {
        return None;
    }
    let first_level = texture.first_level + desc.first_level;
    let first_layer = texture.first_layer + desc.first_layer;
    let levels = desc.level_count.min(image.levels.saturating_sub(first_level));
    let layers = if image.dim == TextureDim::D3 { 1 } else { desc.layer_count };
    let past_layers = image.dim != TextureDim::D3 && first_layer.saturating_add(layers.max(1)) > image.layers;
    if first_level >= image.levels || past_layers {
        return None;
    }
    let mut usage = vk::ImageViewUsageCreateInfo::default().usage(vk::ImageUsageFlags::SAMPLED);
    let info = vk::ImageViewCreateInfo::default()
        .image(image.raw)
        .view_type(conv::view_type(desc.dim))
        .format(native)
        .components(conv::swizzle(desc.swizzle))
        .subresource_range(vk::ImageSubresourceRange {
            aspect_mask: aspects,
            base_mip_level: first_level,
            level_count: levels.max(1),
            base_array_layer: if image.dim == TextureDim::D3 { 0 } else { first_layer },
            layer_count: layers.max(1),
        })
        .push_next(&mut usage);
    gpu.device.create_image_view(&info).ok()
}

impl Drop for SamplerView {
    fn drop(&mut self) {
        match &mut self.source {
            ViewSource::Image { raw, .. } => self.gpu.retire(&self.uses, Garbage::ImageView(*raw)),
            ViewSource::Buffer(texel) => {
                if let Some((_, view, _)) = texel.made.get_mut().take() {
                    self.gpu.retire(&self.uses, Garbage::BufferView(view));
                }
            }
            ViewSource::Dead => {}
        }
    }
}
