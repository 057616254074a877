//! Copies of texels bit for bit.

use ash::vk;
use gallite_pipe::*;

use super::VulkanContext;
use super::transfer::Storage;
use crate::conv;
use crate::texture::{ImageStorage, Texture};

/// Layers of a box in a texture, as a copy names them: base layer, layer count, z offset, depth.
fn layers(texture: &Texture, image: &ImageStorage, z: u32, depth: u32) -> (u32, u32, i32, u32) {
    if image.dim == TextureDim::D3 { (0, 1, z as i32, depth) } else { (texture.first_layer + z, depth, 0, 1) }
}

impl VulkanContext {
    pub(crate) fn copy_image(&mut self, info: &CopyImage) {
        let (Some(from), Some(to)) = (self.texture(info.source), self.texture(info.destination)) else { return };
        let (Some(source), Some(destination)) = (from.image(), to.image()) else { return };
        // VUID-vkCmdCopyImage-srcImage-07743: the device does not copy between rows and planes.
        if conv::image_type(source.dim) != conv::image_type(destination.dim)
            && [&source, &destination].iter().any(|image| conv::image_type(image.dim) == vk::ImageType::TYPE_1D)
        {
            return self.copy_through_memory(info, &source);
        }
        let b = &info.source_box;
        let source_level = from.first_level + info.source_level;
        let destination_level = to.first_level + info.destination_level;
        let (sl, sc, sz, sd) = layers(&from, &source, b.z, b.depth);
        let (dl, dc, dz, dd) = layers(&to, &destination, info.z, b.depth);
        // Between compressed and plain formats, a block counts as a texel: the extent is in source texels.
        let (si, di) = (source.format.info(), destination.format.info());
        let rows_down = b.height.div_ceil(u32::from(si.block_height.max(1))) * u32::from(di.block_height.max(1));
        let turned = source.surface_oriented != destination.surface_oriented;
        let source_height = source.extent(source_level).1;
        let destination_height = destination.extent(destination_level).1;
        let place = |image: &ImageStorage, height: u32, y: u32, rows: u32| {
            if image.surface_oriented { height.saturating_sub(y + rows) } else { y }
        };
        let subresource = |image: &ImageStorage, level, layer, count| vk::ImageSubresourceLayers {
            aspect_mask: image.aspects(),
            mip_level: level,
            base_array_layer: layer,
            layer_count: count,
        };
        let region = |source_y: u32, destination_y: u32, rows: u32| vk::ImageCopy {
            src_subresource: subresource(&source, source_level, sl, sc),
            src_offset: vk::Offset3D { x: b.x as i32, y: source_y as i32, z: sz },
            dst_subresource: subresource(&destination, destination_level, dl, dc),
            dst_offset: vk::Offset3D { x: info.x as i32, y: destination_y as i32, z: dz },
            extent: vk::Extent3D { width: b.width, height: rows, depth: sd.max(dd) },
        };
        let source_y = place(&source, source_height, b.y, b.height);
        let destination_y = place(&destination, destination_height, info.y, rows_down);
        let regions: Vec<vk::ImageCopy> = if turned {
            (0..b.height).map(|y| region(source_y + y, destination_y + b.height - 1 - y, 1)).collect()
        } else {
            vec![region(source_y, destination_y, b.height)]
        };
        if let Some(cmd) = self.begin_transfer(Some(Storage::Image(&source)), Storage::Image(&destination)) {
            cmd.copy_image(source.raw, destination.raw, &regions);
        }
    }

    /// Copies by way of the CPU: rare enough for that.
    fn copy_through_memory(&mut self, info: &CopyImage, source: &ImageStorage) {
        let b = info.source_box;
        let row = source.format.row_bytes(b.width);
        let layer = row * u64::from(source.format.block_rows(b.height));
        let mut bytes = vec![0; (layer * u64::from(b.depth)) as usize];
        let read = TextureTransfer {
            texture: info.source,
            level: info.source_level,
            aspect: TransferAspect::WHOLE,
            region: b,
            row_stride: row as u32,
            reserved: 0,
            layer_stride: layer,
        };
        if self.texture_read(&read, &mut bytes) != Outcome::DONE {
            return;
        }
        let region = TextureBox { x: info.x, y: info.y, z: info.z, ..b };
        let write = TextureTransfer { texture: info.destination, level: info.destination_level, region, ..read };
        self.texture_write(&write, &bytes);
    }
}
