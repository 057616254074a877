//! Texture units of a context.

/// Bindings of textures and samplers to units.
#[derive(Debug, Default)]
pub struct TextureState {
    /// The unit GL_ACTIVE_TEXTURE selects, from 0.
    pub active: usize,
    /// GL_TEXTURE_CUBE_MAP_SEAMLESS.
    pub cube_seamless: bool,
}
