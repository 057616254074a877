//! Renderbuffer objects (GL 4.6 core 9.2.4).

use std::sync::Arc;

use gallite_pipe::Format;
use parking_lot::Mutex;

use crate::gl::*;
use crate::objects::texture_storage::Storage;
use crate::pixels::internal::InternalFormat;
use crate::share::ObjectHeader;

/// A renderbuffer object.
#[derive(Debug)]
pub struct Renderbuffer {
    /// Name, label, generation.
    pub header: ObjectHeader,
    /// Its image.
    pub state: Mutex<RenderbufferState>,
}

/// A renderbuffer's image.
#[derive(Debug, Clone, Default)]
pub struct RenderbufferState {
    /// What the program asked for; none before.
    pub internal: Option<&'static InternalFormat>,
    /// What it is stored in.
    pub format: Option<Format>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// GL_RENDERBUFFER_SAMPLES.
    pub samples: u32,
    /// The texels; none while a size is zero.
    pub storage: Option<Arc<Storage>>,
}

impl Renderbuffer {
    /// A renderbuffer without image.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name), state: Mutex::default() }
    }
}
