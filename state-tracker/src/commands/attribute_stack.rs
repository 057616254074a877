//! The attribute stacks (GL 4.6 compatibility 21.4): copies of groups of state.

use std::sync::Arc;

use gallite_pipe::MAX_VERTEX_ATTRIBUTES;

use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::buffer::Buffer;
use crate::objects::sampler::SamplerParams;
use crate::objects::texture::{Texture, TextureKind, TextureParams};
use crate::objects::vertex_array::{Attribute, VertexBinding};
use crate::state::fixed::{FixedState, UNITS};
use crate::state::fragment::FragmentState;
use crate::state::hints::HintState;
use crate::state::pixel_store::PixelStoreState;
use crate::state::raster::RasterState;
use crate::state::vertex::CurrentValue;

/// Entries of either stack.
pub const DEPTH: usize = 16;

/// A texture bound to a unit, with its parameters.
struct BoundTexture {
    kind: TextureKind,
    bound: Option<Arc<Texture>>,
    sampler: SamplerParams,
    params: TextureParams,
}

/// What glPushAttrib keeps. All of it is copied; the mask says what comes back.
struct Saved {
    mask: GLbitfield,
    fixed: Box<FixedState>,
    raster: Box<RasterState>,
    fragment: Box<FragmentState>,
    hints: HintState,
    current: [CurrentValue; MAX_VERTEX_ATTRIBUTES],
    clear_color: [f32; 4],
    clear_depth: f64,
    clear_stencil: GLint,
    /// Of the framebuffer with this name.
    draw_buffers: (GLuint, Box<[GLenum]>),
    read_buffer: (GLuint, GLenum),
    active: usize,
    seamless: bool,
    lod_bias: [f32; UNITS],
    textures: Vec<Vec<BoundTexture>>,
}

/// What glPushClientAttrib keeps.
struct SavedClient {
    mask: GLbitfield,
    pixel_store: PixelStoreState,
    bound: GLuint,
    attributes: Box<[Attribute]>,
    bindings: Box<[VertexBinding]>,
    enabled: u32,
    client_bindings: u32,
    element_buffer: Option<Arc<Buffer>>,
    array_buffer: Option<Arc<Buffer>>,
    client_unit: usize,
    restart: (bool, GLuint),
}

/// Both stacks of a context.
#[derive(Default)]
pub struct AttributeStacks {
    server: Vec<Saved>,
    client: Vec<SavedClient>,
}

impl AttributeStacks {
    /// GL_ATTRIB_STACK_DEPTH and GL_CLIENT_ATTRIB_STACK_DEPTH.
    pub fn depths(&self) -> [usize; 2] {
        [self.server.len(), self.client.len()]
    }
}

/// The targets a unit's texture state is kept of.
const KINDS: [TextureKind; 7] = [
    TextureKind::D1,
    TextureKind::D2,
    TextureKind::D3,
    TextureKind::Cube,
    TextureKind::Rect,
    TextureKind::D1Array,
    TextureKind::D2Array,
];

fn save_textures(ctx: &Context) -> Vec<Vec<BoundTexture>> {
    let units = &ctx.state.textures.units[..ctx.state.textures.high_water.max(1)];
    let save = |kind: TextureKind, bound: &Option<Arc<Texture>>| {
        let texture = bound.as_ref().unwrap_or_else(|| ctx.share.default_textures.get(kind));
        let state = texture.state.lock();
        BoundTexture { kind, bound: bound.clone(), sampler: state.sampler, params: state.params }
    };
    units.iter().map(|unit| KINDS.iter().map(|k| save(*k, &unit.textures[*k as usize])).collect()).collect()
}

pub fn PushAttrib(ctx: &mut Context, mask: GLbitfield) -> GlResult {
    if ctx.attribute_stacks.server.len() >= DEPTH {
        return Err(GlError::new(GL_STACK_OVERFLOW, "glPushAttrib: the stack is full"));
    }
    ctx.follow_current_color();
    let textures = if mask & GL_TEXTURE_BIT != 0 { save_textures(ctx) } else { Vec::new() };
    let state = &ctx.state;
    let saved = Saved {
        mask,
        fixed: state.fixed.clone(),
        raster: Box::new(state.raster.clone()),
        fragment: Box::new(state.fragment.clone()),
        hints: state.hints.clone(),
        current: state.vertex.current,
        clear_color: state.framebuffers.clear_color,
        clear_depth: state.framebuffers.clear_depth,
        clear_stencil: state.framebuffers.clear_stencil,
        draw_buffers: (ctx.state.framebuffers.draw, ctx.draw_framebuffer().draw_buffers.to_vec().into()),
        read_buffer: (ctx.state.framebuffers.read, ctx.read_framebuffer().read_buffer),
        active: state.textures.active,
        seamless: state.textures.cube_seamless,
        lod_bias: std::array::from_fn(|i| state.textures.units[i].lod_bias),
        textures,
    };
    ctx.attribute_stacks.server.push(saved);
    Ok(())
}

pub fn PopAttrib(ctx: &mut Context) -> GlResult {
    let Some(saved) = ctx.attribute_stacks.server.pop() else {
        return Err(GlError::new(GL_STACK_UNDERFLOW, "glPopAttrib: the stack is empty"));
    };
    ctx.follow_current_color();
    restore_fixed(ctx, &saved);
    restore_raster(ctx, &saved);
    restore_fragment(ctx, &saved);
    if saved.mask & GL_CURRENT_BIT != 0 {
        ctx.state.vertex.current = saved.current;
        ctx.state.vertex.upload.valid = false;
    }
    if saved.mask & GL_HINT_BIT != 0 {
        ctx.state.hints = saved.hints.clone();
        ctx.state.fixed.hints = saved.fixed.hints;
    }
    if saved.mask & GL_TEXTURE_BIT != 0 {
        restore_textures(ctx, saved);
    }
    ctx.dirty.insert(DirtySet::ALL);
    Ok(())
}

fn restore_fixed(ctx: &mut Context, saved: &Saved) {
    let (mask, from) = (saved.mask, &saved.fixed);
    let has = |bit: GLbitfield| mask & bit != 0;
    let to = &mut ctx.state.fixed;
    if has(GL_LIGHTING_BIT) {
        to.lights = from.lights;
        (to.model_ambient, to.local_viewer) = (from.model_ambient, from.local_viewer);
        (to.two_side, to.color_control) = (from.two_side, from.color_control);
        (to.materials, to.color_material_of) = (from.materials, from.color_material_of);
        (to.shade_model, to.color_material) = (from.shade_model, from.color_material);
    }
    if has(GL_LIGHTING_BIT | GL_ENABLE_BIT) {
        to.lighting = from.lighting;
        to.color_material = from.color_material;
        for (to, from) in to.lights.iter_mut().zip(&from.lights) {
            to.enabled = from.enabled;
        }
    }
    if has(GL_FOG_BIT) {
        to.fog = from.fog;
    }
    if has(GL_FOG_BIT | GL_ENABLE_BIT) {
        (to.fog.enabled, to.color_sum) = (from.fog.enabled, from.color_sum);
    }
    if has(GL_TRANSFORM_BIT) {
        (to.clip_planes, to.matrix_mode) = (from.clip_planes, from.matrix_mode);
    }
    if has(GL_TRANSFORM_BIT | GL_ENABLE_BIT) {
        (to.normalize, to.rescale_normal) = (from.normalize, from.rescale_normal);
    }
    if has(GL_COLOR_BUFFER_BIT) {
        (to.alpha_func, to.alpha_reference) = (from.alpha_func, from.alpha_reference);
        to.clamp_fragment_color = from.clamp_fragment_color;
        (to.index_mask, to.clear_index) = (from.index_mask, from.clear_index);
    }
    if has(GL_COLOR_BUFFER_BIT | GL_ENABLE_BIT) {
        (to.alpha_test, to.index_logic_op) = (from.alpha_test, from.index_logic_op);
    }
    if has(GL_LIGHTING_BIT) {
        to.clamp_vertex_color = from.clamp_vertex_color;
    }
    if has(GL_POINT_BIT) {
        (to.point_size_bounds, to.point_attenuation) = (from.point_size_bounds, from.point_attenuation);
    }
    if has(GL_POINT_BIT | GL_ENABLE_BIT) {
        (to.point_sprite, to.point_smooth) = (from.point_sprite, from.point_smooth);
    }
    if has(GL_ENABLE_BIT) {
        to.program_two_side = from.program_two_side;
    }
    if has(GL_ACCUM_BUFFER_BIT) {
        to.clear_accum = from.clear_accum;
    }
    for (to, from) in to.units.iter_mut().zip(&from.units) {
        if has(GL_TEXTURE_BIT) {
            *to = *from;
        } else if has(GL_ENABLE_BIT) {
            to.enabled = from.enabled;
            for (to, from) in to.generation.iter_mut().zip(&from.generation) {
                to.enabled = from.enabled;
            }
        }
        if has(GL_POINT_BIT) {
            to.env.coord_replace = from.env.coord_replace;
        }
    }
}

fn restore_raster(ctx: &mut Context, saved: &Saved) {
    let (mask, from) = (saved.mask, &saved.raster);
    let has = |bit: GLbitfield| mask & bit != 0;
    let to = &mut ctx.state.raster;
    if has(GL_VIEWPORT_BIT) {
        (to.viewports, to.depth_ranges) = (from.viewports, from.depth_ranges);
    }
    if has(GL_POLYGON_BIT) {
        (to.cull_mode, to.front_face, to.polygon_mode) = (from.cull_mode, from.front_face, from.polygon_mode);
        (to.offset_factor, to.offset_units) = (from.offset_factor, from.offset_units);
        to.offset_clamp = from.offset_clamp;
    }
    if has(GL_POLYGON_BIT | GL_ENABLE_BIT) {
        (to.cull, to.polygon_smooth, to.offset_enables) = (from.cull, from.polygon_smooth, from.offset_enables);
    }
    if has(GL_LINE_BIT) {
        to.line_width = from.line_width;
    }
    if has(GL_LINE_BIT | GL_ENABLE_BIT) {
        to.line_smooth = from.line_smooth;
    }
    if has(GL_POINT_BIT) {
        (to.point_size, to.point_fade_threshold) = (from.point_size, from.point_fade_threshold);
        to.point_coord_origin = from.point_coord_origin;
    }
    if has(GL_TRANSFORM_BIT | GL_ENABLE_BIT) {
        (to.clip_distances, to.depth_clamp) = (from.clip_distances, from.depth_clamp);
    }
    if has(GL_MULTISAMPLE_BIT | GL_ENABLE_BIT) {
        to.multisample = from.multisample;
    }
    if has(GL_ENABLE_BIT) {
        to.program_point_size = from.program_point_size;
    }
    if has(GL_COLOR_BUFFER_BIT) {
        to.clamp_read_color = from.clamp_read_color;
    }
    if has(GL_LIGHTING_BIT) {
        to.provoking_vertex = from.provoking_vertex;
    }
}

fn restore_fragment(ctx: &mut Context, saved: &Saved) {
    let (mask, from) = (saved.mask, &saved.fragment);
    let has = |bit: GLbitfield| mask & bit != 0;
    let to = &mut ctx.state.fragment;
    if has(GL_SCISSOR_BIT) {
        to.scissors = from.scissors;
    }
    if has(GL_SCISSOR_BIT | GL_ENABLE_BIT) {
        to.scissor_test = from.scissor_test;
    }
    if has(GL_DEPTH_BUFFER_BIT) {
        (to.depth_func, to.depth_mask) = (from.depth_func, from.depth_mask);
        ctx.state.framebuffers.clear_depth = saved.clear_depth;
    }
    if has(GL_DEPTH_BUFFER_BIT | GL_ENABLE_BIT) {
        to.depth_test = from.depth_test;
    }
    if has(GL_STENCIL_BUFFER_BIT) {
        to.stencil = from.stencil;
        ctx.state.framebuffers.clear_stencil = saved.clear_stencil;
    }
    if has(GL_STENCIL_BUFFER_BIT | GL_ENABLE_BIT) {
        to.stencil_test = from.stencil_test;
    }
    if has(GL_COLOR_BUFFER_BIT) {
        (to.blend, to.blend_color, to.logic_op) = (from.blend, from.blend_color, from.logic_op);
        ctx.state.framebuffers.clear_color = saved.clear_color;
    } else if has(GL_ENABLE_BIT) {
        for (to, from) in to.blend.iter_mut().zip(&from.blend) {
            to.enabled = from.enabled;
        }
    }
    if has(GL_COLOR_BUFFER_BIT | GL_ENABLE_BIT) {
        (to.logic_op_enabled, to.dither) = (from.logic_op_enabled, from.dither);
        to.framebuffer_srgb = from.framebuffer_srgb;
    }
    if has(GL_MULTISAMPLE_BIT) {
        (to.sample_coverage_value, to.sample_coverage_invert) =
            (from.sample_coverage_value, from.sample_coverage_invert);
        to.min_sample_shading = from.min_sample_shading;
    }
    if has(GL_MULTISAMPLE_BIT | GL_ENABLE_BIT) {
        (to.alpha_to_coverage, to.alpha_to_one) = (from.alpha_to_coverage, from.alpha_to_one);
        (to.sample_coverage, to.sample_mask) = (from.sample_coverage, from.sample_mask);
        to.sample_shading = from.sample_shading;
    }
    // They are state of the framebuffer; another one bound now has buffers of other names.
    let (framebuffer, buffers) = &saved.draw_buffers;
    if has(GL_COLOR_BUFFER_BIT) && ctx.state.framebuffers.draw == *framebuffer {
        for (to, from) in ctx.draw_framebuffer_mut().draw_buffers.iter_mut().zip(buffers) {
            *to = *from;
        }
    }
    let (framebuffer, buffer) = saved.read_buffer;
    if has(GL_PIXEL_MODE_BIT) && ctx.state.framebuffers.read == framebuffer {
        ctx.read_framebuffer_mut().read_buffer = buffer;
    }
}

fn restore_textures(ctx: &mut Context, saved: Saved) {
    let units = &mut ctx.state.textures;
    (units.active, units.cube_seamless) = (saved.active, saved.seamless);
    for (unit, bias) in units.units.iter_mut().zip(saved.lod_bias) {
        unit.lod_bias = bias;
    }
    let count = saved.textures.len();
    for (index, kinds) in saved.textures.into_iter().enumerate() {
        for one in kinds {
            let deleted = one.bound.as_ref().is_some_and(|t| t.header.is_deleted());
            let texture = one.bound.clone().unwrap_or_else(|| Arc::clone(ctx.share.default_textures.get(one.kind)));
            let mut state = texture.state.lock();
            if state.sampler != one.sampler || state.params != one.params {
                (state.sampler, state.params) = (one.sampler, one.params);
                drop(state);
                ctx.texture_changed(&texture);
            } else {
                drop(state);
            }
            let slot = &mut ctx.state.textures.units[index].textures[one.kind as usize];
            *slot = if deleted { None } else { one.bound };
        }
    }
    // Units first used since then go back to texture 0.
    for unit in ctx.state.textures.units.iter_mut().skip(count) {
        unit.textures = Default::default();
    }
}

pub fn PushClientAttrib(ctx: &mut Context, mask: GLbitfield) -> GlResult {
    if ctx.attribute_stacks.client.len() >= DEPTH {
        return Err(GlError::new(GL_STACK_OVERFLOW, "glPushClientAttrib: the stack is full"));
    }
    let array = ctx.vertex_array();
    let saved = SavedClient {
        mask,
        pixel_store: ctx.state.pixel_store.clone(),
        bound: ctx.state.vertex.bound,
        attributes: array.attributes.to_vec().into(),
        bindings: array.bindings.to_vec().into(),
        enabled: array.enabled,
        client_bindings: array.client_bindings,
        element_buffer: array.element_buffer.clone(),
        array_buffer: ctx.state.buffers.array.clone(),
        client_unit: ctx.state.fixed.client_unit,
        restart: (ctx.state.vertex.primitive_restart, ctx.state.vertex.restart_index),
    };
    ctx.attribute_stacks.client.push(saved);
    Ok(())
}

pub fn PopClientAttrib(ctx: &mut Context) -> GlResult {
    let Some(saved) = ctx.attribute_stacks.client.pop() else {
        return Err(GlError::new(GL_STACK_UNDERFLOW, "glPopClientAttrib: the stack is empty"));
    };
    if saved.mask & GL_CLIENT_PIXEL_STORE_BIT != 0 {
        ctx.state.pixel_store = saved.pixel_store;
    }
    if saved.mask & GL_CLIENT_VERTEX_ARRAY_BIT != 0 {
        if saved.bound == 0 || ctx.vertex_arrays.get(saved.bound).is_some() {
            ctx.state.vertex.bound = saved.bound;
            let array = ctx.vertex_array_mut();
            array.attributes.copy_from_slice(&saved.attributes);
            array.bindings.clone_from_slice(&saved.bindings);
            (array.enabled, array.client_bindings) = (saved.enabled, saved.client_bindings);
            array.element_buffer = saved.element_buffer;
            array.derived = None;
        }
        ctx.state.buffers.array = saved.array_buffer;
        ctx.state.fixed.client_unit = saved.client_unit;
        (ctx.state.vertex.primitive_restart, ctx.state.vertex.restart_index) = saved.restart;
        ctx.dirty.insert(DirtySet::VERTEX_ARRAY | DirtySet::VERTEX_BUFFERS | DirtySet::INDEX_BUFFER);
    }
    Ok(())
}
