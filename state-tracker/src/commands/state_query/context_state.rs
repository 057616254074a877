//! State of the context itself and of its bindings (GL 4.6 core tables 23.2 to 23.52).

use std::sync::Arc;

use smallvec::smallvec;

use super::value::{Value, Values};
use crate::commands::enables;
use crate::context::Context;
use crate::gl::*;
use crate::objects::buffer::Buffer;

fn int(value: impl Into<i64>) -> Values {
    smallvec![Value::Int(value.into())]
}

fn float(value: f32) -> Values {
    smallvec![Value::Float(f64::from(value))]
}

pub(super) fn floats(values: &[f32]) -> Values {
    values.iter().map(|v| Value::Float(f64::from(*v))).collect()
}

/// The name of a bound buffer, 0 when there is none.
fn buffer(buffer: Option<&Arc<Buffer>>) -> Values {
    int(buffer.map_or(0, |b| b.header.name))
}

/// Version, profile and what else the context is.
fn identity(ctx: &Context, pname: GLenum) -> Option<Values> {
    let config = &ctx.config;
    Some(match pname {
        GL_MAJOR_VERSION => int(ctx.version.0),
        GL_MINOR_VERSION => int(ctx.version.1),
        GL_NUM_EXTENSIONS => int(ctx.extensions.names().len() as u32),
        GL_NUM_SPIR_V_EXTENSIONS if ctx.extensions.has("GL_ARB_spirv_extensions") => {
            int(ctx.strings.spirv_extensions.len() as u32)
        }
        GL_NUM_SHADING_LANGUAGE_VERSIONS => int(ctx.strings.shading_languages.len() as u32),
        GL_CONTEXT_FLAGS => {
            let flag = |on, bit| if on { bit } else { 0 };
            int(flag(config.forward_compatible, GL_CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT)
                | flag(config.debug, GL_CONTEXT_FLAG_DEBUG_BIT)
                | flag(config.robust_access, GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT)
                | flag(config.no_error, GL_CONTEXT_FLAG_NO_ERROR_BIT))
        }
        GL_CONTEXT_PROFILE_MASK => {
            int(if ctx.is_compatibility() { GL_CONTEXT_COMPATIBILITY_PROFILE_BIT } else { GL_CONTEXT_CORE_PROFILE_BIT })
        }
        GL_RESET_NOTIFICATION_STRATEGY => {
            int(if config.reset_notification { GL_LOSE_CONTEXT_ON_RESET } else { GL_NO_RESET_NOTIFICATION })
        }
        GL_CONTEXT_ROBUST_ACCESS => smallvec![Value::Bool(config.robust_access)],
        GL_CONTEXT_RELEASE_BEHAVIOR => {
            int(if config.flush_on_release { GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH } else { GL_NONE })
        }
        GL_DEBUG_LOGGED_MESSAGES => int(ctx.debug.logged() as u32),
        GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH => int(ctx.debug.oldest().map_or(0, |m| m.text.len() as i64 + 1)),
        GL_DEBUG_GROUP_STACK_DEPTH => int(ctx.debug.depth() as u32),
        GL_TIMESTAMP => int(ctx.device.screen.timestamp() as i64),
        GL_LINE_SMOOTH_HINT => int(ctx.state.hints.line_smooth),
        GL_POLYGON_SMOOTH_HINT => int(ctx.state.hints.polygon_smooth),
        GL_TEXTURE_COMPRESSION_HINT => int(ctx.state.hints.texture_compression),
        GL_FRAGMENT_SHADER_DERIVATIVE_HINT => int(ctx.state.hints.fragment_shader_derivative),
        _ => return None,
    })
}

/// Names bound to binding points, but for textures and framebuffers.
fn bindings(ctx: &Context, pname: GLenum) -> Option<Values> {
    let buffers = &ctx.state.buffers;
    Some(match pname {
        GL_ARRAY_BUFFER_BINDING => buffer(buffers.array.as_ref()),
        GL_COPY_READ_BUFFER_BINDING => buffer(buffers.copy_read.as_ref()),
        GL_COPY_WRITE_BUFFER_BINDING => buffer(buffers.copy_write.as_ref()),
        GL_PIXEL_PACK_BUFFER_BINDING => buffer(buffers.pixel_pack.as_ref()),
        GL_PIXEL_UNPACK_BUFFER_BINDING => buffer(buffers.pixel_unpack.as_ref()),
        GL_TEXTURE_BUFFER_BINDING => buffer(buffers.texture.as_ref()),
        GL_UNIFORM_BUFFER_BINDING => buffer(buffers.uniform.as_ref()),
        GL_TRANSFORM_FEEDBACK_BUFFER_BINDING => buffer(buffers.transform_feedback.as_ref()),
        GL_SHADER_STORAGE_BUFFER_BINDING => buffer(buffers.shader_storage.as_ref()),
        GL_ATOMIC_COUNTER_BUFFER_BINDING => buffer(buffers.atomic_counter.as_ref()),
        GL_DISPATCH_INDIRECT_BUFFER_BINDING => buffer(buffers.dispatch_indirect.as_ref()),
        GL_DRAW_INDIRECT_BUFFER_BINDING => buffer(buffers.draw_indirect.as_ref()),
        GL_QUERY_BUFFER_BINDING => buffer(buffers.query.as_ref()),
        GL_PARAMETER_BUFFER_BINDING => buffer(buffers.parameter.as_ref()),
        GL_ELEMENT_ARRAY_BUFFER_BINDING => buffer(ctx.vertex_array().element_buffer.as_ref()),
        GL_VERTEX_ARRAY_BINDING => int(ctx.state.vertex.bound),
        GL_MAX_SHADER_COMPILER_THREADS_KHR => {
            smallvec![Value::Bits(ctx.state.programs.compiler_threads.unwrap_or(u32::MAX))]
        }
        GL_PROGRAM_PIPELINE_BINDING => int(ctx.state.programs.pipeline),
        GL_CURRENT_PROGRAM => int(ctx.current_program().map_or(0, |p| p.header.name)),
        GL_TRANSFORM_FEEDBACK_BINDING => int(ctx.state.transform_feedback.bound),
        GL_TRANSFORM_FEEDBACK_ACTIVE => smallvec![Value::Bool(ctx.transform_feedback().active)],
        GL_TRANSFORM_FEEDBACK_PAUSED => smallvec![Value::Bool(ctx.transform_feedback().paused)],
        GL_PATCH_VERTICES => int(ctx.state.patches.vertices),
        GL_PATCH_DEFAULT_OUTER_LEVEL => floats(&ctx.state.patches.outer),
        GL_PRIMITIVE_BOUNDING_BOX_ARB => floats(&ctx.state.patches.bounds),
        GL_PATCH_DEFAULT_INNER_LEVEL => floats(&ctx.state.patches.inner),
        // Restart indices are ordinary ones in patches (GL 4.6 core 10.3.6).
        GL_PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED => smallvec![Value::Bool(false)],
        GL_PRIMITIVE_RESTART_INDEX => smallvec![Value::Bits(ctx.state.vertex.restart_index)],
        _ => return None,
    })
}

/// Rasterization.
fn raster(ctx: &Context, pname: GLenum) -> Option<Values> {
    let raster = &ctx.state.raster;
    Some(match pname {
        GL_VIEWPORT => viewport(ctx, 0),
        GL_DEPTH_RANGE => depth_range(ctx, 0),
        GL_CULL_FACE_MODE => int(raster.cull_mode),
        GL_FRONT_FACE => int(raster.front_face),
        // GL 4.6 core table 23.9: one value in the core profile, front and back in the other.
        GL_POLYGON_MODE if ctx.is_core() => int(raster.polygon_mode[0]),
        GL_POLYGON_MODE => raster.polygon_mode.iter().map(|m| Value::Int(i64::from(*m))).collect(),
        GL_POLYGON_OFFSET_FACTOR => float(raster.offset_factor),
        GL_POLYGON_OFFSET_UNITS => float(raster.offset_units),
        GL_POLYGON_OFFSET_CLAMP => float(raster.offset_clamp),
        GL_LINE_WIDTH => float(raster.line_width),
        GL_POINT_SIZE => float(raster.point_size),
        GL_POINT_FADE_THRESHOLD_SIZE => float(raster.point_fade_threshold),
        GL_POINT_SPRITE_COORD_ORIGIN => int(raster.point_coord_origin),
        GL_PROVOKING_VERTEX => int(raster.provoking_vertex),
        GL_QUADS_FOLLOW_PROVOKING_VERTEX_CONVENTION => smallvec![Value::Bool(true)],
        GL_CLIP_ORIGIN => int(raster.clip_origin),
        GL_CLIP_DEPTH_MODE => int(raster.clip_depth_mode),
        GL_LAYER_PROVOKING_VERTEX | GL_VIEWPORT_INDEX_PROVOKING_VERTEX => int(GL_PROVOKING_VERTEX),
        GL_CLAMP_READ_COLOR => int(raster.clamp_read_color),
        _ => return None,
    })
}

/// Per-fragment operations and write masks.
fn fragment(ctx: &Context, pname: GLenum) -> Option<Values> {
    let fragment = &ctx.state.fragment;
    let blend = &fragment.blend[0];
    let [front, back] = &fragment.stencil;
    Some(match pname {
        GL_SCISSOR_BOX => scissor(ctx, 0),
        // GL_BLEND_EQUATION and GL_BLEND_EQUATION_RGB are one value.
        GL_BLEND_EQUATION => int(blend.equation[0]),
        GL_BLEND_EQUATION_ALPHA => int(blend.equation[1]),
        GL_BLEND_SRC_RGB | GL_BLEND_SRC => int(blend.factors[0]),
        GL_BLEND_DST_RGB | GL_BLEND_DST => int(blend.factors[1]),
        GL_BLEND_SRC_ALPHA => int(blend.factors[2]),
        GL_BLEND_DST_ALPHA => int(blend.factors[3]),
        GL_BLEND_COLOR => fragment.blend_color.iter().map(|c| Value::Normalized(f64::from(*c))).collect(),
        GL_LOGIC_OP_MODE => int(fragment.logic_op),
        GL_COLOR_WRITEMASK => color_mask(ctx, 0),
        GL_DEPTH_FUNC => int(fragment.depth_func),
        GL_DEPTH_WRITEMASK => smallvec![Value::Bool(fragment.depth_mask)],
        GL_STENCIL_FUNC => int(front.func),
        GL_STENCIL_REF => stencil_reference(front.reference),
        GL_STENCIL_VALUE_MASK => smallvec![Value::Bits(front.compare_mask)],
        GL_STENCIL_WRITEMASK => smallvec![Value::Bits(front.write_mask)],
        GL_STENCIL_FAIL => int(front.ops[0]),
        GL_STENCIL_PASS_DEPTH_FAIL => int(front.ops[1]),
        GL_STENCIL_PASS_DEPTH_PASS => int(front.ops[2]),
        GL_STENCIL_BACK_FUNC => int(back.func),
        GL_STENCIL_BACK_REF => stencil_reference(back.reference),
        GL_STENCIL_BACK_VALUE_MASK => smallvec![Value::Bits(back.compare_mask)],
        GL_STENCIL_BACK_WRITEMASK => smallvec![Value::Bits(back.write_mask)],
        GL_STENCIL_BACK_FAIL => int(back.ops[0]),
        GL_STENCIL_BACK_PASS_DEPTH_FAIL => int(back.ops[1]),
        GL_STENCIL_BACK_PASS_DEPTH_PASS => int(back.ops[2]),
        GL_SAMPLE_COVERAGE_VALUE => float(fragment.sample_coverage_value),
        GL_SAMPLE_COVERAGE_INVERT => smallvec![Value::Bool(fragment.sample_coverage_invert)],
        GL_MIN_SAMPLE_SHADING_VALUE => float(fragment.min_sample_shading),
        _ => return None,
    })
}

/// GL 4.6 core 17.3.3: queries return the reference clamped to the range of the stencil buffer.
fn stencil_reference(value: GLint) -> Values {
    int(value.clamp(0, 255))
}

/// GL_VIEWPORT of an index.
pub fn viewport(ctx: &Context, index: usize) -> Values {
    let v = &ctx.state.raster.viewports[index];
    floats(&[v.x, v.y, v.width, v.height])
}

/// GL_DEPTH_RANGE of an index.
pub fn depth_range(ctx: &Context, index: usize) -> Values {
    ctx.state.raster.depth_ranges[index].iter().map(|d| Value::Normalized(*d)).collect()
}

/// GL_SCISSOR_BOX of an index.
pub fn scissor(ctx: &Context, index: usize) -> Values {
    ctx.state.fragment.scissors[index].iter().map(|i| Value::Int(i64::from(*i))).collect()
}

/// GL_COLOR_WRITEMASK of a draw buffer.
pub fn color_mask(ctx: &Context, index: usize) -> Values {
    let mask = ctx.state.fragment.blend[index].write_mask;
    (0..4).map(|bit| Value::Bool(mask & (1 << bit) != 0)).collect()
}

/// Looks a state variable up.
pub fn lookup(ctx: &mut Context, pname: GLenum) -> Option<Values> {
    if let Some(on) = enables::is_enabled(ctx, pname) {
        return Some(smallvec![Value::Bool(on)]);
    }
    raster(ctx, pname)
        .or_else(|| fragment(ctx, pname))
        .or_else(|| bindings(ctx, pname))
        .or_else(|| identity(ctx, pname))
}
