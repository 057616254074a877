//! Framebuffer completeness (GL 4.6 core 9.4.2), and what the bound framebuffers' buffers are.

use gallite_pipe::{Format, FormatUses, SurfaceView};

use crate::context::Context;
use crate::drawable::{DrawableBuffer, DrawableBuffers};
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::limits::Limits;
use crate::objects::framebuffer::{Framebuffer, FramebufferDefaults, ResolvedImage};
use crate::pixels::internal::Base;
use crate::state::framebuffers::Surface;

/// A window's buffer as an image.
fn window_image(buffer: &DrawableBuffer, buffers: &DrawableBuffers, base: Base) -> Option<ResolvedImage> {
    if buffer.texture.is_null() {
        return None;
    }
    let surface =
        SurfaceView { texture: buffer.texture, format: buffer.format, layer_count: 1, ..SurfaceView::default() };
    Some(ResolvedImage {
        surface,
        internal: None,
        base,
        format: if buffers.srgb_capable { buffer.srgb_format } else { buffer.format },
        size: [buffers.width, buffers.height],
        layers: 1,
        samples: buffers.gl_samples(),
        fixed_samples: true,
        layered: None,
    })
}

/// The colour buffer of a window that a GL_BACK-like enum names. GL_BACK of a single-buffered one is its only buffer.
fn window_color(buffers: &DrawableBuffers, name: GLenum) -> Option<ResolvedImage> {
    let base = if buffers.has_alpha { Base::Rgba } else { Base::Rgb };
    let buffer = match name {
        GL_BACK | GL_BACK_LEFT | GL_LEFT | GL_FRONT_AND_BACK if !buffers.back.texture.is_null() => &buffers.back,
        GL_FRONT | GL_FRONT_LEFT | GL_BACK | GL_LEFT | GL_FRONT_AND_BACK => &buffers.front,
        _ => return None,
    };
    window_image(buffer, buffers, base)
}

/// The same for reading. GL 4.6 core 18.2.1 knows no error for a front buffer that exists but isn't ours: its last
/// known pixels are those of the back buffer.
pub(crate) fn window_read_color(buffers: &DrawableBuffers, name: GLenum) -> Option<ResolvedImage> {
    match name {
        // All these stand for the front buffer.
        GL_FRONT | GL_FRONT_LEFT | GL_LEFT | GL_FRONT_AND_BACK => {
            window_color(buffers, GL_FRONT).or_else(|| window_color(buffers, GL_BACK))
        }
        _ => window_color(buffers, name),
    }
}

/// The colour image that a draw or read buffer enum names in a framebuffer.
fn color_image(framebuffer: &Framebuffer, surface: &Surface, name: GLenum) -> Option<ResolvedImage> {
    if framebuffer.header.name == 0 {
        return window_color(&surface.buffers, name);
    }
    let index = name.checked_sub(GL_COLOR_ATTACHMENT0)? as usize;
    framebuffer.color.get(index)?.resolve()
}

fn depth_image(framebuffer: &Framebuffer, surface: &Surface) -> Option<ResolvedImage> {
    if framebuffer.header.name != 0 {
        return framebuffer.depth.resolve();
    }
    let buffers = &surface.buffers;
    let base = if buffers.depth.format.has_stencil() { Base::DepthStencil } else { Base::Depth };
    window_image(&buffers.depth, buffers, base)
}

fn stencil_image(framebuffer: &Framebuffer, surface: &Surface) -> Option<ResolvedImage> {
    if framebuffer.header.name != 0 {
        return framebuffer.stencil.resolve();
    }
    let buffers = &surface.buffers;
    let base = if buffers.stencil.format.has_depth() { Base::DepthStencil } else { Base::Stencil };
    window_image(&buffers.stencil, buffers, base)
}

impl Context {
    fn draw_surface(&self) -> &Surface {
        &self.state.framebuffers.draw_surface
    }

    /// The image draw buffer `index` writes to.
    pub(crate) fn draw_color_image(&self, index: usize) -> Option<ResolvedImage> {
        let framebuffer = self.draw_framebuffer();
        color_image(framebuffer, self.draw_surface(), framebuffer.draw_buffers[index])
    }

    /// The depth image draws write to.
    pub(crate) fn draw_depth_image(&self) -> Option<ResolvedImage> {
        depth_image(self.draw_framebuffer(), self.draw_surface())
    }

    /// The stencil image draws write to.
    pub(crate) fn draw_stencil_image(&self) -> Option<ResolvedImage> {
        stencil_image(self.draw_framebuffer(), self.draw_surface())
    }

    /// The image the read buffer names.
    pub(crate) fn read_color_image(&self) -> Option<ResolvedImage> {
        let framebuffer = self.read_framebuffer();
        let surface = &self.state.framebuffers.read_surface;
        if framebuffer.header.name == 0 {
            return window_read_color(&surface.buffers, framebuffer.read_buffer);
        }
        color_image(framebuffer, surface, framebuffer.read_buffer)
    }

    /// The depth image reads come from.
    pub(crate) fn read_depth_image(&self) -> Option<ResolvedImage> {
        depth_image(self.read_framebuffer(), &self.state.framebuffers.read_surface)
    }

    /// The stencil image reads come from.
    pub(crate) fn read_stencil_image(&self) -> Option<ResolvedImage> {
        stencil_image(self.read_framebuffer(), &self.state.framebuffers.read_surface)
    }

    /// GL_SAMPLES of the read framebuffer.
    pub(crate) fn read_samples(&self) -> u32 {
        self.framebuffer_samples(self.read_framebuffer(), &self.state.framebuffers.read_surface)
    }

    /// GL_SAMPLES of the draw framebuffer.
    pub(crate) fn draw_samples(&self) -> u32 {
        self.framebuffer_samples(self.draw_framebuffer(), self.draw_surface())
    }

    /// GL_SAMPLES of a framebuffer, from whichever buffer it has.
    pub(crate) fn framebuffer_samples(&self, framebuffer: &Framebuffer, surface: &Surface) -> u32 {
        if framebuffer.header.name == 0 {
            return surface.buffers.gl_samples();
        }
        let attached = framebuffer.attachments().find_map(|a| a.resolve());
        attached.map_or_else(|| self.default_samples(&framebuffer.defaults), |image| image.samples)
    }

    /// Samples of a framebuffer without attachments: the least supported number that is enough.
    pub(crate) fn default_samples(&self, defaults: &FramebufferDefaults) -> u32 {
        if defaults.samples == 0 {
            return 0;
        }
        let supported = self.device.supported_samples(Format::R8G8B8A8_UNORM, defaults.samples);
        supported.unwrap_or(self.limits.framebuffer_samples.max(0) as u32)
    }

    /// GL_FRAMEBUFFER_COMPLETE or what is wrong.
    pub(crate) fn framebuffer_status(&self, framebuffer: &Framebuffer, surface: &Surface) -> GLenum {
        if framebuffer.header.name == 0 {
            return if surface.drawable.is_some() { GL_FRAMEBUFFER_COMPLETE } else { GL_FRAMEBUFFER_UNDEFINED };
        }
        self.object_status(framebuffer)
    }

    fn object_status(&self, framebuffer: &Framebuffer) -> GLenum {
        let mut first: Option<ResolvedImage> = None;
        let mut color_layers = None;
        // GL 4.6 core 9.4.2: what only this device can't render is unsupported, not incomplete.
        let mut unsupported = false;
        let points = framebuffer.color.iter().map(|a| (a, Point::Color));
        let points = points.chain([(&framebuffer.depth, Point::Depth), (&framebuffer.stencil, Point::Stencil)]);
        for (attachment, point) in points.filter(|(a, _)| !a.is_none()) {
            let Some(image) = attachment.resolve().filter(|i| is_attachable(i, point, &self.limits)) else {
                return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
            };
            unsupported |= !self.can_render(&image, point);
            // GL 4.6 core 9.4.2: layered colour attachments come from textures of one target; depth is free, so that
            // cube-array colour goes with 2D-array depth.
            if matches!(point, Point::Color) && image.layered.is_some() {
                if color_layers.is_some_and(|kind| Some(kind) != image.layered) {
                    return GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS;
                }
                color_layers = image.layered;
            }
            let Some(other) = &first else {
                first = Some(image);
                continue;
            };
            if other.samples != image.samples || other.fixed_samples != image.fixed_samples {
                return GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
            }
            // Layered with layered only (GL 4.6 core 9.4.2).
            if other.layered.is_some() != image.layered.is_some() {
                return GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS;
            }
        }
        if first.is_none() {
            // GL 4.6 core 9.4.2: without attachments the default size decides.
            let defaults = &framebuffer.defaults;
            return if defaults.width != 0 && defaults.height != 0 {
                GL_FRAMEBUFFER_COMPLETE
            } else {
                GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT
            };
        }
        if unsupported {
            return GL_FRAMEBUFFER_UNSUPPORTED;
        }
        // Depth and stencil come from one image or not at all: no device renders to two.
        let both = !framebuffer.depth.is_none() && !framebuffer.stencil.is_none();
        if both && !framebuffer.depth.is_same(&framebuffer.stencil) {
            return GL_FRAMEBUFFER_UNSUPPORTED;
        }
        GL_FRAMEBUFFER_COMPLETE
    }

    /// Whether the device renders to the format the image is stored in.
    fn can_render(&self, image: &ResolvedImage, point: Point) -> bool {
        let needed = if matches!(point, Point::Color) { FormatUses::COLOR } else { FormatUses::DEPTH_STENCIL };
        self.device.format_caps(image.format).uses.contains(needed)
    }

    /// INVALID_FRAMEBUFFER_OPERATION when the draw framebuffer isn't complete.
    pub(crate) fn require_complete_draw(&self, command: &'static str) -> GlResult {
        self.require(self.framebuffer_status(self.draw_framebuffer(), self.draw_surface()), command)
    }

    /// INVALID_FRAMEBUFFER_OPERATION when the read framebuffer isn't complete.
    pub(crate) fn require_complete_read(&self, command: &'static str) -> GlResult {
        let surface = &self.state.framebuffers.read_surface;
        self.require(self.framebuffer_status(self.read_framebuffer(), surface), command)
    }

    fn require(&self, status: GLenum, command: &'static str) -> GlResult {
        if status == GL_FRAMEBUFFER_COMPLETE {
            return Ok(());
        }
        Err(GlError::invalid_framebuffer(format!("{command}: framebuffer status 0x{status:04X}")))
    }
}

/// Whether the specification lets an image be at a point (GL 4.6 core 9.4.1).
fn is_attachable(image: &ResolvedImage, point: Point, limits: &Limits) -> bool {
    let Some(internal) = image.internal else { return false };
    let format_fits = match point {
        Point::Color => internal.is_color_renderable(),
        Point::Depth => internal.base.has_depth(),
        Point::Stencil => matches!(internal.base, Base::DepthStencil | Base::Stencil),
    };
    let fits = |size: u32, most: i32| (1..=most.max(0) as u32).contains(&size);
    format_fits
        && fits(image.size[0], limits.framebuffer_width)
        && fits(image.size[1], limits.framebuffer_height)
        && (image.layered.is_none() || fits(image.layers, limits.framebuffer_layers))
}

#[derive(Clone, Copy)]
enum Point {
    Color,
    Depth,
    Stencil,
}

/// The format a colour attachment is rendered in: sRGB conversion only while GL_FRAMEBUFFER_SRGB is on.
pub(crate) fn render_format(image: &ResolvedImage, srgb: bool) -> Format {
    if srgb { image.format } else { image.format.linear() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window's front buffer is not ours; reading it must find pixels all the same, drawing to it none.
    #[test]
    fn the_front_of_a_window_is_read_from_the_back() {
        let texture = gallite_pipe::Handle::from_parts(1, 1);
        let back = DrawableBuffer { texture, ..DrawableBuffer::default() };
        let buffers = DrawableBuffers { back, double_buffered: true, ..DrawableBuffers::default() };
        assert!(window_color(&buffers, GL_FRONT).is_none());
        for name in [GL_FRONT, GL_FRONT_LEFT, GL_LEFT, GL_FRONT_AND_BACK] {
            assert!(window_read_color(&buffers, name).is_some_and(|image| image.surface.texture == texture));
        }
        assert!(window_read_color(&buffers, GL_NONE).is_none());
        // GL 4.6 core 17.4.1: names of several buffers draw to those that exist.
        for name in [GL_BACK, GL_BACK_LEFT, GL_LEFT, GL_FRONT_AND_BACK] {
            assert!(window_color(&buffers, name).is_some_and(|image| image.surface.texture == texture));
        }
    }
}
