//! Viewport, primitive clipping and rasterization state (GL 4.6 core 13.8 to 14.6).
//!
//! Setters change state only when the value differs, so that setting what is set already costs a draw nothing.

use gallite_pipe::{Features, MAX_VIEWPORTS};

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::conv;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::state::raster::ViewportRect;

/// Stores a value; returns whether it differed.
fn replace<T: PartialEq>(slot: &mut T, value: T) -> bool {
    let differs = *slot != value;
    *slot = value;
    differs
}

/// Checks an index range of viewports.
fn viewport_range(ctx: &Context, command: &str, first: GLuint, count: GLsizei) -> GlResult<std::ops::Range<usize>> {
    let count = u32::try_from(count).ok();
    let end = count.and_then(|c| first.checked_add(c)).filter(|end| *end <= ctx.limits.viewports as u32);
    let end = end.ok_or_else(|| GlError::invalid_value(format!("{command}: viewport range out of bounds")))?;
    Ok(first as usize..end as usize)
}

/// GL 4.6 core 13.8.1: sizes are clamped to the largest viewport, positions to the viewport bounds.
fn clamped_viewport(ctx: &Context, [x, y, width, height]: [f32; 4]) -> ViewportRect {
    let [low, high] = ctx.limits.viewport_bounds;
    let [most_width, most_height] = ctx.limits.viewport_dims.map(|d| d as f32);
    let position = |v: f32| v.max(low).min(high);
    ViewportRect { x: position(x), y: position(y), width: width.min(most_width), height: height.min(most_height) }
}

fn set_viewports(ctx: &mut Context, command: &str, range: std::ops::Range<usize>, values: &[[f32; 4]]) -> GlResult {
    if values.iter().any(|v| v[2] < 0.0 || v[3] < 0.0) {
        return Err(GlError::invalid_value(format!("{command}: width or height is negative")));
    }
    for (index, value) in range.zip(values) {
        let viewport = clamped_viewport(ctx, *value);
        if replace(&mut ctx.state.raster.viewports[index], viewport) {
            ctx.dirty.insert(DirtySet::VIEWPORT);
        }
    }
    Ok(())
}

pub fn Viewport(ctx: &mut Context, x: GLint, y: GLint, width: GLsizei, height: GLsizei) -> GlResult {
    if width < 0 || height < 0 {
        return Err(GlError::invalid_value("glViewport: width or height is negative"));
    }
    // GL 4.6 core 13.8.1: it sets all of them.
    let viewport = clamped_viewport(ctx, [x as f32, y as f32, width as f32, height as f32]);
    let viewports = &mut ctx.state.raster.viewports;
    if viewports.iter().any(|old| *old != viewport) {
        viewports.fill(viewport);
        ctx.dirty.insert(DirtySet::VIEWPORT);
    }
    Ok(())
}

pub fn ViewportArrayv(ctx: &mut Context, first: GLuint, count: GLsizei, v: ClientPtr<GLfloat>) -> GlResult {
    let range = viewport_range(ctx, "glViewportArrayv", first, count)?;
    let values = v.cast::<[f32; 4]>();
    set_viewports(ctx, "glViewportArrayv", range.clone(), &values.read(range.len()))
}

pub fn ViewportIndexedf(ctx: &mut Context, index: GLuint, x: GLfloat, y: GLfloat, w: GLfloat, h: GLfloat) -> GlResult {
    let range = viewport_range(ctx, "glViewportIndexedf", index, 1)?;
    set_viewports(ctx, "glViewportIndexedf", range, &[[x, y, w, h]])
}

pub fn ViewportIndexedfv(ctx: &mut Context, index: GLuint, v: ClientPtr<GLfloat>) -> GlResult {
    let range = viewport_range(ctx, "glViewportIndexedfv", index, 1)?;
    set_viewports(ctx, "glViewportIndexedfv", range, &v.cast::<[f32; 4]>().read(1))
}

fn set_depth_ranges(ctx: &mut Context, range: std::ops::Range<usize>, values: &[[f64; 2]]) {
    for (index, value) in range.zip(values) {
        // GL 4.6 core 13.8.1: both ends are clamped to [0, 1].
        if replace(&mut ctx.state.raster.depth_ranges[index], value.map(|v| v.clamp(0.0, 1.0))) {
            // Programs may read them as gl_DepthRange.
            ctx.dirty.insert(DirtySet::VIEWPORT | DirtySet::STATE_VALUES);
        }
    }
}

pub fn DepthRange(ctx: &mut Context, near: GLdouble, far: GLdouble) {
    set_depth_ranges(ctx, 0..MAX_VIEWPORTS, &[[near, far]; MAX_VIEWPORTS]);
}

pub fn DepthRangef(ctx: &mut Context, near: GLfloat, far: GLfloat) {
    DepthRange(ctx, f64::from(near), f64::from(far));
}

pub fn DepthRangeArrayv(ctx: &mut Context, first: GLuint, count: GLsizei, v: ClientPtr<GLdouble>) -> GlResult {
    let range = viewport_range(ctx, "glDepthRangeArrayv", first, count)?;
    set_depth_ranges(ctx, range.clone(), &v.cast::<[f64; 2]>().read(range.len()));
    Ok(())
}

pub fn DepthRangeIndexed(ctx: &mut Context, index: GLuint, near: GLdouble, far: GLdouble) -> GlResult {
    let range = viewport_range(ctx, "glDepthRangeIndexed", index, 1)?;
    set_depth_ranges(ctx, range, &[[near, far]]);
    Ok(())
}

/// Marks the rasterizer state changed when a setter found a difference.
fn raster_changed(ctx: &mut Context, differs: bool) {
    if differs {
        ctx.dirty.insert(DirtySet::RASTERIZER);
    }
}

pub fn CullFace(ctx: &mut Context, mode: GLenum) -> GlResult {
    if !matches!(mode, GL_FRONT | GL_BACK | GL_FRONT_AND_BACK) {
        return Err(GlError::invalid_enum(format!("glCullFace: mode 0x{mode:04X}")));
    }
    let differs = replace(&mut ctx.state.raster.cull_mode, mode);
    raster_changed(ctx, differs);
    Ok(())
}

pub fn FrontFace(ctx: &mut Context, mode: GLenum) -> GlResult {
    if !matches!(mode, GL_CW | GL_CCW) {
        return Err(GlError::invalid_enum(format!("glFrontFace: mode 0x{mode:04X}")));
    }
    let differs = replace(&mut ctx.state.raster.front_face, mode);
    raster_changed(ctx, differs);
    Ok(())
}

pub fn PolygonMode(ctx: &mut Context, face: GLenum, mode: GLenum) -> GlResult {
    if conv::polygon_mode(mode).is_none() {
        return Err(GlError::invalid_enum(format!("glPolygonMode: mode 0x{mode:04X}")));
    }
    let old = ctx.state.raster.polygon_mode;
    let new = match face {
        GL_FRONT_AND_BACK => [mode; 2],
        // GL 4.6 compatibility 14.6.4: the core profile has lost separate modes.
        GL_FRONT if ctx.is_compatibility() => [mode, old[1]],
        GL_BACK if ctx.is_compatibility() => [old[0], mode],
        _ => return Err(GlError::invalid_enum(format!("glPolygonMode: face 0x{face:04X}"))),
    };
    let differs = replace(&mut ctx.state.raster.polygon_mode, new);
    raster_changed(ctx, differs);
    Ok(())
}

fn set_offset(ctx: &mut Context, factor: f32, units: f32, clamp: f32) {
    let raster = &mut ctx.state.raster;
    let differs = replace(&mut raster.offset_factor, factor)
        | replace(&mut raster.offset_units, units)
        | replace(&mut raster.offset_clamp, clamp);
    raster_changed(ctx, differs);
}

pub fn PolygonOffset(ctx: &mut Context, factor: GLfloat, units: GLfloat) {
    set_offset(ctx, factor, units, 0.0);
}

pub fn PolygonOffsetClamp(ctx: &mut Context, factor: GLfloat, units: GLfloat, clamp: GLfloat) -> GlResult {
    if !ctx.device.caps.features.contains(Features::DEPTH_BIAS_CLAMP) {
        return Err(GlError::invalid_operation("glPolygonOffsetClamp: the device doesn't clamp offsets"));
    }
    set_offset(ctx, factor, units, clamp);
    Ok(())
}

pub fn LineWidth(ctx: &mut Context, width: GLfloat) -> GlResult {
    // GL 4.6 core 14.5; E.2.1: wide lines are gone from forward-compatible contexts.
    let wide_is_error = ctx.config.forward_compatible && !ctx.is_compatibility();
    if width.is_nan() || width <= 0.0 || (wide_is_error && width > 1.0) {
        return Err(GlError::invalid_value(format!("glLineWidth: width {width}")));
    }
    let differs = replace(&mut ctx.state.raster.line_width, width);
    raster_changed(ctx, differs);
    Ok(())
}

pub fn PointSize(ctx: &mut Context, size: GLfloat) -> GlResult {
    if size.is_nan() || size <= 0.0 {
        return Err(GlError::invalid_value(format!("glPointSize: size {size}")));
    }
    let differs = replace(&mut ctx.state.raster.point_size, size);
    point_changed(ctx);
    raster_changed(ctx, differs);
    Ok(())
}

fn point_parameter(ctx: &mut Context, command: &str, pname: GLenum, value: GLfloat) -> GlResult {
    match pname {
        GL_POINT_FADE_THRESHOLD_SIZE => {
            if value < 0.0 {
                return Err(GlError::invalid_value(format!("{command}: fade threshold {value}")));
            }
            ctx.state.raster.point_fade_threshold = value;
        }
        GL_POINT_SPRITE_COORD_ORIGIN => {
            let origin = value as GLenum;
            if !matches!(origin, GL_LOWER_LEFT | GL_UPPER_LEFT) {
                return Err(GlError::invalid_enum(format!("{command}: origin 0x{origin:04X}")));
            }
            let differs = replace(&mut ctx.state.raster.point_coord_origin, origin);
            raster_changed(ctx, differs);
        }
        GL_POINT_SIZE_MIN | GL_POINT_SIZE_MAX if ctx.is_compatibility() => {
            if value < 0.0 {
                return Err(GlError::invalid_value(format!("{command}: size {value}")));
            }
            ctx.state.fixed.point_size_bounds[usize::from(pname == GL_POINT_SIZE_MAX)] = value;
            ctx.dirty.insert(DirtySet::STATE_VALUES | DirtySet::RASTERIZER);
        }
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    }
    point_changed(ctx);
    Ok(())
}

/// Shaders of the compatibility profile read it as gl_Point.
fn point_changed(ctx: &mut Context) {
    if ctx.is_compatibility() {
        ctx.dirty.insert(DirtySet::STATE_VALUES);
    }
}

/// GL_POINT_DISTANCE_ATTENUATION, the one parameter of three values (GL 4.6 compatibility 14.4).
fn point_attenuation(ctx: &mut Context, values: [f32; 3]) {
    ctx.state.fixed.point_attenuation = values;
    ctx.dirty.insert(DirtySet::FIXED_FUNCTION | DirtySet::STATE_VALUES | DirtySet::RASTERIZER);
}

pub fn PointParameterf(ctx: &mut Context, pname: GLenum, param: GLfloat) -> GlResult {
    point_parameter(ctx, "glPointParameterf", pname, param)
}

pub fn PointParameterfv(ctx: &mut Context, pname: GLenum, params: ClientPtr<GLfloat>) -> GlResult {
    if pname == GL_POINT_DISTANCE_ATTENUATION && ctx.is_compatibility() {
        point_attenuation(ctx, std::array::from_fn(|i| params.read_at(i)));
        return Ok(());
    }
    point_parameter(ctx, "glPointParameterfv", pname, params.read_at(0))
}

pub fn PointParameteri(ctx: &mut Context, pname: GLenum, param: GLint) -> GlResult {
    point_parameter(ctx, "glPointParameteri", pname, param as f32)
}

pub fn PointParameteriv(ctx: &mut Context, pname: GLenum, params: ClientPtr<GLint>) -> GlResult {
    if pname == GL_POINT_DISTANCE_ATTENUATION && ctx.is_compatibility() {
        point_attenuation(ctx, std::array::from_fn(|i| params.read_at(i) as f32));
        return Ok(());
    }
    point_parameter(ctx, "glPointParameteriv", pname, params.read_at(0) as f32)
}

pub fn ProvokingVertex(ctx: &mut Context, mode: GLenum) -> GlResult {
    if !matches!(mode, GL_FIRST_VERTEX_CONVENTION | GL_LAST_VERTEX_CONVENTION) {
        return Err(GlError::invalid_enum(format!("glProvokingVertex: mode 0x{mode:04X}")));
    }
    let differs = replace(&mut ctx.state.raster.provoking_vertex, mode);
    raster_changed(ctx, differs);
    Ok(())
}

pub fn ClipControl(ctx: &mut Context, origin: GLenum, depth: GLenum) -> GlResult {
    // GL 4.6 core 13.7.
    if !matches!(origin, GL_LOWER_LEFT | GL_UPPER_LEFT) || !matches!(depth, GL_NEGATIVE_ONE_TO_ONE | GL_ZERO_TO_ONE) {
        return Err(GlError::invalid_enum(format!("glClipControl: origin 0x{origin:04X}, depth 0x{depth:04X}")));
    }
    let raster = &mut ctx.state.raster;
    let differs = (raster.clip_origin, raster.clip_depth_mode) != (origin, depth);
    (raster.clip_origin, raster.clip_depth_mode) = (origin, depth);
    raster_changed(ctx, differs);
    Ok(())
}

pub fn ClampColor(ctx: &mut Context, target: GLenum, clamp: GLenum) -> GlResult {
    // GL 4.6 core 18.2.8: clamping of vertex and fragment colours belongs to the compatibility profile.
    let legacy = matches!(target, GL_CLAMP_VERTEX_COLOR | GL_CLAMP_FRAGMENT_COLOR) && ctx.is_compatibility();
    if target != GL_CLAMP_READ_COLOR && !legacy {
        return Err(GlError::invalid_enum(format!("glClampColor: target 0x{target:04X}")));
    }
    if !matches!(clamp, GL_FIXED_ONLY) && clamp > 1 {
        return Err(GlError::invalid_enum(format!("glClampColor: clamp 0x{clamp:04X}")));
    }
    let slot = match target {
        GL_CLAMP_VERTEX_COLOR => &mut ctx.state.fixed.clamp_vertex_color,
        GL_CLAMP_FRAGMENT_COLOR => &mut ctx.state.fixed.clamp_fragment_color,
        _ => &mut ctx.state.raster.clamp_read_color,
    };
    *slot = clamp;
    if legacy {
        ctx.dirty.insert(DirtySet::FIXED_FUNCTION);
    }
    Ok(())
}
