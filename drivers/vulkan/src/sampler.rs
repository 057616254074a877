//! Samplers and sampler views.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};

use ash::vk;
use gallite_pipe::*;
use parking_lot::Mutex;

use crate::adapter::DeviceFeatures;
use crate::conv;
use crate::gpu::{Garbage, Gpu, Stamp, Uses};
use crate::texture::{ImageStorage, Texture, TextureKind};

/// A sampler.
pub(crate) struct Sampler {
    gpu: Arc<Gpu>,
    native: Native,
    pub uses: Uses,
}

enum Native {
    Fixed(vk::Sampler),
    /// It has a border colour of its own. Devices have room for so many of those: what was made gives way to others while
    /// no work uses it, and is made again when it is used.
    Border(Box<SamplerState>, Mutex<Option<Made>>),
}

/// What stands for a sampler with a border colour of its own.
#[derive(Clone, Copy)]
struct Made {
    raw: vk::Sampler,
    /// It has that colour, and not the nearest that needs no room.
    is_exact: bool,
}

/// The samplers there are: devices have room for so many, and for fewer with a border colour of their own.
#[derive(Default)]
pub(crate) struct SamplerCount {
    all: AtomicU32,
    border: AtomicU32,
    /// Those with a border colour of their own, in the order they were made.
    made: Mutex<Vec<Weak<Sampler>>>,
    /// The program was told that a colour is not the one it asked for.
    told: AtomicBool,
}

fn take_one(count: &AtomicU32, most: u32) -> bool {
    count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < most).then_some(n + 1)).is_ok()
}

impl SamplerCount {
    /// Takes a place for a sampler.
    fn take(&self, f: &DeviceFeatures, border: bool) -> bool {
        if border && !take_one(&self.border, f.max_border_samplers) {
            return false;
        }
        let taken = take_one(&self.all, f.max_samplers);
        if !taken {
            self.border.fetch_sub(u32::from(border), Ordering::Relaxed);
        }
        taken
    }

    /// A sampler is gone.
    pub fn give_back(&self, border: bool) {
        self.all.fetch_sub(1, Ordering::Relaxed);
        self.border.fetch_sub(u32::from(border), Ordering::Relaxed);
    }

    fn note(&self, sampler: &Arc<Sampler>) {
        let mut made = self.made.lock();
        if made.len() >= 64 && made.len().is_power_of_two() {
            made.retain(|sampler| sampler.strong_count() > 0);
        }
        made.push(Arc::downgrade(sampler));
    }

    /// Destroys the one made longest ago of those that no work uses.
    fn make_way(&self) {
        // Gone outside of the lock: the last owner of one may be here.
        let mut seen = Vec::new();
        let mut made = self.made.lock();
        let at = made.iter().position(|sampler| {
            let Some(sampler) = sampler.upgrade() else { return false };
            let gave_way = sampler.give_way();
            seen.push(sampler);
            gave_way
        });
        if let Some(at) = at {
            made.remove(at);
        }
        drop(made);
    }
}

impl Sampler {
    pub fn new(gpu: &Arc<Gpu>, state: &SamplerState) -> Option<Self> {
        let features = gpu.features();
        let plain = plain_border(state);
        let is_custom = plain.is_none() && features.custom_border_color && features.border_color_without_format;
        let native = if is_custom {
            Native::Border(Box::new(*state), Mutex::default())
        } else {
            if plain.is_none() {
                tell_of_border(gpu);
            }
            Native::Fixed(take_and_create(gpu, state, false)?)
        };
        Some(Self { gpu: gpu.clone(), native, uses: Uses::default() })
    }

    /// The native sampler of one that has no border colour of its own.
    pub fn plain(&self) -> Option<vk::Sampler> {
        match &self.native {
            Native::Fixed(raw) => Some(*raw),
            Native::Border(..) => None,
        }
    }

    /// The native sampler for the batch `stamp`; null when there is no memory for it.
    #[inline]
    pub fn raw(self: &Arc<Self>, stamp: Stamp) -> vk::Sampler {
        match &self.native {
            Native::Fixed(raw) => *raw,
            Native::Border(state, made) => self.border(stamp, state, made),
        }
    }

    #[cold]
    fn border(self: &Arc<Self>, stamp: Stamp, state: &SamplerState, made: &Mutex<Option<Made>>) -> vk::Sampler {
        let gpu = &self.gpu;
        // Before the lock, so that who looks for one that is not used sees it.
        self.uses.mark(stamp, gpu);
        let mut made = made.lock();
        if let Some(made) = made.filter(|made| made.is_exact) {
            return made.raw;
        }
        let exact = take_and_create(gpu, state, true).or_else(|| {
            gpu.samplers.make_way();
            take_and_create(gpu, state, true)
        });
        if exact.is_some() {
            gpu.samplers.note(self);
        } else if let Some(made) = *made {
            return made.raw;
        } else {
            tell_of_border(gpu);
        }
        let Some(raw) = exact.or_else(|| take_and_create(gpu, state, false)) else { return vk::Sampler::null() };
        let old = made.replace(Made { raw, is_exact: exact.is_some() });
        if let Some(old) = old {
            gpu.retire(&self.uses, Garbage::Sampler(old.raw, old.is_exact));
        }
        raw
    }

    /// Destroys what was made of a border colour, unless work uses it.
    fn give_way(&self) -> bool {
        let Native::Border(_, made) = &self.native else { return false };
        // Who has it locked is about to use it.
        let Some(mut made) = made.try_lock() else { return false };
        if !made.is_some_and(|made| made.is_exact) || self.uses.is_busy(&self.gpu) {
            return false;
        }
        if let Some(made) = made.take() {
            self.gpu.device.destroy_sampler(made.raw);
            self.gpu.samplers.give_back(made.is_exact);
        }
        true
    }
}

/// Tells once that a border colour is not the one asked for.
#[cold]
fn tell_of_border(gpu: &Gpu) {
    if !gpu.samplers.told.swap(true, Ordering::Relaxed) {
        let f = gpu.features();
        let room = if f.custom_border_color { f.max_border_samplers } else { 0 };
        gpu.log(
            Severity::WARNING,
            format!(
                "the device has room for {room} border colours at a time; others are the nearest of black and white"
            ),
        );
    }
}

/// Makes a native sampler, if there is room for it. What nobody names any more makes room.
fn take_and_create(gpu: &Gpu, state: &SamplerState, border: bool) -> Option<vk::Sampler> {
    let features = gpu.features();
    if !gpu.samplers.take(features, border) {
        gpu.collect();
        if !gpu.samplers.take(features, border) {
            return None;
        }
    }
    let raw = create(gpu, state, border);
    if raw.is_none() {
        gpu.samplers.give_back(border);
    }
    raw
}

/// Makes a native sampler, with a border colour of its own or one of Vulkan's.
fn create(gpu: &Gpu, state: &SamplerState, border: bool) -> Option<vk::Sampler> {
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
    let mut custom =
        vk::SamplerCustomBorderColorCreateInfoEXT::default().custom_border_color(conv::clear_color(state.border_color));
    if border {
        let kind = if state.border_kind == BorderKind::FLOAT {
            vk::BorderColor::FLOAT_CUSTOM_EXT
        } else {
            vk::BorderColor::INT_CUSTOM_EXT
        };
        info = info.border_color(kind).push_next(&mut custom);
    } else {
        info = info.border_color(plain_border(state).unwrap_or_else(|| nearest_border(state)));
    }
    if !state.flags.contains(SamplerFlags::SEAMLESS_CUBE) && features.non_seamless_cube {
        info = info.flags(vk::SamplerCreateFlags::NON_SEAMLESS_CUBE_MAP_EXT);
    }
    gpu.device.create_sampler(&info).ok()
}

impl Drop for Sampler {
    fn drop(&mut self) {
        let made = match &mut self.native {
            Native::Fixed(raw) => Some(Made { raw: *raw, is_exact: false }),
            Native::Border(_, made) => made.get_mut().take(),
        };
        if let Some(made) = made {
            self.gpu.retire(&self.uses, Garbage::Sampler(made.raw, made.is_exact));
        }
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
    /// Where the components that shaders see come from, when they are not those of the format.
    pub swizzle: Option<[Swizzle; 4]>,
    made: Mutex<Option<(u64, vk::BufferView, Arc<crate::buffer::BufferStorage>)>>,
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
                swizzle: special_swizzle(desc),
                made: Mutex::new(None),
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

/// The swizzle of a view, when components are not where its format has them.
fn special_swizzle(desc: &SamplerViewDesc) -> Option<[Swizzle; 4]> {
    let channels = desc.format.info().channels;
    // What the format lacks reads as zero, alpha as one.
    let natural = |component: Swizzle| match usize::from(component.0) {
        at @ 0..=3 if channels[at].kind == ChannelKind::None => [Swizzle::ZERO, Swizzle::ONE][usize::from(at == 3)],
        _ => component,
    };
    let differs = (0..4).any(|at| natural(desc.swizzle[at]) != natural(Swizzle::IDENTITY[at]));
    differs.then_some(desc.swizzle)
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
