//! Formats: the native format behind each of the interface's, and what the device can do with it.

use ash::vk;
use gallite_pipe::{Compression, Format, FormatCaps, FormatUses};

use crate::adapter::Selected;
use crate::ffi::Instance;

/// The native side of one format.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FormatEntry {
    /// Native format of images, perhaps a substitute; UNDEFINED when there is none.
    pub image: vk::Format,
    /// Native format of vertex attributes and texel buffers; UNDEFINED when there is none.
    pub exact: vk::Format,
    /// Features of `image` with optimal tiling.
    pub features: vk::FormatFeatureFlags,
    pub caps: FormatCaps,
}

/// All formats, by number.
pub(crate) struct FormatTable {
    entries: Vec<FormatEntry>,
}

impl FormatTable {
    pub fn new(instance: &Instance, selected: &Selected) -> Self {
        let entries = Format::ALL.iter().map(|&f| describe(instance, selected, f)).collect();
        Self { entries }
    }

    pub fn get(&self, format: Format) -> FormatEntry {
        self.entries.get(usize::from(format.0)).copied().unwrap_or_default()
    }

    /// Native format of images.
    pub fn image(&self, format: Format) -> vk::Format {
        self.get(format).image
    }
}

/// Native formats to try for a depth format the device lacks, best first.
fn substitutes(format: Format) -> &'static [vk::Format] {
    match format {
        Format::Z16_UNORM => &[vk::Format::X8_D24_UNORM_PACK32, vk::Format::D32_SFLOAT],
        Format::Z24X8_UNORM => &[vk::Format::D24_UNORM_S8_UINT, vk::Format::D32_SFLOAT, vk::Format::D32_SFLOAT_S8_UINT],
        Format::Z24_UNORM_S8_UINT => &[vk::Format::D32_SFLOAT_S8_UINT],
        Format::S8_UINT => &[vk::Format::D24_UNORM_S8_UINT, vk::Format::D32_SFLOAT_S8_UINT],
        _ => &[],
    }
}

fn describe(instance: &Instance, selected: &Selected, format: Format) -> FormatEntry {
    let exact = native(format);
    let mut entry = FormatEntry { exact, ..Default::default() };
    let known = |f: vk::Format| f != vk::Format::UNDEFINED && known_to_device(selected, f);
    if !known(exact) && substitutes(format).is_empty() {
        entry.exact = vk::Format::UNDEFINED;
        return entry;
    }
    let mut image = exact;
    let mut properties = instance.format_properties(&selected.adapter, exact);
    if format.is_depth_stencil() {
        let attach = vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT;
        if !properties.optimal_tiling_features.contains(attach) {
            for &other in substitutes(format) {
                let found = instance.format_properties(&selected.adapter, other);
                if found.optimal_tiling_features.contains(attach) {
                    (image, properties) = (other, found);
                    break;
                }
            }
        }
    }
    entry.image = image;
    entry.features = properties.optimal_tiling_features;
    entry.caps.uses = uses(format, &properties);
    if entry.features.is_empty() {
        entry.image = vk::Format::UNDEFINED;
    }
    entry.caps.sample_counts = sample_counts(instance, selected, &entry);
    entry
}

/// Formats beyond Vulkan 1.0 exist only with their extension.
fn known_to_device(selected: &Selected, format: vk::Format) -> bool {
    match format {
        vk::Format::A4R4G4B4_UNORM_PACK16 | vk::Format::A4B4G4R4_UNORM_PACK16 => selected.features.formats_4444,
        f if (vk::Format::BC1_RGB_UNORM_BLOCK..=vk::Format::BC7_SRGB_BLOCK).contains(&f) => {
            selected.core.texture_compression_bc == vk::TRUE
        }
        _ => true,
    }
}

fn uses(format: Format, properties: &vk::FormatProperties) -> FormatUses {
    use vk::FormatFeatureFlags as F;
    let image = properties.optimal_tiling_features;
    let buffer = properties.buffer_features;
    let color = !format.is_depth_stencil();
    let transfer = image.contains(F::TRANSFER_SRC | F::TRANSFER_DST);
    let sampled = image.contains(F::SAMPLED_IMAGE) && transfer;
    FormatUses::EMPTY
        .with(FormatUses::SAMPLED, sampled)
        .with(FormatUses::FILTERED, sampled && image.contains(F::SAMPLED_IMAGE_FILTER_LINEAR))
        .with(FormatUses::COLOR, color && image.contains(F::COLOR_ATTACHMENT) && transfer)
        .with(FormatUses::BLEND, color && image.contains(F::COLOR_ATTACHMENT_BLEND))
        .with(FormatUses::DEPTH_STENCIL, image.contains(F::DEPTH_STENCIL_ATTACHMENT))
        .with(FormatUses::STORAGE, image.contains(F::STORAGE_IMAGE))
        .with(FormatUses::STORAGE_ATOMIC, image.contains(F::STORAGE_IMAGE_ATOMIC))
        .with(FormatUses::TEXTURE_BUFFER, buffer.contains(F::UNIFORM_TEXEL_BUFFER))
        .with(FormatUses::STORAGE_TEXTURE_BUFFER, buffer.contains(F::STORAGE_TEXEL_BUFFER))
        .with(FormatUses::VERTEX, buffer.contains(F::VERTEX_BUFFER))
        .with(FormatUses::BLIT_SOURCE, sampled)
        .with(FormatUses::BLIT_DESTINATION, image.intersects(F::COLOR_ATTACHMENT | F::DEPTH_STENCIL_ATTACHMENT))
        .with(FormatUses::COMPARE, format.has_depth() && sampled)
        .with(
            FormatUses::WINDOW,
            matches!(
                format,
                Format::B8G8R8A8_UNORM | Format::B8G8R8A8_SRGB | Format::R8G8B8A8_UNORM | Format::R8G8B8A8_SRGB
            ),
        )
}

fn sample_counts(instance: &Instance, selected: &Selected, entry: &FormatEntry) -> u32 {
    use vk::FormatFeatureFlags as F;
    if entry.image == vk::Format::UNDEFINED {
        return 0;
    }
    let mut usage = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
    if entry.features.contains(F::SAMPLED_IMAGE) {
        usage |= vk::ImageUsageFlags::SAMPLED;
    }
    if entry.features.contains(F::COLOR_ATTACHMENT) {
        usage |= vk::ImageUsageFlags::COLOR_ATTACHMENT;
    } else if entry.features.contains(F::DEPTH_STENCIL_ATTACHMENT) {
        usage |= vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
    } else {
        return 1 << 1;
    }
    let found = instance.image_format_properties(
        &selected.adapter,
        entry.image,
        vk::ImageType::TYPE_2D,
        usage,
        vk::ImageCreateFlags::empty(),
    );
    let flags = found.map_or(vk::SampleCountFlags::TYPE_1, |p| p.sample_counts).as_raw();
    [1u32, 2, 4, 8, 16].iter().filter(|&&n| flags & n != 0).map(|n| 1 << n).sum()
}

/// The native format with exactly the interface's layout.
fn native(format: Format) -> vk::Format {
    if format.info().compression == Compression::Astc {
        return astc(format);
    }
    exact_format(format)
}

fn astc(format: Format) -> vk::Format {
    // Vulkan numbers ASTC block sizes in the same order, linear and sRGB alternating.
    let srgb = format.is_srgb();
    let index = i32::from(format.linear().0 - Format::ASTC_4X4_UNORM.0);
    vk::Format::from_raw(vk::Format::ASTC_4X4_UNORM_BLOCK.as_raw() + index * 2 + i32::from(srgb))
}

macro_rules! same_name {
    ($format:expr; $($name:ident)*; $($ours:ident = $theirs:ident,)*) => {
        match $format {
            $(Format::$name => vk::Format::$name,)*
            $(Format::$ours => vk::Format::$theirs,)*
            _ => vk::Format::UNDEFINED,
        }
    };
}

fn exact_format(format: Format) -> vk::Format {
    same_name! { format;
        R8_UNORM R8G8_UNORM R8G8B8_UNORM R8G8B8A8_UNORM B8G8R8A8_UNORM
        R8_SNORM R8G8_SNORM R8G8B8_SNORM R8G8B8A8_SNORM
        R8_UINT R8G8_UINT R8G8B8_UINT R8G8B8A8_UINT B8G8R8A8_UINT
        R8_SINT R8G8_SINT R8G8B8_SINT R8G8B8A8_SINT
        R8_SRGB R8G8_SRGB R8G8B8_SRGB R8G8B8A8_SRGB B8G8R8A8_SRGB
        R16_UNORM R16G16_UNORM R16G16B16_UNORM R16G16B16A16_UNORM
        R16_SNORM R16G16_SNORM R16G16B16_SNORM R16G16B16A16_SNORM
        R16_UINT R16G16_UINT R16G16B16_UINT R16G16B16A16_UINT
        R16_SINT R16G16_SINT R16G16B16_SINT R16G16B16A16_SINT
        R32_UINT R32G32_UINT R32G32B32_UINT R32G32B32A32_UINT
        R32_SINT R32G32_SINT R32G32B32_SINT R32G32B32A32_SINT
        S8_UINT
        R8_USCALED R8G8_USCALED R8G8B8_USCALED R8G8B8A8_USCALED
        R8_SSCALED R8G8_SSCALED R8G8B8_SSCALED R8G8B8A8_SSCALED
        R16_USCALED R16G16_USCALED R16G16B16_USCALED R16G16B16A16_USCALED
        R16_SSCALED R16G16_SSCALED R16G16B16_SSCALED R16G16B16A16_SSCALED;
        R16_FLOAT = R16_SFLOAT, R16G16_FLOAT = R16G16_SFLOAT,
        R16G16B16_FLOAT = R16G16B16_SFLOAT, R16G16B16A16_FLOAT = R16G16B16A16_SFLOAT,
        R32_FLOAT = R32_SFLOAT, R32G32_FLOAT = R32G32_SFLOAT,
        R32G32B32_FLOAT = R32G32B32_SFLOAT, R32G32B32A32_FLOAT = R32G32B32A32_SFLOAT,
        R64_FLOAT = R64_SFLOAT, R64G64_FLOAT = R64G64_SFLOAT,
        R64G64B64_FLOAT = R64G64B64_SFLOAT, R64G64B64A64_FLOAT = R64G64B64A64_SFLOAT,
        // Packed formats: the interface names the lowest bits first, Vulkan the highest.
        B5G6R5_UNORM = R5G6B5_UNORM_PACK16, R5G6B5_UNORM = B5G6R5_UNORM_PACK16,
        A4B4G4R4_UNORM = R4G4B4A4_UNORM_PACK16, B4G4R4A4_UNORM = A4R4G4B4_UNORM_PACK16,
        R4G4B4A4_UNORM = A4B4G4R4_UNORM_PACK16,
        A1B5G5R5_UNORM = R5G5B5A1_UNORM_PACK16, A1R5G5B5_UNORM = B5G5R5A1_UNORM_PACK16,
        B5G5R5A1_UNORM = A1R5G5B5_UNORM_PACK16,
        R10G10B10A2_UNORM = A2B10G10R10_UNORM_PACK32, B10G10R10A2_UNORM = A2R10G10B10_UNORM_PACK32,
        R10G10B10A2_UINT = A2B10G10R10_UINT_PACK32, B10G10R10A2_UINT = A2R10G10B10_UINT_PACK32,
        R10G10B10A2_SINT = A2B10G10R10_SINT_PACK32,
        R10G10B10A2_SNORM = A2B10G10R10_SNORM_PACK32, B10G10R10A2_SNORM = A2R10G10B10_SNORM_PACK32,
        R10G10B10A2_USCALED = A2B10G10R10_USCALED_PACK32, B10G10R10A2_USCALED = A2R10G10B10_USCALED_PACK32,
        R10G10B10A2_SSCALED = A2B10G10R10_SSCALED_PACK32, B10G10R10A2_SSCALED = A2R10G10B10_SSCALED_PACK32,
        R11G11B10_FLOAT = B10G11R11_UFLOAT_PACK32, R9G9B9E5_FLOAT = E5B9G9R9_UFLOAT_PACK32,
        Z16_UNORM = D16_UNORM, Z24X8_UNORM = X8_D24_UNORM_PACK32, Z24_UNORM_S8_UINT = D24_UNORM_S8_UINT,
        Z32_FLOAT = D32_SFLOAT, Z32_FLOAT_S8X24_UINT = D32_SFLOAT_S8_UINT,
        BC1_RGB_UNORM = BC1_RGB_UNORM_BLOCK, BC1_RGB_SRGB = BC1_RGB_SRGB_BLOCK,
        BC1_RGBA_UNORM = BC1_RGBA_UNORM_BLOCK, BC1_RGBA_SRGB = BC1_RGBA_SRGB_BLOCK,
        BC2_UNORM = BC2_UNORM_BLOCK, BC2_SRGB = BC2_SRGB_BLOCK,
        BC3_UNORM = BC3_UNORM_BLOCK, BC3_SRGB = BC3_SRGB_BLOCK,
        BC4_UNORM = BC4_UNORM_BLOCK, BC4_SNORM = BC4_SNORM_BLOCK,
        BC5_UNORM = BC5_UNORM_BLOCK, BC5_SNORM = BC5_SNORM_BLOCK,
        BC6H_UFLOAT = BC6H_UFLOAT_BLOCK, BC6H_SFLOAT = BC6H_SFLOAT_BLOCK,
        BC7_UNORM = BC7_UNORM_BLOCK, BC7_SRGB = BC7_SRGB_BLOCK,
        ETC2_RGB8_UNORM = ETC2_R8G8B8_UNORM_BLOCK, ETC2_RGB8_SRGB = ETC2_R8G8B8_SRGB_BLOCK,
        ETC2_RGB8A1_UNORM = ETC2_R8G8B8A1_UNORM_BLOCK, ETC2_RGB8A1_SRGB = ETC2_R8G8B8A1_SRGB_BLOCK,
        ETC2_RGBA8_UNORM = ETC2_R8G8B8A8_UNORM_BLOCK, ETC2_RGBA8_SRGB = ETC2_R8G8B8A8_SRGB_BLOCK,
        EAC_R11_UNORM = EAC_R11_UNORM_BLOCK, EAC_R11_SNORM = EAC_R11_SNORM_BLOCK,
        EAC_R11G11_UNORM = EAC_R11G11_UNORM_BLOCK, EAC_R11G11_SNORM = EAC_R11G11_SNORM_BLOCK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn astc_follows_vulkans_numbering() {
        assert_eq!(native(Format::ASTC_4X4_UNORM), vk::Format::ASTC_4X4_UNORM_BLOCK);
        assert_eq!(native(Format::ASTC_12X12_SRGB), vk::Format::ASTC_12X12_SRGB_BLOCK);
        assert_eq!(native(Format::ASTC_8X5_SRGB), vk::Format::ASTC_8X5_SRGB_BLOCK);
    }

    #[test]
    fn packed_names_are_turned() {
        assert_eq!(native(Format::B5G6R5_UNORM), vk::Format::R5G6B5_UNORM_PACK16);
        assert_eq!(native(Format::R10G10B10A2_UNORM), vk::Format::A2B10G10R10_UNORM_PACK32);
        assert_eq!(native(Format::A8B8G8R8_UNORM), vk::Format::UNDEFINED);
    }
}
