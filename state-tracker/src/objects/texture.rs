//! Texture objects.

use std::sync::Arc;

use crate::device::Device;
use crate::gl::{GLenum, GLuint};
use crate::share::ObjectHeader;

/// A texture object.
#[derive(Debug)]
pub struct Texture {
    /// Name, label, generation.
    pub header: ObjectHeader,
    /// Target it was first bound to or created for.
    pub target: GLenum,
}

impl Texture {
    /// A texture without images.
    pub fn new(name: GLuint, target: GLenum) -> Self {
        Self { header: ObjectHeader::new(name), target }
    }
}

/// Textures that stand in where the program has none.
#[derive(Debug, Default)]
pub struct DefaultTextures {}

impl DefaultTextures {
    /// Nothing is made until it is needed.
    pub fn new(_device: &Arc<Device>) -> Self {
        Self::default()
    }
}
