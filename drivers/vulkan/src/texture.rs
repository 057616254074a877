//! Textures: images, aliases of them, and buffers seen as texels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ash::vk;
use gallite_pipe::*;
use hashbrown::HashMap;
use parking_lot::Mutex;

use crate::buffer::Buffer;
use crate::conv;
use crate::ffi::MemoryPlace;
use crate::gpu::{Garbage, Gpu, Uses};

/// A native image with everything that looks at it.
pub(crate) struct ImageStorage {
    gpu: Arc<Gpu>,
    pub raw: vk::Image,
    block: Mutex<Option<crate::ffi::MemoryBlock>>,
    /// False for images of a swapchain.
    owned: bool,
    /// Format it was made with.
    pub format: Format,
    pub native: vk::Format,
    pub dim: TextureDim,
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    pub layers: u32,
    pub levels: u32,
    pub samples: u32,
    pub usage: vk::ImageUsageFlags,
    /// Rows are top first.
    pub surface_oriented: bool,
    /// Never reused, unlike native handles.
    pub identity: u64,
    pub uses: Uses,
    pub track: u32,
    views: Mutex<HashMap<ViewKey, vk::ImageView>>,
    /// Whether a submission brought it out of the undefined layout.
    transitioned: AtomicBool,
}

/// What distinguishes views of one image that the driver makes for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ViewKey {
    pub format: vk::Format,
    pub ty: vk::ImageViewType,
    pub aspects: vk::ImageAspectFlags,
    pub usage: vk::ImageUsageFlags,
    pub level: u32,
    pub levels: u32,
    pub first_layer: u32,
    pub layers: u32,
}

/// Every device takes images of this size (VkImageFormatProperties).
const ALWAYS_FITS: u64 = 1 << 31;

/// Whether the device takes an image of this size at all. Asked of the device for large ones only.
fn fits(gpu: &Gpu, desc: &TextureDesc, info: &vk::ImageCreateInfo<'_>) -> bool {
    let format = desc.format.info();
    let blocks = |size: u32, block: u8| u64::from(size.div_ceil(u32::from(block.max(1))));
    let base = blocks(desc.width, format.block_width) * blocks(desc.height, format.block_height);
    let texels = base.saturating_mul(u64::from(desc.depth) * u64::from(desc.layers.max(1)));
    // All levels together take less than twice the first.
    let bytes = texels.saturating_mul(u64::from(desc.format.block_bytes()) * u64::from(desc.samples.max(1)) * 2);
    if bytes < ALWAYS_FITS {
        return true;
    }
    let adapter = &gpu.selected.adapter;
    let limits = gpu.instance.image_format_properties(adapter, info.format, info.image_type, info.usage, info.flags);
    limits.is_some_and(|limits| bytes / 2 <= limits.max_resource_size)
}

impl ImageStorage {
    /// Makes an image; `None` when the device refuses or has no memory.
    pub fn new(gpu: &Arc<Gpu>, desc: &TextureDesc) -> Option<Arc<Self>> {
        let entry = gpu.formats.get(desc.format);
        if entry.image == vk::Format::UNDEFINED {
            return None;
        }
        let usage = image_usage(desc, entry.features);
        let mut flags = image_flags(gpu, desc, usage);
        let twins = srgb_twins(gpu, desc.format);
        let mut list = vk::ImageFormatListCreateInfo::default().view_formats(&twins);
        if twins.len() > 1 || desc.flags.contains(TextureFlags::MUTABLE_FORMAT) {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT;
        }
        if flags.contains(vk::ImageCreateFlags::MUTABLE_FORMAT) {
            flags |= vk::ImageCreateFlags::EXTENDED_USAGE;
        }
        let mut info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(conv::image_type(desc.dim))
            .format(entry.image)
            .extent(vk::Extent3D { width: desc.width, height: desc.height, depth: desc.depth })
            .mip_levels(desc.levels)
            .array_layers(if desc.dim == TextureDim::D3 { 1 } else { desc.layers })
            .samples(conv::samples(desc.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        if twins.len() > 1
            && !desc.flags.contains(TextureFlags::MUTABLE_FORMAT)
            && (gpu.features().image_format_list || gpu.features().core_1_2)
        {
            info = info.push_next(&mut list);
        }
        if !fits(gpu, desc, &info) {
            return None;
        }
        let raw = gpu.device.create_image(&info).ok()?;
        let block = gpu.allocate(gpu.device.image_requirements(raw), MemoryPlace::Device, false);
        let Some(block) = block else {
            gpu.device.destroy_image(raw);
            return None;
        };
        if gpu.device.bind_image(raw, &block).is_err() {
            gpu.device.destroy_image(raw);
            gpu.free_memory(block);
            return None;
        }
        let storage = Arc::new(Self {
            raw,
            block: Mutex::new(Some(block)),
            owned: true,
            format: desc.format,
            native: entry.image,
            dim: desc.dim,
            width: desc.width,
            height: desc.height,
            depth: desc.depth,
            layers: if desc.dim == TextureDim::D3 { 1 } else { desc.layers },
            levels: desc.levels,
            samples: desc.samples.max(1),
            usage,
            surface_oriented: desc.flags.contains(TextureFlags::SURFACE_ORIENTED),
            identity: gpu.identity(),
            uses: Uses::default(),
            track: gpu.track_slot(),
            views: Mutex::default(),
            transitioned: AtomicBool::new(false),
            gpu: gpu.clone(),
        });
        gpu.push_new_image(&storage);
        Some(storage)
    }

    /// Wraps an image of a swapchain.
    pub fn from_swapchain(
        gpu: &Arc<Gpu>,
        raw: vk::Image,
        format: Format,
        extent: vk::Extent2D,
        usage: vk::ImageUsageFlags,
    ) -> Arc<Self> {
        Arc::new(Self {
            raw,
            block: Mutex::new(None),
            owned: false,
            format,
            native: gpu.formats.image(format),
            dim: TextureDim::D2,
            width: extent.width,
            height: extent.height,
            depth: 1,
            layers: 1,
            levels: 1,
            samples: 1,
            usage,
            surface_oriented: true,
            identity: gpu.identity(),
            uses: Uses::default(),
            track: gpu.track_slot(),
            views: Mutex::default(),
            transitioned: AtomicBool::new(false),
            gpu: gpu.clone(),
        })
    }

    /// The first transition is recorded.
    pub fn note_transition(&self) {
        self.transitioned.store(true, Ordering::Relaxed);
    }

    pub fn aspects(&self) -> vk::ImageAspectFlags {
        conv::native_aspects(self.native)
    }

    /// Size of a level.
    pub fn extent(&self, level: u32) -> (u32, u32, u32) {
        ((self.width >> level).max(1), (self.height >> level).max(1), (self.depth >> level).max(1))
    }

    /// Layers, or slices of a 3D image's level.
    pub fn slices(&self, level: u32) -> u32 {
        if self.dim == TextureDim::D3 { self.extent(level).2 } else { self.layers }
    }

    pub fn whole(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.aspects(),
            base_mip_level: 0,
            level_count: vk::REMAINING_MIP_LEVELS,
            base_array_layer: 0,
            layer_count: vk::REMAINING_ARRAY_LAYERS,
        }
    }

    /// A view that lives as long as the image.
    pub fn view(&self, key: ViewKey) -> Option<vk::ImageView> {
        let mut views = self.views.lock();
        if let Some(&view) = views.get(&key) {
            return Some(view);
        }
        let mut usage = vk::ImageViewUsageCreateInfo::default().usage(key.usage);
        let info = vk::ImageViewCreateInfo::default()
            .image(self.raw)
            .view_type(key.ty)
            .format(key.format)
            .subresource_range(vk::ImageSubresourceRange {
                aspect_mask: key.aspects,
                base_mip_level: key.level,
                level_count: key.levels,
                base_array_layer: key.first_layer,
                layer_count: key.layers,
            })
            .push_next(&mut usage);
        let view = self.gpu.device.create_image_view(&info).ok()?;
        views.insert(key, view);
        Some(view)
    }

    /// An attachment view of a level and a range of layers.
    pub fn attachment_view(&self, format: Format, level: u32, first_layer: u32, layers: u32) -> Option<vk::ImageView> {
        let depth = format.is_depth_stencil();
        let native = if depth { self.native } else { self.gpu.formats.image(format) };
        let usage =
            if depth { vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT } else { vk::ImageUsageFlags::COLOR_ATTACHMENT };
        let one_d = conv::image_type(self.dim) == vk::ImageType::TYPE_1D;
        let ty = match (one_d, layers > 1) {
            (true, false) => vk::ImageViewType::TYPE_1D,
            (true, true) => vk::ImageViewType::TYPE_1D_ARRAY,
            (false, false) => vk::ImageViewType::TYPE_2D,
            (false, true) => vk::ImageViewType::TYPE_2D_ARRAY,
        };
        let aspects = conv::native_aspects(native);
        self.view(ViewKey { format: native, ty, aspects, usage, level, levels: 1, first_layer, layers })
    }
}

impl Drop for ImageStorage {
    fn drop(&mut self) {
        self.gpu.free_track_slot(self.track);
        for (_, view) in self.views.get_mut().drain() {
            self.gpu.retire(&self.uses, Garbage::ImageView(view));
        }
        if self.owned {
            if !self.transitioned.load(Ordering::Relaxed) && self.uses.is_busy(&self.gpu) {
                self.gpu.push_orphan(self.raw, self.whole());
            }
            let block = self.block.get_mut().take();
            self.gpu.retire(&self.uses, Garbage::Image(self.raw, block));
        }
    }
}

fn image_usage(desc: &TextureDesc, features: vk::FormatFeatureFlags) -> vk::ImageUsageFlags {
    use vk::FormatFeatureFlags as F;
    let mut usage = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
    if features.contains(F::SAMPLED_IMAGE) {
        usage |= vk::ImageUsageFlags::SAMPLED;
    }
    // Attachment usage is added where the format has it, asked for or not: internal blits and mipmaps draw.
    if features.contains(F::COLOR_ATTACHMENT) && !desc.format.is_depth_stencil() {
        usage |= vk::ImageUsageFlags::COLOR_ATTACHMENT;
    }
    if features.contains(F::DEPTH_STENCIL_ATTACHMENT) {
        usage |= vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
    }
    // Views in another format may be what is stored to.
    let mutable = desc.flags.contains(TextureFlags::MUTABLE_FORMAT);
    if desc.bind.contains(Bind::STORAGE_IMAGE)
        && (features.contains(F::STORAGE_IMAGE) || mutable && !desc.format.is_compressed())
    {
        usage |= vk::ImageUsageFlags::STORAGE;
    }
    usage
}

fn image_flags(gpu: &Gpu, desc: &TextureDesc, usage: vk::ImageUsageFlags) -> vk::ImageCreateFlags {
    let mut flags = vk::ImageCreateFlags::empty();
    let two_d = conv::image_type(desc.dim) == vk::ImageType::TYPE_2D;
    if two_d && desc.width == desc.height && desc.layers >= 6 && desc.samples <= 1 {
        flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
    }
    if desc.dim == TextureDim::D3 && usage.contains(vk::ImageUsageFlags::COLOR_ATTACHMENT) {
        flags |= vk::ImageCreateFlags::TYPE_2D_ARRAY_COMPATIBLE;
    }
    if desc.dim == TextureDim::D3 && usage.contains(vk::ImageUsageFlags::STORAGE) && gpu.features().image_2d_view_of_3d
    {
        flags |= vk::ImageCreateFlags::TYPE_2D_VIEW_COMPATIBLE_EXT;
    }
    flags
}

/// The formats that views use without being asked to: the format and its sRGB or linear twin.
fn srgb_twins(gpu: &Gpu, format: Format) -> smallvec::SmallVec<[vk::Format; 2]> {
    let mut formats: smallvec::SmallVec<[vk::Format; 2]> = smallvec::smallvec![gpu.formats.image(format)];
    let other = if format.is_srgb() { Some(format.linear()) } else { format.srgb() };
    if let Some(native) = other.map(|f| gpu.formats.image(f)).filter(|&f| f != vk::Format::UNDEFINED) {
        formats.push(native);
    }
    formats
}

/// What a texture's storage is.
pub(crate) enum TextureKind {
    /// An image, or a part of one.
    Image(Arc<ImageStorage>),
    /// Texels of a buffer.
    Buffer { buffer: Arc<Buffer>, offset: u64, size: u64 },
    /// Whichever image of a window is its back image now.
    Window(Arc<crate::window::Window>),
    /// Storage could not be had.
    Dead,
}

/// A texture of the pipe interface.
pub(crate) struct Texture {
    pub kind: TextureKind,
    pub format: Format,
    /// Where it begins in its storage.
    pub first_level: u32,
    pub first_layer: u32,
}

impl Texture {
    /// The image behind it now.
    pub fn image(&self) -> Option<Arc<ImageStorage>> {
        match &self.kind {
            TextureKind::Image(image) => Some(image.clone()),
            TextureKind::Window(window) => window.back_image(),
            _ => None,
        }
    }
}
