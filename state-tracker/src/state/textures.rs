//! Texture units of a context.

use std::ops::Range;
use std::sync::Arc;

use gallite_pipe::{Features, MAX_PROGRAM_SAMPLERS, SampledBinding};

use crate::atoms::textures::Resolved;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::gl::*;
use crate::limits::MAX_COMBINED_UNITS;
use crate::objects::sampler::{Sampler, SamplerRules};
use crate::objects::texture::{Texture, TextureKind};
use crate::pixels::internal::InternalFormat;
use crate::stand_ins::StandIns;

/// One texture unit.
#[derive(Debug, Default)]
pub struct TextureUnit {
    /// Texture of each target; `None` is the texture of name 0.
    pub textures: [Option<Arc<Texture>>; TextureKind::COUNT],
    /// Sampler object that replaces the textures' own parameters.
    pub sampler: Option<Arc<Sampler>>,
    /// GL_TEXTURE_LOD_BIAS of the unit (compatibility profile).
    pub lod_bias: f32,
}

/// An image a proxy target was asked about.
#[derive(Clone, Copy, Debug)]
pub struct ProxyImage {
    /// Internal format asked for.
    pub internal: &'static InternalFormat,
    /// What it would be stored in.
    pub format: gallite_pipe::Format,
    /// Width, height, depth.
    pub size: [u32; 3],
    /// Samples; 0 when not multisampled.
    pub samples: u32,
    /// Fixed sample locations.
    pub fixed_samples: bool,
}

/// What the driver has of sampled textures at one bind point.
#[derive(Debug)]
pub(crate) struct PushedSamplers {
    /// By dense index.
    pub(crate) bindings: Box<[SampledBinding]>,
    /// Entries in force.
    pub(crate) count: usize,
}

impl Default for PushedSamplers {
    fn default() -> Self {
        Self { bindings: vec![SampledBinding::default(); MAX_PROGRAM_SAMPLERS].into_boxed_slice(), count: 0 }
    }
}

/// Bindings of textures and samplers to units.
#[derive(Debug)]
pub struct TextureState {
    /// The unit GL_ACTIVE_TEXTURE selects, from 0.
    pub active: usize,
    /// All units.
    pub units: Box<[TextureUnit]>,
    /// No unit at or beyond this one has had a texture or sampler bound.
    pub high_water: usize,
    /// GL_TEXTURE_CUBE_MAP_SEAMLESS.
    pub cube_seamless: bool,
    /// Proxy images by kind and level.
    pub proxies: [Vec<Option<ProxyImage>>; TextureKind::COUNT],
    /// What draws need to know of each texture, by its place in the table.
    pub(crate) resolved: hashbrown::HashMap<u64, Resolved>,
    /// What the driver has at each dense index, by bind point.
    pub(crate) pushed: [PushedSamplers; 2],
    /// Read where no complete texture is.
    pub(crate) stand_ins: StandIns,
    /// Units whose texture changed since the last push are among these.
    pub(crate) changed_units: Range<usize>,
}

impl Default for TextureState {
    fn default() -> Self {
        Self {
            active: 0,
            units: (0..MAX_COMBINED_UNITS).map(|_| TextureUnit::default()).collect(),
            high_water: 0,
            cube_seamless: false,
            proxies: Default::default(),
            resolved: hashbrown::HashMap::new(),
            pushed: Default::default(),
            stand_ins: StandIns::default(),
            changed_units: 0..0,
        }
    }
}

impl TextureState {
    /// Notes that the texture of a unit changed. The caller sets TEXTURE_UNITS.
    pub fn note_unit(&mut self, unit: usize) {
        let changed = &mut self.changed_units;
        *changed = if changed.start >= changed.end {
            unit..unit + 1
        } else {
            changed.start.min(unit)..changed.end.max(unit + 1)
        };
    }

    /// Removes a texture from all units, as deleting it does in the context that deletes it.
    pub fn unbind(&mut self, texture: &Arc<Texture>) -> bool {
        let mut found = false;
        for unit in &mut self.units[..self.high_water] {
            let slot = &mut unit.textures[texture.kind as usize];
            if slot.as_ref().is_some_and(|bound| Arc::ptr_eq(bound, texture)) {
                *slot = None;
                found = true;
            }
        }
        found
    }
}

impl Context {
    /// The texture bound to a target of the active unit; texture 0 when none is.
    pub fn bound_texture(&self, kind: TextureKind) -> &Arc<Texture> {
        let unit = &self.state.textures.units[self.state.textures.active];
        unit.textures[kind as usize].as_ref().unwrap_or_else(|| self.share.default_textures.get(kind))
    }

    /// What sampler parameters this context allows.
    pub fn sampler_rules(&self) -> SamplerRules {
        SamplerRules {
            compatibility: self.is_compatibility(),
            anisotropy: self.limits.texture_max_anisotropy > 1.0,
            mirror_clamp: self.device.caps.features.contains(Features::MIRROR_CLAMP_TO_EDGE),
        }
    }

    /// Notes that a texture's storage or parameters changed: this context and all others must look again.
    pub fn texture_changed(&mut self, texture: &Texture) {
        texture.header.bump();
        self.shared_changed(DirtySet::TEXTURES | DirtySet::IMAGES | DirtySet::FRAMEBUFFER);
    }

    /// Largest size of each axis for a kind, width, height and depth, and of layers.
    pub fn max_texture_size(&self, kind: TextureKind) -> [GLint; 3] {
        let l = &self.limits;
        match kind {
            TextureKind::D1 => [l.texture_size, 1, 1],
            TextureKind::D2 | TextureKind::Multisample => [l.texture_size, l.texture_size, 1],
            TextureKind::D3 => [l.texture_3d_size; 3],
            TextureKind::Cube => [l.cube_map_texture_size, l.cube_map_texture_size, 1],
            TextureKind::D1Array => [l.texture_size, l.array_texture_layers, 1],
            TextureKind::D2Array | TextureKind::MultisampleArray => {
                [l.texture_size, l.texture_size, l.array_texture_layers]
            }
            TextureKind::CubeArray => [l.cube_map_texture_size, l.cube_map_texture_size, l.array_texture_layers],
            TextureKind::Rect => [l.rectangle_texture_size, l.rectangle_texture_size, 1],
            TextureKind::Buffer => [l.texture_buffer_size, 1, 1],
        }
    }

    /// Number of levels a texture of this kind may have.
    pub fn max_levels(&self, kind: TextureKind) -> u32 {
        kind.level_count(self.max_texture_size(kind).map(|s| s.max(1) as u32))
    }
}
