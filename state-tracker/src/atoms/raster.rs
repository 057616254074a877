//! Rasterizer state.

use bytemuck::Zeroable;
use gallite_pipe::{CullFace, F32, Features, PolygonMode, RasterFlags, RasterizerState};

use crate::context::Context;
use crate::conv;
use crate::gl::*;

fn flags(ctx: &Context) -> RasterFlags {
    let raster = &ctx.state.raster;
    let fragment = &ctx.state.fragment;
    let multisampled = raster.multisample && ctx.state.framebuffers.facts.samples > 1;
    RasterFlags::EMPTY
        .with(RasterFlags::FRONT_CCW, raster.front_face == GL_CCW)
        .with(RasterFlags::SCISSOR, fragment.scissor_test != 0)
        .with(RasterFlags::DISCARD, raster.discard)
        .with(RasterFlags::DEPTH_CLAMP, raster.depth_clamp)
        .with(RasterFlags::OFFSET_POINT, raster.offset_enables[0])
        .with(RasterFlags::OFFSET_LINE, raster.offset_enables[1])
        .with(RasterFlags::OFFSET_FILL, raster.offset_enables[2])
        .with(RasterFlags::MULTISAMPLE, multisampled)
        .with(RasterFlags::LINE_SMOOTH, raster.line_smooth && !multisampled)
        .with(RasterFlags::POLYGON_SMOOTH, raster.polygon_smooth && !multisampled)
        .with(RasterFlags::PROVOKING_FIRST, raster.provoking_vertex == GL_FIRST_VERTEX_CONVENTION)
        .with(RasterFlags::POINT_SIZE_FROM_SHADER, sized_by_shader(ctx))
        .with(RasterFlags::POINT_COORD_LOWER_LEFT, raster.point_coord_origin == GL_LOWER_LEFT)
        .with(RasterFlags::CLIP_UPPER_LEFT, raster.clip_origin == GL_UPPER_LEFT)
        .with(RasterFlags::CLIP_ZERO_TO_ONE, raster.clip_depth_mode == GL_ZERO_TO_ONE)
}

/// Whether points have the size that the last vertex stage writes.
fn sized_by_shader(ctx: &Context) -> bool {
    ctx.state.raster.program_point_size && !crate::fixed_function::has_vertex_stage(ctx)
        || crate::fixed_function::sizes_points(ctx)
}

/// Tells of what is drawn otherwise than the program asked.
fn tell(ctx: &mut Context, state: &RasterizerState) {
    let lacks = |feature| !ctx.device.caps.features.contains(feature);
    let flags = state.flags;
    let is_solid = [state.front_mode, state.back_mode].iter().all(|mode| *mode == PolygonMode::FILL);
    let texts = [
        (
            flags.contains(RasterFlags::DEPTH_CLAMP) && lacks(Features::DEPTH_CLAMP),
            "the device has no depth clamping: primitives are clipped at the near and far planes",
        ),
        (!is_solid && lacks(Features::FILL_MODE_NON_SOLID), "the device has no polygon modes: polygons are filled"),
        (
            !flags.contains(RasterFlags::PROVOKING_FIRST) && lacks(Features::PROVOKING_VERTEX),
            "the device has GL_FIRST_VERTEX_CONVENTION alone: flat inputs are those of the first vertex",
        ),
        (
            flags.contains(RasterFlags::LINE_SMOOTH) && lacks(Features::SMOOTH_LINES),
            "the device has no smooth lines: lines are drawn as without GL_LINE_SMOOTH",
        ),
        // GL 4.6 core 14.6.6 takes coverage that no feature of a device computes.
        (
            flags.contains(RasterFlags::POLYGON_SMOOTH),
            "polygons are drawn as without GL_POLYGON_SMOOTH; multisampling smooths them",
        ),
    ];
    for (is_told, text) in texts {
        if is_told {
            ctx.tell_once(text);
        }
    }
}

/// Rasterizer state.
pub fn push(ctx: &mut Context) {
    let raster = &ctx.state.raster;
    let limits = &ctx.limits;
    let mut state = RasterizerState::zeroed();
    state.flags = flags(ctx);
    let [front, back] = raster.polygon_mode.map(|m| conv::polygon_mode(m).unwrap_or(PolygonMode::FILL));
    state.front_mode = front;
    state.back_mode = back;
    if raster.cull {
        state.cull = match raster.cull_mode {
            GL_FRONT => CullFace::FRONT,
            GL_BACK => CullFace::BACK,
            _ => CullFace::FRONT | CullFace::BACK,
        };
    }
    state.clip_enable = raster.clip_distances;
    // GL 4.6 core 14.5.2.1: the width is rounded and clamped where lines aren't antialiased.
    let wide = ctx.device.caps.features.contains(Features::WIDE_LINES);
    let [narrowest, widest] = limits.line_width_range;
    let width = if raster.line_smooth { raster.line_width } else { raster.line_width.round().max(1.0) };
    state.line_width = F32::new(if wide { width.max(narrowest).min(widest) } else { 1.0 });
    let [smallest, largest] = limits.point_size_range;
    if sized_by_shader(ctx) {
        state.point_size_min = F32::new(smallest);
        state.point_size_max = F32::new(largest);
    } else {
        let [least, most] = ctx.state.fixed.point_size_bounds;
        let bounded = if ctx.is_compatibility() { raster.point_size.max(least).min(most) } else { raster.point_size };
        state.point_size = F32::new(bounded.max(smallest).min(largest));
    }
    if raster.offset_enables.contains(&true) {
        state.offset_units = F32::new(raster.offset_units);
        state.offset_factor = F32::new(raster.offset_factor);
        state.offset_clamp = F32::new(raster.offset_clamp);
    }
    tell(ctx, &state);
    let bound = ctx.cso.bound_rasterizer;
    let id = ctx.cso.rasterizers.get(&ctx.device, &state, |id| id == bound);
    if id != bound {
        ctx.cso.bound_rasterizer = id;
        ctx.pipe.bind_rasterizer(id);
    }
}
