//! Fixed function by generated shaders (GL 4.6 compatibility chapters 12 and 16): which code the present state asks for,
//! made once for each key and kept.
//!
//! A draw uses the program's own executable unless state asks for more: stages that the program lacks come from
//! [`vertex`] and [`fragment`], the rest ([`LegacyState`]) is a matter of the linker. Shaders are GLSL of the
//! compatibility profile and go the way of every other shader.

pub mod fragment;
pub mod vertex;

use std::sync::Arc;

use gallite_pipe::{BindPoint, PrimitiveMode};
use gallite_shader::{DepthMode, LegacyState, Stage};

use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::executable_cache::Made;
use crate::gl::*;
use crate::objects::executable::{Executable, Recipe};
use crate::objects::texture::TextureKind;
use crate::share::same_object;
use fragment::FragmentKey;
use vertex::VertexKey;

/// What code depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The program's own executable as an address, 0 for none. The entry keeps it alive.
    base: usize,
    legacy: LegacyState,
    vertex: Option<VertexKey>,
    fragment: Option<FragmentKey>,
}

/// What nearly every draw has, and so programs are linked for: vertex colours are clamped, depth is luminance.
pub const USUAL: LegacyState = LegacyState {
    two_sided: false,
    flat: false,
    clamp_vertex_color: true,
    alpha_func: 0,
    clip_planes: 0,
    point_sprites: 0,
    depth_mode: DepthMode::Luminance,
};

/// What programs of a context are linked for.
pub fn usual(ctx: &Context) -> LegacyState {
    if ctx.is_compatibility() { USUAL } else { LegacyState::default() }
}

/// Whether the vertex stage of the next draws is one of fixed function.
pub fn has_vertex_stage(ctx: &Context) -> bool {
    let has_own = |e: &Arc<Executable>| e.reflection().stages.has(Stage::Vertex);
    ctx.is_compatibility() && !ctx.state.programs.own.as_ref().is_some_and(has_own)
}

/// Whether that stage makes the sizes of points.
pub fn sizes_points(ctx: &Context) -> bool {
    has_vertex_stage(ctx) && ctx.state.fixed.point_attenuation != [1.0, 0.0, 0.0]
}

/// Chooses the executable for a draw of a mode; true when it is another one. Runs when state of a key changed, not with
/// each draw.
pub fn select(ctx: &mut Context, mode: PrimitiveMode) -> GlResult<bool> {
    // A program without graphics stages leaves draws to fixed function.
    let own = ctx.state.programs.own.clone().filter(|own| own.point() == BindPoint::GRAPHICS);
    let stages = own.as_ref().map(|e| e.reflection().stages);
    let needs = |stage| stages.is_none_or(|s| !s.has(stage));
    let vertex = needs(Stage::Vertex).then(|| VertexKey::of(ctx, needs(Stage::Fragment)));
    let fragment = needs(Stage::Fragment).then(|| FragmentKey::of(ctx));
    let legacy = legacy_state(ctx, own.as_deref(), vertex.is_some(), fragment.is_some(), mode);
    let chosen = match own {
        Some(own) if vertex.is_none() && fragment.is_none() && legacy == USUAL => Ok(own),
        own => {
            let address = own.as_ref().map_or(0, |e| Arc::as_ptr(e) as usize);
            let key = Key { base: address, legacy, vertex, fragment };
            let known = ctx.state.programs.variants.get(&ctx.device, &key);
            known.unwrap_or_else(|| {
                let made = make(ctx, &key, own.as_ref());
                ctx.state.programs.variants.insert(key, own.into_iter().collect(), made.clone());
                made
            })
        }
    };
    let chosen = chosen.map_err(|log| {
        GlError::invalid_operation(format!("the program can't be completed by fixed function: {log}"))
    })?;
    if chosen.follow_bindings() {
        let bound = DirtySet::UNIFORM_BUFFERS | DirtySet::STORAGE_BUFFERS;
        ctx.dirty.insert(DirtySet::TEXTURES | DirtySet::IMAGES | bound);
    }
    let programs = &mut ctx.state.programs;
    let changed = !same_object(programs.executable.as_ref(), Some(&chosen));
    if changed {
        programs.executable = Some(chosen);
        ctx.dirty.insert(DirtySet::PROGRAM | DirtySet::UNIFORMS | DirtySet::RASTERIZER);
    }
    Ok(changed)
}

/// The state that the linker makes into code, without what this program doesn't feel.
fn legacy_state(
    ctx: &Context,
    own: Option<&Executable>,
    fixed_vertex: bool,
    fixed_fragment: bool,
    mode: PrimitiveMode,
) -> LegacyState {
    let fixed = &ctx.state.fixed;
    let uses = own.map(|e| e.reflection().legacy).unwrap_or_default();
    let reads_colors = fixed_fragment || uses.reads_colors;
    let two_sided =
        if fixed_vertex { fixed.lighting && fixed.two_side } else { fixed.program_two_side && uses.writes_back_colors };
    let integer = ctx.draw_color_image(0).is_some_and(|image| image.format.is_pure_integer());
    let mut point_sprites = 0;
    if mode == PrimitiveMode::POINTS && fixed.point_sprite && (fixed_fragment || uses.reads_tex_coords) {
        for (index, unit) in fixed.units.iter().enumerate().filter(|(_, u)| u.env.coord_replace) {
            // GL 4.6 compatibility 14.4: units of fixed function only where textures are enabled.
            if !fixed_fragment || unit.enabled != 0 {
                point_sprites |= 1 << index;
            }
        }
    }
    LegacyState {
        two_sided: two_sided && reads_colors && !matches!(mode.0, 0..=3 | 10 | 11),
        flat: fixed.shade_model == GL_FLAT && reads_colors,
        clamp_vertex_color: fixed.clamp_vertex_color != 0 && clamps(ctx, fixed.clamp_vertex_color),
        alpha_func: if fixed.alpha_test && fixed.alpha_func != GL_ALWAYS && !integer {
            (fixed.alpha_func - GL_NEVER + 1) as u8
        } else {
            0
        },
        // A shader that writes clip distances is clipped by them alone (GL 4.6 compatibility 13.7).
        clip_planes: if !fixed_vertex && uses.writes_clip_distance { 0 } else { ctx.state.raster.clip_distances },
        point_sprites,
        depth_mode: match own {
            // Environments look at the components that the mode has.
            _ if fixed_fragment => DepthMode::Intensity,
            Some(own) if uses.compares_to_vectors => depth_mode(ctx, own),
            _ => USUAL.depth_mode,
        },
    }
}

/// GL_DEPTH_TEXTURE_MODE of the first texture that a program compares with. Programs that compare with textures of
/// different modes are not told apart.
fn depth_mode(ctx: &Context, own: &Executable) -> DepthMode {
    let first = own.samplers.iter().position(|s| s.shadow);
    let Some((index, expected)) = first.map(|i| (i, &own.samplers[i])) else { return USUAL.depth_mode };
    let unit = ctx.state.textures.units.get(own.unit(index as u32) as usize);
    let kind = TextureKind::from_dim(expected.dim, expected.multisample);
    let texture = unit.zip(kind).and_then(|(unit, kind)| unit.textures[kind as usize].as_ref());
    match texture.map(|t| t.state.lock().params.depth_mode) {
        Some(GL_INTENSITY) => DepthMode::Intensity,
        Some(GL_ALPHA) => DepthMode::Alpha,
        Some(GL_RED) => DepthMode::Red,
        _ => DepthMode::Luminance,
    }
}

/// Whether a clamp setting other than FALSE clamps: FIXED_ONLY does where all colour buffers are fixed-point.
fn clamps(ctx: &Context, setting: GLenum) -> bool {
    setting != GL_FIXED_ONLY
        || ctx.draw_color_image(0).is_none_or(|image| {
            use gallite_pipe::ChannelKind;
            !matches!(image.format.kind(), ChannelKind::Float | ChannelKind::Ufloat)
        })
}

/// Compiles and links the code of a key. The log when the program's stages don't go together with it.
#[cold]
fn make(ctx: &Context, key: &Key, own: Option<&Arc<Executable>>) -> Made {
    let options = ctx.compile_options().clone();
    let mut recipe = match own.map(|e| e.recipe.as_deref()) {
        Some(Some(recipe)) => Recipe { separable: false, completed: true, ..recipe.clone() },
        Some(None) => return Err("it was linked for the core profile".into()),
        None => Recipe::new(Arc::clone(&options.limits)),
    };
    let device = Arc::clone(&ctx.device);
    let mut generate = |stage, source: Option<String>| {
        if let Some(source) = source {
            tracing::trace!("fixed function:\n{source}");
            recipe.shaders.push(device.shaders.compile(stage, &source, &options));
        }
    };
    generate(Stage::Vertex, key.vertex.as_ref().map(VertexKey::source));
    generate(Stage::Fragment, key.fragment.as_ref().map(FragmentKey::source));
    let result = recipe.link(&device, key.legacy);
    if !result.ok {
        let logs: String = recipe.shaders.iter().map(|s| s.log.as_str()).collect();
        tracing::error!("fixed function doesn't link: {}{logs}", result.log);
    }
    let program = result.program.filter(|_| result.ok).ok_or(result.log)?;
    let executable = Executable::variant(&device, program, own);
    for unit in 0..crate::state::fixed::UNITS as u32 {
        let uniforms = &executable.reflection().uniforms;
        let name = fragment::sampler_name(unit as usize);
        if let Some(sampler) = uniforms.iter().find(|u| u.name == name).and_then(|u| u.sampler.as_ref()) {
            executable.set_unit(sampler.dense, unit);
        }
    }
    executable.units_changed();
    Ok(executable)
}
