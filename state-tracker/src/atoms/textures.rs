//! Sampler views and samplers the program reads (GL 4.6 core 8.17, 11.1.3.5).

use std::ops::Range;
use std::sync::Arc;

use gallite_pipe::{
    BindPoint, BorderKind, BufferId, ChannelKind, Context as PipeContext, FenceId, FlushFlags, SampledBinding,
    SamplerId, SamplerViewDesc, SamplerViewId, Swizzle, ViewAspect,
};
use gallite_shader::reflection::SampledType;
use hashbrown::hash_map::Entry;

use crate::context::Context;
use crate::cso::{CsoCache, Samplers};
use crate::device::Device;
use crate::dirty::DirtySet;
use crate::gl::*;
use crate::limits::Limits;
use crate::objects::executable::SamplerExpectation;
use crate::objects::sampler::{SampleTraits, SamplerParams};
use crate::objects::texture::{Completeness, Texture, TextureKind, TextureState, View};
use crate::pixels::convert::Source;
use crate::pixels::internal::{Base, sample_swizzle, store_map};
use crate::share::ShareGroup;
use crate::state::textures::{PushedSamplers, TextureState as Units, TextureUnit};

/// What draws need to know of a texture, as of one generation of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolved {
    generation: u64,
    /// Buffer and size of a buffer texture: they change without the texture.
    buffer: (BufferId, u64),
    complete: Completeness,
    /// What a lookup yields.
    sampled: SampledType,
    /// Depth is sampled, and can be compared.
    depth: bool,
    view: SamplerViewId,
    /// View without sRGB decoding; the same when there is none.
    encoded_view: SamplerViewId,
    /// View whose red is the depth, for comparisons; the same unless the depth texture mode takes red away.
    compare_view: SamplerViewId,
    own: SamplerParams,
    stored: (Base, gallite_pipe::Format),
    /// The last binding made with the texture's own parameters.
    last: Option<LastBinding>,
}

impl Resolved {
    /// A view of one texel that stands in; its depth is compared where a program expects that.
    fn stand_in(view: SamplerViewId, expected: &SamplerExpectation) -> Self {
        let mut own = SamplerParams::default();
        (own.min_filter, own.mag_filter) = (GL_NEAREST, GL_NEAREST);
        Self {
            generation: 0,
            buffer: (BufferId::NULL, 0),
            complete: Completeness { base: true, ..Completeness::default() },
            sampled: expected.sampled,
            depth: expected.shadow,
            view,
            encoded_view: view,
            compare_view: view,
            own,
            stored: (Base::Rgba, gallite_pipe::Format::R8G8B8A8_UNORM),
            last: None,
        }
    }
}

/// A binding and what else it depends on than the texture.
#[derive(Clone, Copy, Debug)]
struct LastBinding {
    expected: SamplerExpectation,
    seamless: bool,
    unit_bias: f32,
    /// Removals from the cache of samplers when it was made.
    removals: u64,
    binding: SampledBinding,
}

/// Textures remembered before all are looked up anew.
const REMEMBERED: usize = 8192;

struct Environment<'a> {
    device: &'a Arc<Device>,
    share: &'a ShareGroup,
    limits: &'a Limits,
    seamless: bool,
}

/// Pushes what changed of the sampled textures that draws read.
pub fn push(ctx: &mut Context) {
    ctx.state.textures.changed_units = 0..0;
    push_from(ctx, BindPoint::GRAPHICS, 0..usize::MAX);
}

/// Pushes what changed of the sampled textures that dispatches read.
pub fn push_compute(ctx: &mut Context) {
    push_from(ctx, BindPoint::COMPUTE, 0..usize::MAX);
}

/// Pushes what changed of those at the units noted as changed; nothing when [`push`] has just looked at all.
pub fn push_units(ctx: &mut Context) {
    let changed = ctx.state.textures.changed_units.clone();
    if !changed.is_empty() {
        ctx.state.textures.changed_units = 0..0;
        push_from(ctx, BindPoint::GRAPHICS, changed);
    }
}

fn push_from(ctx: &mut Context, point: BindPoint, among: Range<usize>) {
    let Context { pipe, state, cso, device, share, limits, .. } = ctx;
    let Some(executable) = state.programs.at(point) else { return };
    let Units { units, resolved, pushed, cube_seamless, stand_ins, .. } = &mut state.textures;
    let PushedSamplers { bindings: pushed, count: pushed_count } =
        &mut pushed[usize::from(point != BindPoint::GRAPHICS)];
    let count = executable.sampler_count().min(pushed.len());
    if resolved.len() > REMEMBERED {
        resolved.clear();
    }
    let environment = Environment { device, share, limits, seamless: *cube_seamless };
    let (mut first, mut last, mut moved) = (usize::MAX, 0, false);
    for dense in 0..count {
        let expected = &executable.samplers[dense];
        let unit = executable.unit(dense as u32) as usize;
        if !among.contains(&unit) {
            continue;
        }
        let binding = match (units.get(unit), TextureKind::from_dim(expected.dim, expected.multisample)) {
            (Some(unit), Some(kind)) => {
                let texture = unit.textures[kind as usize].as_ref().unwrap_or_else(|| share.default_textures.get(kind));
                let (known, has_moved) = look_up(resolved, texture, &environment, &mut **pipe);
                moved |= has_moved;
                let binding = bind_again(known, kind, unit, expected, &environment, &mut cso.samplers, &*pushed);
                if binding.view.is_null() {
                    let view = stand_ins.view(device, &mut **pipe, kind, expected);
                    let stand_in = Resolved::stand_in(view, expected);
                    let unit = TextureUnit::default();
                    bind(&stand_in, kind, &unit, expected, &environment, &mut cso.samplers, &*pushed)
                } else {
                    binding
                }
            }
            _ => SampledBinding::default(),
        };
        if dense >= *pushed_count || pushed[dense] != binding {
            pushed[dense] = binding;
            first = first.min(dense);
            last = dense + 1;
        }
    }
    *pushed_count = count.max(*pushed_count);
    if first < last {
        pipe.set_samplers(point, first as u32, &pushed[first..last]);
    }
    if moved {
        publish_move(&mut **pipe, share);
        // Texels of an attachment may have moved to a new storage just now.
        ctx.dirty.insert(DirtySet::FRAMEBUFFER);
        super::framebuffer::push(ctx);
    }
}

/// Hands a move of texels to a new storage to the device: other contexts use the new one from now on, and nothing that
/// the program wrote asks it to flush for them.
pub(crate) fn publish_move(pipe: &mut dyn PipeContext, share: &ShareGroup) {
    if share.has_several_contexts() {
        pipe.flush(FenceId::NULL, FlushFlags::EMPTY);
    }
}

fn look_up<'a>(
    resolved: &'a mut hashbrown::HashMap<u64, Resolved>,
    texture: &Texture,
    environment: &Environment,
    pipe: &mut dyn PipeContext,
) -> (&'a mut Resolved, bool) {
    match resolved.entry(texture.serial) {
        Entry::Occupied(known) => {
            let known = known.into_mut();
            if known.generation == texture.header.generation()
                && (texture.kind != TextureKind::Buffer || known.buffer == current_buffer(texture))
            {
                return (known, false);
            }
            let (now, moved) = resolve(texture, environment, pipe);
            *known = now;
            (known, moved)
        }
        Entry::Vacant(place) => {
            let (now, moved) = resolve(texture, environment, pipe);
            (place.insert(now), moved)
        }
    }
}

/// [`bind`], or what it gave last time where nothing it depends on has changed.
#[inline]
fn bind_again(
    known: &mut Resolved,
    kind: TextureKind,
    unit: &TextureUnit,
    expected: &SamplerExpectation,
    environment: &Environment,
    samplers: &mut CsoCache<Samplers>,
    bound: &[SampledBinding],
) -> SampledBinding {
    // A sampler object changes without the texture.
    if unit.sampler.is_some() {
        return bind(known, kind, unit, expected, environment, samplers, bound);
    }
    if let Some(last) = &known.last
        && last.expected == *expected
        && last.seamless == environment.seamless
        && last.unit_bias == unit.lod_bias
        && last.removals == samplers.removals()
    {
        return last.binding;
    }
    let binding = bind(known, kind, unit, expected, environment, samplers, bound);
    known.last = Some(LastBinding {
        expected: *expected,
        seamless: environment.seamless,
        unit_bias: unit.lod_bias,
        removals: samplers.removals(),
        binding,
    });
    binding
}

fn current_buffer(texture: &Texture) -> (BufferId, u64) {
    texture.state.lock().buffer.as_ref().map_or((BufferId::NULL, 0), |a| a.buffer.storage())
}

/// The view and sampler of a texture for one use in the program.
fn bind(
    known: &Resolved,
    kind: TextureKind,
    unit: &TextureUnit,
    expected: &SamplerExpectation,
    environment: &Environment,
    samplers: &mut CsoCache<Samplers>,
    bound: &[SampledBinding],
) -> SampledBinding {
    // A lookup of another type than the texture's is undefined (GLSL 4.60 8.9); the stand-in keeps it harmless.
    let fits = known.sampled == expected.sampled && (!expected.shadow || known.depth);
    if !known.complete.base || !fits || known.view.is_null() {
        return SampledBinding::default();
    }
    if kind == TextureKind::Buffer || kind.is_multisample() {
        return SampledBinding { view: known.view, sampler: SamplerId::NULL };
    }
    let params = unit.sampler.as_ref().map_or(known.own, |sampler| *sampler.params.lock());
    // GL 4.6 core 8.17: mipmap filters need all levels, and integers can't be filtered.
    let filters = params.is_linear() && known.sampled != SampledType::Float;
    if filters || (params.uses_mipmaps() && !known.complete.mipmap) {
        return SampledBinding::default();
    }
    let border_kind = match known.sampled {
        SampledType::Int => BorderKind::SINT,
        SampledType::Uint => BorderKind::UINT,
        _ => BorderKind::FLOAT,
    };
    let traits = SampleTraits {
        axes: kind.axes(),
        compare: expected.shadow && known.depth,
        unnormalized: kind == TextureKind::Rect,
        cube: matches!(kind, TextureKind::Cube | TextureKind::CubeArray),
        seamless: environment.seamless,
        border_kind,
        border: stored_border,
        stored: known.stored,
        unit_bias: unit.lod_bias,
        max_lod_bias: environment.limits.texture_lod_bias,
        max_anisotropy: environment.limits.texture_max_anisotropy,
    };
    let state = params.lower(&traits);
    let sampler = samplers.get(environment.device, &state, |id| bound.iter().any(|b| b.sampler == id));
    let encoded = params.srgb_decode == GL_SKIP_DECODE_EXT;
    let view = match (traits.compare, encoded) {
        (true, _) => known.compare_view,
        (_, true) => known.encoded_view,
        _ => known.view,
    };
    SampledBinding { view, sampler }
}

/// A border colour as the stored channels would hold it (GL 4.6 core 8.14.2.1: converted like a texel).
fn stored_border(border: &[u32; 4], traits: &SampleTraits) -> [u32; 4] {
    let (base, format) = traits.stored;
    let integer = traits.border_kind != BorderKind::FLOAT;
    let clamp = |bits: u32| {
        let value = f32::from_bits(bits);
        let clamped = match format.kind() {
            _ if integer => return bits,
            ChannelKind::Unorm => value.clamp(0.0, 1.0),
            ChannelKind::Snorm => value.clamp(-1.0, 1.0),
            _ => value,
        };
        clamped.to_bits()
    };
    let one = if integer { 1 } else { 1f32.to_bits() };
    if !base.is_color() {
        return [clamp(border[0]), 0, 0, one];
    }
    store_map(base, format).map(|source| match source {
        Source::Slot(slot) => clamp(border[usize::from(slot)]),
        Source::One => one,
        Source::Zero | Source::Sum => 0,
    })
}

/// Works out completeness and makes the views. True when texels moved to another storage.
fn resolve(texture: &Texture, environment: &Environment, pipe: &mut dyn PipeContext) -> (Resolved, bool) {
    let generation = texture.header.generation();
    let mut state = texture.state.lock();
    let mut known = Resolved {
        generation,
        buffer: (BufferId::NULL, 0),
        complete: Completeness::default(),
        sampled: SampledType::Float,
        depth: false,
        view: SamplerViewId::NULL,
        encoded_view: SamplerViewId::NULL,
        compare_view: SamplerViewId::NULL,
        own: state.sampler,
        stored: (Base::Rgba, gallite_pipe::Format::NONE),
        last: None,
    };
    if texture.kind == TextureKind::Buffer {
        resolve_buffer(texture, &mut state, environment, &mut known);
        return (known, false);
    }
    known.complete = state.completeness(texture.kind);
    let Some(base) = state.base_image().cloned().filter(|_| known.complete.base) else { return (known, false) };
    let last = if known.complete.mipmap { known.complete.last } else { known.complete.first };
    let moved = state.finalize(texture.device(), pipe, texture.kind, known.complete.first, last);
    if moved {
        texture.header.bump();
        environment.share.bump_epoch();
        known.generation = texture.header.generation();
    }
    let Some(storage) = state.storage.clone() else { return (known, moved) };
    let stencil = state.params.depth_stencil_mode == GL_STENCIL_INDEX && base.format.has_stencil()
        || base.internal.base == Base::Stencil;
    known.depth = base.internal.base.has_depth() && !stencil;
    known.stored = (base.internal.base, base.format);
    known.sampled = if stencil { SampledType::Uint } else { sampled_type(base.format) };
    let desc = SamplerViewDesc {
        texture: storage.id,
        format: base.format,
        dim: texture.kind.dim(),
        aspect: if stencil { ViewAspect::STENCIL } else { ViewAspect::DEFAULT },
        swizzle: view_swizzle(&state, base.internal.base, base.format),
        first_level: known.complete.first - state.first_level,
        level_count: last - known.complete.first + 1,
        first_layer: 0,
        layer_count: storage.desc.layers,
    };
    known.view = view(texture.device(), &mut state, &desc, known.generation);
    known.encoded_view = known.view;
    known.compare_view = known.view;
    if known.depth && state.params.depth_mode == GL_ALPHA {
        let swizzle = desc.swizzle.map(|s| if s == Swizzle::ZERO { Swizzle::R } else { s });
        let red = SamplerViewDesc { swizzle, ..desc };
        known.compare_view = view(texture.device(), &mut state, &red, known.generation);
    }
    if base.format.is_srgb() {
        let encoded = SamplerViewDesc { format: base.format.linear(), ..desc };
        known.encoded_view = view(texture.device(), &mut state, &encoded, known.generation);
    }
    (known, moved)
}

fn sampled_type(format: gallite_pipe::Format) -> SampledType {
    if format.is_pure_sint() {
        SampledType::Int
    } else if format.is_pure_uint() {
        SampledType::Uint
    } else {
        SampledType::Float
    }
}

fn resolve_buffer(texture: &Texture, state: &mut TextureState, environment: &Environment, known: &mut Resolved) {
    let Some(attached) = state.buffer.clone() else { return };
    let device = texture.device();
    known.buffer = attached.buffer.storage();
    let most = environment.limits.texture_buffer_size.max(0) as u64;
    let desc = attached.texels(known.buffer, attached.format, most);
    if state.buffer_texture.is_some_and(|(made_of, _)| Some(made_of) != desc) {
        state.drop_buffer_texture(device);
    }
    let Some(desc) = desc else { return };
    let (_, id) = *state.buffer_texture.get_or_insert_with(|| {
        let id = device.mint();
        device.screen.create_buffer_texture(id, &desc);
        (desc, id)
    });
    known.complete = Completeness { base: true, mipmap: true, first: 0, last: 0 };
    known.sampled = sampled_type(attached.format);
    known.stored = (attached.internal.base, attached.format);
    let desc = SamplerViewDesc {
        texture: id,
        format: attached.format,
        dim: texture.kind.dim(),
        aspect: ViewAspect::DEFAULT,
        swizzle: sample_swizzle(attached.internal.base, attached.format),
        first_level: 0,
        level_count: 1,
        first_layer: 0,
        layer_count: 1,
    };
    known.view = view(device, state, &desc, known.generation);
    known.encoded_view = known.view;
}

/// The base format's swizzle followed by the texture's own (GL 4.6 core 8.10 and 15.2.1).
fn view_swizzle(state: &TextureState, base: Base, format: gallite_pipe::Format) -> [Swizzle; 4] {
    let (r, zero, one) = (Swizzle::R, Swizzle::ZERO, Swizzle::ONE);
    let natural = if base.has_depth() && state.params.depth_stencil_mode != GL_STENCIL_INDEX {
        // GL 4.6 compatibility table 8.24.
        match state.params.depth_mode {
            GL_LUMINANCE => [r, r, r, one],
            GL_INTENSITY => [r, r, r, r],
            GL_ALPHA => [zero, zero, zero, r],
            _ => [r, zero, zero, one],
        }
    } else {
        sample_swizzle(base, format)
    };
    state.params.swizzle.map(|source| match source {
        GL_RED => natural[0],
        GL_GREEN => natural[1],
        GL_BLUE => natural[2],
        GL_ALPHA => natural[3],
        GL_ZERO => zero,
        _ => one,
    })
}

/// Views of a texture kept although nothing of its present state uses them.
const SPARE_VIEWS: usize = 8;

fn view(device: &Device, state: &mut TextureState, desc: &SamplerViewDesc, generation: u64) -> SamplerViewId {
    if let Some(view) = state.views.iter_mut().find(|v| v.desc == *desc) {
        view.used = generation;
        return view.id;
    }
    if state.views.len() >= SPARE_VIEWS
        && let Some(oldest) = (0..state.views.len()).min_by_key(|i| state.views[*i].used)
        && state.views[oldest].used < generation
    {
        let old = state.views.swap_remove(oldest);
        device.destroy_view(old.id);
    }
    let id = device.mint();
    device.screen.create_sampler_view(id, desc);
    state.views.push(View { desc: *desc, id, used: generation });
    id
}
