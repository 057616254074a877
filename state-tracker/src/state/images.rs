//! Image units of a context (GL 4.6 core 8.26).

use std::sync::Arc;

use crate::gl::*;
use crate::limits::MAX_IMAGE_UNITS;
use crate::objects::texture::Texture;

/// One image unit.
#[derive(Debug, Clone)]
pub struct ImageUnit {
    /// GL_IMAGE_BINDING_NAME.
    pub texture: Option<Arc<Texture>>,
    /// GL_IMAGE_BINDING_LEVEL.
    pub level: u32,
    /// GL_IMAGE_BINDING_LAYERED.
    pub layered: bool,
    /// GL_IMAGE_BINDING_LAYER.
    pub layer: u32,
    /// GL_IMAGE_BINDING_ACCESS.
    pub access: GLenum,
    /// GL_IMAGE_BINDING_FORMAT.
    pub format: GLenum,
}

impl Default for ImageUnit {
    fn default() -> Self {
        Self { texture: None, level: 0, layered: false, layer: 0, access: GL_READ_ONLY, format: GL_R8 }
    }
}

/// All image units.
#[derive(Debug)]
pub struct ImageState {
    /// By number.
    pub units: Box<[ImageUnit]>,
}

impl Default for ImageState {
    fn default() -> Self {
        Self { units: vec![ImageUnit::default(); MAX_IMAGE_UNITS].into_boxed_slice() }
    }
}

impl ImageState {
    /// Removes a texture from all units, as deleting it does in the context that deletes it.
    pub fn unbind(&mut self, texture: &Arc<Texture>) {
        for unit in self.units.iter_mut() {
            if unit.texture.as_ref().is_some_and(|bound| Arc::ptr_eq(bound, texture)) {
                *unit = ImageUnit::default();
            }
        }
    }
}
