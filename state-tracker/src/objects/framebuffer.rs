//! Framebuffer objects (GL 4.6 core 9.2). They belong to one context.

use std::sync::Arc;

use gallite_pipe::{Format, MAX_COLOR_ATTACHMENTS, SurfaceView};

use crate::gl::*;
use crate::objects::renderbuffer::Renderbuffer;
use crate::objects::texture::{Image, Texture, TextureKind};
use crate::pixels::internal::{Base, InternalFormat};
use crate::share::ObjectHeader;

/// What is attached at one attachment point.
#[derive(Debug, Clone, Default)]
pub enum Attachment {
    /// Nothing.
    #[default]
    None,
    /// An image, or all layers, of a texture.
    Texture {
        /// The texture.
        texture: Arc<Texture>,
        /// Level.
        level: u32,
        /// Face of a cube map.
        face: usize,
        /// Layer of an array or slice of a 3D texture.
        layer: u32,
        /// All layers.
        layered: bool,
    },
    /// A renderbuffer.
    Renderbuffer(Arc<Renderbuffer>),
}

/// An attachment's image as it is now.
#[derive(Debug, Clone)]
pub struct ResolvedImage {
    /// How the driver renders to it.
    pub surface: SurfaceView,
    /// What the program asked for; none for a window's buffer.
    pub internal: Option<&'static InternalFormat>,
    /// Its components as GL sees them.
    pub base: Base,
    /// Stored format, sRGB where it is.
    pub format: Format,
    /// Pixels.
    pub size: [u32; 2],
    /// Layers rendered to when layered, else 1.
    pub layers: u32,
    /// GL_SAMPLES of the image: 0 when not multisampled.
    pub samples: u32,
    /// Fixed sample locations; renderbuffers have them.
    pub fixed_samples: bool,
    /// Whether all layers are attached, and of which kind of texture.
    pub layered: Option<TextureKind>,
}

impl ResolvedImage {
    /// Whether its storage has an alpha channel that the program did not ask for.
    pub fn hides_alpha(&self) -> bool {
        self.base != Base::Rgba && self.format.info().channels[3].bits != 0
    }
}

impl Attachment {
    /// The image, if there is one.
    pub fn resolve(&self) -> Option<ResolvedImage> {
        match self {
            Self::None => None,
            Self::Renderbuffer(renderbuffer) => {
                let state = renderbuffer.state.lock();
                let (internal, format) = (state.internal?, state.format?);
                let surface = SurfaceView {
                    texture: state.storage.as_ref()?.id,
                    format,
                    layer_count: 1,
                    ..SurfaceView::default()
                };
                Some(ResolvedImage {
                    surface,
                    internal: Some(internal),
                    base: internal.base,
                    format,
                    size: [state.width, state.height],
                    layers: 1,
                    samples: state.samples,
                    fixed_samples: true,
                    layered: None,
                })
            }
            Self::Texture { texture, level, face, layer, layered } => {
                let state = texture.state.lock();
                let image = state.image(*face, *level)?;
                let kind = texture.kind;
                let all_layers = match kind {
                    TextureKind::D1Array => image.size[1],
                    TextureKind::Cube => 6,
                    _ => image.size[2],
                };
                // GL 4.6 core 9.4.1: the faces of a layered cube map are alike.
                let alike = |face: &Image| face.size == image.size && face.same_format(image);
                if *layered
                    && kind == TextureKind::Cube
                    && !(1..6).all(|face| state.image(face, *level).is_some_and(alike))
                {
                    return None;
                }
                let surface = if *layered {
                    image.surface(0, all_layers)?
                } else {
                    if *layer >= all_layers && kind != TextureKind::Cube {
                        return None;
                    }
                    image.surface(*layer, 1)?
                };
                let height = if matches!(kind, TextureKind::D1 | TextureKind::D1Array) { 1 } else { image.size[1] };
                Some(ResolvedImage {
                    surface,
                    internal: Some(image.internal),
                    base: image.internal.base,
                    format: image.format,
                    size: [image.size[0], height],
                    layers: if *layered { all_layers } else { 1 },
                    samples: image.samples,
                    fixed_samples: image.fixed_samples || image.samples == 0,
                    layered: layered.then_some(kind),
                })
            }
        }
    }

    /// Whether nothing is attached.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Whether this texture is attached.
    pub fn is_texture(&self, other: &Arc<Texture>) -> bool {
        matches!(self, Self::Texture { texture, .. } if Arc::ptr_eq(texture, other))
    }

    /// Whether this renderbuffer is attached.
    pub fn is_renderbuffer(&self, other: &Arc<Renderbuffer>) -> bool {
        matches!(self, Self::Renderbuffer(renderbuffer) if Arc::ptr_eq(renderbuffer, other))
    }

    /// Whether two points have the same image, as GL_DEPTH_STENCIL_ATTACHMENT wants.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Renderbuffer(a), Self::Renderbuffer(b)) => Arc::ptr_eq(a, b),
            (
                Self::Texture { texture: a, level: al, face: af, layer: ay, layered: aa },
                Self::Texture { texture: b, level: bl, face: bf, layer: by, layered: ba },
            ) => Arc::ptr_eq(a, b) && (al, af, ay, aa) == (bl, bf, by, ba),
            _ => false,
        }
    }
}

/// What a framebuffer without attachments is like (GL 4.6 core 9.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FramebufferDefaults {
    /// GL_FRAMEBUFFER_DEFAULT_WIDTH.
    pub width: u32,
    /// GL_FRAMEBUFFER_DEFAULT_HEIGHT.
    pub height: u32,
    /// GL_FRAMEBUFFER_DEFAULT_LAYERS; 0 is not layered.
    pub layers: u32,
    /// GL_FRAMEBUFFER_DEFAULT_SAMPLES as the program gave it.
    pub samples: u32,
    /// GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS.
    pub fixed_samples: bool,
}

/// A framebuffer object.
#[derive(Debug)]
pub struct Framebuffer {
    /// Name and label.
    pub header: ObjectHeader,
    /// GL_COLOR_ATTACHMENTi.
    pub color: [Attachment; MAX_COLOR_ATTACHMENTS],
    /// GL_DEPTH_ATTACHMENT.
    pub depth: Attachment,
    /// GL_STENCIL_ATTACHMENT.
    pub stencil: Attachment,
    /// GL_DRAW_BUFFERi.
    pub draw_buffers: [GLenum; MAX_COLOR_ATTACHMENTS],
    /// GL_READ_BUFFER.
    pub read_buffer: GLenum,
    /// In force while nothing is attached.
    pub defaults: FramebufferDefaults,
}

impl Framebuffer {
    /// A new object; name 0 is the default one.
    pub fn new(name: GLuint) -> Self {
        // GL 4.6 core 17.4.1 and 18.2.1: the first colour attachment, or the back buffer of a window.
        let first = if name == 0 { GL_BACK } else { GL_COLOR_ATTACHMENT0 };
        let mut draw_buffers = [GL_NONE; MAX_COLOR_ATTACHMENTS];
        draw_buffers[0] = first;
        Self {
            header: ObjectHeader::new(name),
            color: Default::default(),
            depth: Attachment::None,
            stencil: Attachment::None,
            draw_buffers,
            read_buffer: first,
            defaults: FramebufferDefaults::default(),
        }
    }

    /// All attachment points.
    pub fn attachments(&self) -> impl Iterator<Item = &Attachment> {
        self.color.iter().chain([&self.depth, &self.stencil])
    }

    /// Empties every point the test names; true when there was one (GL 4.6 core 9.2.7, 9.2.8).
    pub fn detach(&mut self, is_it: impl Fn(&Attachment) -> bool) -> bool {
        let mut found = false;
        for point in self.color.iter_mut().chain([&mut self.depth, &mut self.stencil]) {
            if is_it(point) {
                *point = Attachment::None;
                found = true;
            }
        }
        found
    }
}
