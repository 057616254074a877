//! What a sampler reads where no complete texture is bound: black, (0, 0, 0, 1) (GL 4.6 core 11.1.3.5), and nothing
//! that passes a comparison. A driver never sees a sampler of the program without a view.

use std::sync::Arc;

use gallite_pipe::{
    BufferDesc, BufferId, BufferTextureDesc, Context as PipeContext, Format, MapFlags, SamplerViewDesc, SamplerViewId,
    Swizzle, TextureId, ViewAspect,
};
use gallite_shader::reflection::SampledType;

use crate::device::Device;
use crate::objects::executable::SamplerExpectation;
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
    shadow: bool,
    device: Arc<Device>,
    view: SamplerViewId,
    texel: Texel,
}

/// Where the texel is. Given up after the view.
enum Texel {
    Image { _storage: Arc<Storage> },
    Buffer { buffer: BufferId, texture: TextureId },
}

impl std::fmt::Debug for StandIns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StandIns").field("made", &self.made.len()).finish()
    }
}

impl StandIns {
    /// The view that stands in for what a program expects.
    pub(crate) fn view(
        &mut self,
        device: &Arc<Device>,
        pipe: &mut dyn PipeContext,
        kind: TextureKind,
        expected: &SamplerExpectation,
    ) -> SamplerViewId {
        let (sampled, shadow) = (expected.sampled, expected.shadow);
        let is_it = |made: &&StandIn| made.kind == kind && made.sampled == sampled && made.shadow == shadow;
        if let Some(made) = self.made.iter().find(is_it) {
            return made.view;
        }
        let (texel, view) = match kind {
            TextureKind::Buffer => buffer_texel(device, pipe, format(sampled, false)),
            _ => image_texel(device, kind, format(sampled, shadow)),
        };
        self.made.push(StandIn { kind, sampled, shadow, device: Arc::clone(device), view, texel });
        view
    }
}

fn format(sampled: SampledType, shadow: bool) -> Format {
    match sampled {
        SampledType::Int => Format::R8G8B8A8_SINT,
        SampledType::Uint => Format::R8G8B8A8_UINT,
        _ if shadow => Format::Z16_UNORM,
        _ => Format::R8G8B8A8_UNORM,
    }
}

fn image_texel(device: &Arc<Device>, kind: TextureKind, format: Format) -> (Texel, SamplerViewId) {
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
    (Texel::Image { _storage: storage }, view)
}

/// GL 4.6 core 8.9: what a buffer texture without a buffer yields is undefined; it is zeros here.
fn buffer_texel(device: &Arc<Device>, pipe: &mut dyn PipeContext, format: Format) -> (Texel, SamplerViewId) {
    const BYTES: [u8; 16] = [0; 16];
    let size = BYTES.len() as u64;
    let (buffer, texture, view) = (device.mint(), device.mint(), device.mint());
    device.screen.create_buffer(buffer, &BufferDesc { size, ..BufferDesc::default() });
    pipe.buffer_write(buffer, 0, MapFlags::EMPTY, &BYTES);
    let desc = BufferTextureDesc { buffer, offset: 0, size, format, reserved: [0; 3] };
    device.screen.create_buffer_texture(texture, &desc);
    let desc = SamplerViewDesc {
        texture,
        format,
        dim: TextureKind::Buffer.dim(),
        aspect: ViewAspect::DEFAULT,
        swizzle: [Swizzle::R, Swizzle::G, Swizzle::B, Swizzle::A],
        first_level: 0,
        level_count: 1,
        first_layer: 0,
        layer_count: 1,
    };
    device.screen.create_sampler_view(view, &desc);
    (Texel::Buffer { buffer, texture }, view)
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.device.destroy_view(self.view);
        if let Texel::Buffer { buffer, texture } = self.texel {
            self.device.screen.destroy_texture(texture);
            self.device.release(texture);
            self.device.screen.destroy_buffer(buffer);
            self.device.release(buffer);
        }
    }
}
