//! Uploads to one image that follow one another, gathered to be one command.
//!
//! A program that fills an atlas writes many small rectangles that do not touch each other. Those are regions of one copy: nothing has
//! to be ordered between them. A region that overlaps one gathered before it must land after it, and begins another copy. As with
//! draws ([`DrawQueue`](crate::draw_queue::DrawQueue)), whatever else is recorded into the same command buffer asks for it first, which
//! records what is gathered.

use std::ops::Range;

use ash::vk;

use crate::ffi::Cmd;

/// Regions gathered at most: each new one is compared with all of them.
const MOST: usize = 256;

/// The gathered regions of one image, all read from one buffer.
#[derive(Default)]
pub(crate) struct UploadQueue {
    source: vk::Buffer,
    image: vk::Image,
    regions: Vec<vk::BufferImageCopy>,
}

impl UploadQueue {
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// Adds regions to those gathered; false when they need a command of their own, after what is gathered.
    pub fn join(&mut self, source: vk::Buffer, image: vk::Image, regions: &[vk::BufferImageCopy]) -> bool {
        let fits = !self.is_empty()
            && (self.source, self.image) == (source, image)
            && self.regions.len() + regions.len() <= MOST
            && !regions.iter().any(|new| self.regions.iter().any(|old| overlap(old, new)));
        if fits {
            self.regions.extend_from_slice(regions);
        }
        fits
    }

    /// Gathers the first regions of a command; the queue is empty.
    pub fn begin(&mut self, source: vk::Buffer, image: vk::Image, regions: &[vk::BufferImageCopy]) {
        (self.source, self.image) = (source, image);
        self.regions.extend_from_slice(regions);
    }

    /// Records what is gathered.
    pub fn record(&mut self, cmd: Cmd<'_>) {
        if !self.is_empty() {
            cmd.copy_buffer_to_image(self.source, self.image, &self.regions);
            self.regions.clear();
        }
    }

    /// Forgets what is gathered: its command buffer is gone.
    pub fn clear(&mut self) {
        self.regions.clear();
    }
}

/// Whether two regions write a texel in common.
fn overlap(a: &vk::BufferImageCopy, b: &vk::BufferImageCopy) -> bool {
    let (sa, sb) = (&a.image_subresource, &b.image_subresource);
    let layers = |s: &vk::ImageSubresourceLayers| span(s.base_array_layer as i32, s.layer_count);
    sa.mip_level == sb.mip_level
        && sa.aspect_mask.intersects(sb.aspect_mask)
        && meet(layers(sa), layers(sb))
        && meet(span(a.image_offset.x, a.image_extent.width), span(b.image_offset.x, b.image_extent.width))
        && meet(span(a.image_offset.y, a.image_extent.height), span(b.image_offset.y, b.image_extent.height))
        && meet(span(a.image_offset.z, a.image_extent.depth), span(b.image_offset.z, b.image_extent.depth))
}

fn span(from: i32, length: u32) -> Range<i64> {
    i64::from(from)..i64::from(from) + i64::from(length)
}

fn meet(a: Range<i64>, b: Range<i64>) -> bool {
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use ash::vk::Handle;

    fn region(level: u32, layer: u32, x: i32, y: i32) -> vk::BufferImageCopy {
        vk::BufferImageCopy {
            image_subresource: vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                mip_level: level,
                base_array_layer: layer,
                layer_count: 1,
            },
            image_offset: vk::Offset3D { x, y, z: 0 },
            image_extent: vk::Extent3D { width: 4, height: 4, depth: 1 },
            ..Default::default()
        }
    }

    #[test]
    fn only_what_is_apart_joins() {
        let (source, image) = (vk::Buffer::from_raw(1), vk::Image::from_raw(2));
        let mut queue = UploadQueue::default();
        assert!(!queue.join(source, image, &[region(0, 0, 0, 0)]), "nothing to join");
        queue.begin(source, image, &[region(0, 0, 0, 0)]);
        assert!(!queue.join(source, image, &[region(0, 0, 3, 3)]), "one texel in common");
        assert!(!queue.join(source, vk::Image::from_raw(3), &[region(0, 0, 8, 0)]), "another image");
        assert!(!queue.join(vk::Buffer::from_raw(3), image, &[region(0, 0, 8, 0)]), "another buffer");
        assert!(queue.join(source, image, &[region(0, 0, 4, 0)]), "beside");
        assert!(queue.join(source, image, &[region(1, 0, 0, 0)]), "another level");
        assert!(queue.join(source, image, &[region(0, 1, 0, 0)]), "another layer");
        assert!(!queue.join(source, image, &[region(0, 1, 8, 0), region(0, 0, 5, 1)]), "one of two overlaps");
        let many: Vec<_> = (0..MOST as i32).map(|x| region(2, 0, 4 * x, 0)).collect();
        assert!(!queue.join(source, image, &many), "too many");
    }
}
