//! What a sampler reads where no complete texture is bound: black, (0, 0, 0, 1) (GL 4.6 core 11.1.3.5).

use std::sync::Arc;

use gallite_pipe::{Format, SamplerViewDesc, SamplerViewId, Swizzle, ViewAspect};
use gallite_shader::reflection::SampledType;

use crate::device::Device;
use crate::objects::texture::TextureKind;
use crate::objects::texture_storage::Storage;

/// One texel for each kind of texture and type of lookup, made when first needed.
#[derive(Default)]
pub struct StandIns {
    made: Vec<StandIn>,
}

struct StandIn {
    kind: TextureKind,
    sampled: SampledType,
    device: Arc<Device>,
    view: SamplerViewId,
    /// Given up after the view.
    _storage: Arc<Storage>,
}

impl std::fmt::Debug for StandIns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StandIns").field("made", &self.made.len()).finish()
    }
}

impl StandIns {
    /// The black view; null for buffer textures, whose lookups outside of the buffer are undefined.
    pub(crate) fn view(&mut self, device: &Arc<Device>, kind: TextureKind, sampled: SampledType) -> SamplerViewId {
        if kind == TextureKind::Buffer {
            return SamplerViewId::NULL;
        }
        if let Some(made) = self.made.iter().find(|made| made.kind == kind && made.sampled == sampled) {
            return made.view;
        }
        let made = StandIn::new(device, kind, sampled);
        let view = made.view;
        self.made.push(made);
        view
    }
}

impl StandIn {
    fn new(device: &Arc<Device>, kind: TextureKind, sampled: SampledType) -> Self {
        let format = match sampled {
            SampledType::Int => Format::R8G8B8A8_SINT,
            SampledType::Uint => Format::R8G8B8A8_UINT,
            _ => Format::R8G8B8A8_UNORM,
        };
        let layers = if kind == TextureKind::CubeArray { 6 } else { 1 };
        let samples = if kind.is_multisample() { device.supported_samples(format, 2).unwrap_or(1) } else { 0 };
        let storage = Storage::new(device, kind, format, [1, 1, layers], 1, samples);
        let view = device.mint();
        // The swizzle makes the colour, so that the texel needs none.
        let desc = SamplerViewDesc {
            texture: storage.id,
            format,
            dim: kind.dim(),
            aspect: ViewAspect::DEFAULT,
            swizzle: [Swizzle::ZERO, Swizzle::ZERO, Swizzle::ZERO, Swizzle::ONE],
            first_level: 0,
            level_count: 1,
            first_layer: 0,
            layer_count: storage.desc.layers,
        };
        device.screen.create_sampler_view(view, &desc);
        Self { kind, sampled, device: Arc::clone(device), view, _storage: storage }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.device.destroy_view(self.view);
    }
}
