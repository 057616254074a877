//! Implementation-dependent values (GL 4.6 core tables 23.53 to 23.74).

use smallvec::smallvec;

use super::value::{Value, Values};
use crate::commands::program_binaries::FORMAT;
use crate::commands::shader_binaries;
use crate::context::Context;
use crate::debug;
use crate::gl::*;
use crate::limits::Limits;

/// Components of uniforms that a stage can have, those of blocks included.
fn stage_components(limits: &Limits) -> i64 {
    let blocks = i64::from(limits.uniform_blocks_per_stage) * i64::from(limits.uniform_block_size / 4);
    i64::from(limits.uniform_components) + blocks
}

/// Limits that are one integer.
fn integer(ctx: &Context, pname: GLenum) -> Option<i64> {
    let l = &ctx.limits;
    let geometry = l.geometry_texture_units > 0;
    let tessellation = l.tess_texture_units > 0;
    let of_tessellation = |value: i32| if tessellation { value } else { 0 };
    Some(i64::from(match pname {
        GL_MAX_TEXTURE_SIZE => l.texture_size,
        GL_MAX_3D_TEXTURE_SIZE => l.texture_3d_size,
        GL_MAX_CUBE_MAP_TEXTURE_SIZE => l.cube_map_texture_size,
        GL_MAX_RECTANGLE_TEXTURE_SIZE => l.rectangle_texture_size,
        GL_MAX_ARRAY_TEXTURE_LAYERS => l.array_texture_layers,
        GL_MAX_TEXTURE_BUFFER_SIZE => l.texture_buffer_size,
        GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT => l.texture_buffer_offset_alignment,
        GL_MAX_RENDERBUFFER_SIZE => l.renderbuffer_size,
        GL_MAX_FRAMEBUFFER_WIDTH => l.framebuffer_width,
        GL_MAX_FRAMEBUFFER_HEIGHT => l.framebuffer_height,
        GL_MAX_FRAMEBUFFER_LAYERS => l.framebuffer_layers,
        GL_MAX_FRAMEBUFFER_SAMPLES => l.framebuffer_samples,
        GL_MAX_SAMPLES => l.samples,
        GL_MAX_COLOR_TEXTURE_SAMPLES => l.color_texture_samples,
        GL_MAX_DEPTH_TEXTURE_SAMPLES => l.depth_texture_samples,
        GL_MAX_INTEGER_SAMPLES => l.integer_samples,
        GL_MAX_SAMPLE_MASK_WORDS => l.sample_mask_words,
        GL_MAX_COLOR_ATTACHMENTS => l.color_attachments,
        GL_MAX_DRAW_BUFFERS => l.draw_buffers,
        GL_MAX_DUAL_SOURCE_DRAW_BUFFERS => l.dual_source_draw_buffers,
        GL_MAX_VIEWPORTS => l.viewports,
        GL_VIEWPORT_SUBPIXEL_BITS => l.viewport_subpixel_bits,
        GL_SUBPIXEL_BITS => l.subpixel_bits,
        GL_MAX_CLIP_DISTANCES => l.clip_distances,
        GL_MAX_CULL_DISTANCES => l.cull_distances,
        GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES => l.combined_clip_and_cull_distances,
        GL_MAX_VERTEX_ATTRIBS => l.vertex_attribs,
        GL_MAX_VERTEX_ATTRIB_BINDINGS => l.vertex_attrib_bindings,
        GL_MAX_VERTEX_ATTRIB_STRIDE => l.vertex_attrib_stride,
        GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET => l.vertex_attrib_relative_offset,
        GL_MAX_ELEMENTS_INDICES => l.elements_indices,
        GL_MAX_ELEMENTS_VERTICES => l.elements_vertices,
        GL_MAX_TEXTURE_IMAGE_UNITS | GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS => l.texture_units_per_stage,
        GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS => l.geometry_texture_units,
        GL_MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS | GL_MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS => l.tess_texture_units,
        GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS => l.combined_texture_units,
        GL_MAX_VERTEX_UNIFORM_COMPONENTS | GL_MAX_FRAGMENT_UNIFORM_COMPONENTS => l.uniform_components,
        GL_MAX_GEOMETRY_UNIFORM_COMPONENTS => {
            if geometry {
                l.uniform_components
            } else {
                0
            }
        }
        GL_MAX_TESS_CONTROL_UNIFORM_COMPONENTS | GL_MAX_TESS_EVALUATION_UNIFORM_COMPONENTS => {
            of_tessellation(l.uniform_components)
        }
        GL_MAX_TESS_CONTROL_UNIFORM_BLOCKS | GL_MAX_TESS_EVALUATION_UNIFORM_BLOCKS => {
            of_tessellation(l.uniform_blocks_per_stage)
        }
        GL_MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS | GL_MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS => {
            let most = stage_components(l);
            return Some(if tessellation { most } else { 0 });
        }
        GL_MAX_PATCH_VERTICES => l.patch_vertices,
        GL_MAX_TESS_GEN_LEVEL => l.tess_gen_level,
        GL_MAX_TESS_CONTROL_INPUT_COMPONENTS => l.tess_control_input_components,
        GL_MAX_TESS_CONTROL_OUTPUT_COMPONENTS => l.tess_control_output_components,
        GL_MAX_TESS_PATCH_COMPONENTS => l.tess_patch_components,
        GL_MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS => l.tess_control_total_output_components,
        GL_MAX_TESS_EVALUATION_INPUT_COMPONENTS => l.tess_evaluation_input_components,
        GL_MAX_TESS_EVALUATION_OUTPUT_COMPONENTS => l.tess_evaluation_output_components,
        GL_MAX_UNIFORM_LOCATIONS => l.uniform_locations,
        GL_MAX_VERTEX_UNIFORM_VECTORS | GL_MAX_FRAGMENT_UNIFORM_VECTORS => l.uniform_components / 4,
        GL_MAX_VERTEX_UNIFORM_BLOCKS | GL_MAX_FRAGMENT_UNIFORM_BLOCKS => l.uniform_blocks_per_stage,
        GL_MAX_GEOMETRY_UNIFORM_BLOCKS => {
            if geometry {
                l.uniform_blocks_per_stage
            } else {
                0
            }
        }
        GL_MAX_COMBINED_UNIFORM_BLOCKS => l.combined_uniform_blocks,
        GL_MAX_UNIFORM_BUFFER_BINDINGS => l.uniform_buffer_bindings,
        GL_MAX_UNIFORM_BLOCK_SIZE => l.uniform_block_size,
        GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT => l.uniform_buffer_offset_alignment,
        GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS | GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS => {
            return Some(stage_components(l));
        }
        GL_MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS => {
            let most = stage_components(l);
            return Some(if geometry { most } else { 0 });
        }
        GL_MAX_VERTEX_OUTPUT_COMPONENTS => l.vertex_output_components,
        GL_MAX_VARYING_COMPONENTS => l.varying_components,
        GL_MAX_VARYING_VECTORS => l.varying_components / 4,
        GL_MAX_FRAGMENT_INPUT_COMPONENTS => l.fragment_input_components,
        GL_MAX_GEOMETRY_INPUT_COMPONENTS => l.geometry_input_components,
        GL_MAX_GEOMETRY_OUTPUT_COMPONENTS => l.geometry_output_components,
        GL_MAX_GEOMETRY_OUTPUT_VERTICES => l.geometry_output_vertices,
        GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS => l.geometry_total_output_components,
        GL_MAX_GEOMETRY_SHADER_INVOCATIONS => l.geometry_invocations,
        GL_MIN_PROGRAM_TEXEL_OFFSET => l.program_texel_offset[0],
        GL_MAX_PROGRAM_TEXEL_OFFSET => l.program_texel_offset[1],
        GL_MIN_PROGRAM_TEXTURE_GATHER_OFFSET => l.program_texture_gather_offset[0],
        GL_MAX_PROGRAM_TEXTURE_GATHER_OFFSET => l.program_texture_gather_offset[1],
        GL_MAX_SUBROUTINES => 256,
        GL_MAX_SUBROUTINE_UNIFORM_LOCATIONS => 1024,
        // GL 4.6 core 8.14.1: a gather picks any component.
        GL_MAX_PROGRAM_TEXTURE_GATHER_COMPONENTS_ARB => 4,
        // GL 4.6 core table 23.66: what every device with sample shading has.
        GL_FRAGMENT_INTERPOLATION_OFFSET_BITS => 4,
        GL_MAX_TRANSFORM_FEEDBACK_BUFFERS => l.xfb_buffers,
        GL_MAX_VERTEX_STREAMS => l.vertex_streams,
        GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS => l.xfb_interleaved_components,
        GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS => l.xfb_separate_attribs,
        GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS => l.xfb_separate_components,
        GL_MIN_MAP_BUFFER_ALIGNMENT => l.map_buffer_alignment,
        // Indices are 32 bits wide (GL 4.6 core 10.5).
        GL_MAX_ELEMENT_INDEX => return Some(i64::from(u32::MAX)),
        GL_MAX_SERVER_WAIT_TIMEOUT => return Some(l.server_wait_timeout),
        GL_MAX_DEBUG_MESSAGE_LENGTH => debug::MAX_MESSAGE_LENGTH as i32,
        GL_MAX_DEBUG_LOGGED_MESSAGES => debug::MAX_LOGGED_MESSAGES as i32,
        GL_MAX_DEBUG_GROUP_STACK_DEPTH => debug::MAX_GROUP_DEPTH as i32,
        GL_MAX_LABEL_LENGTH => debug::MAX_LABEL_LENGTH as i32,
        GL_NUM_SHADER_BINARY_FORMATS => shader_binaries::formats(ctx).len() as i32,
        GL_NUM_PROGRAM_BINARY_FORMATS => 1,
        GL_SHADER_COMPILER => 1,
        _ => return None,
    }))
}

/// Limits of what shaders share with buffers and images, and of compute shaders.
fn shared(ctx: &Context, pname: GLenum) -> Option<i64> {
    let l = &ctx.limits;
    let [vertex, control, evaluation, geometry, fragment, compute] = [0, 1, 2, 3, 4, 5];
    let has_compute = l.compute_work_group_invocations > 0;
    let in_compute = |value: i32| if has_compute { value } else { 0 };
    Some(i64::from(match pname {
        GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS => l.storage_blocks[vertex],
        GL_MAX_TESS_CONTROL_SHADER_STORAGE_BLOCKS => l.storage_blocks[control],
        GL_MAX_TESS_EVALUATION_SHADER_STORAGE_BLOCKS => l.storage_blocks[evaluation],
        GL_MAX_GEOMETRY_SHADER_STORAGE_BLOCKS => l.storage_blocks[geometry],
        GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS => l.storage_blocks[fragment],
        GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS => l.storage_blocks[compute],
        GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS => l.combined_storage_blocks,
        GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS => l.storage_buffer_bindings,
        GL_MAX_SHADER_STORAGE_BLOCK_SIZE => return Some(l.storage_block_size),
        GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT => l.storage_buffer_offset_alignment,
        // One value with GL_MAX_COMBINED_IMAGE_UNITS_AND_FRAGMENT_OUTPUTS.
        GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES => l.combined_shader_output_resources,
        GL_MAX_VERTEX_IMAGE_UNIFORMS => l.image_uniforms[vertex],
        GL_MAX_TESS_CONTROL_IMAGE_UNIFORMS => l.image_uniforms[control],
        GL_MAX_TESS_EVALUATION_IMAGE_UNIFORMS => l.image_uniforms[evaluation],
        GL_MAX_GEOMETRY_IMAGE_UNIFORMS => l.image_uniforms[geometry],
        GL_MAX_FRAGMENT_IMAGE_UNIFORMS => l.image_uniforms[fragment],
        GL_MAX_COMPUTE_IMAGE_UNIFORMS => l.image_uniforms[compute],
        GL_MAX_COMBINED_IMAGE_UNIFORMS => l.combined_image_uniforms,
        GL_MAX_IMAGE_UNITS => l.image_units,
        GL_MAX_IMAGE_SAMPLES => l.image_samples,
        GL_MAX_VERTEX_ATOMIC_COUNTERS => l.atomic_counters[vertex],
        GL_MAX_TESS_CONTROL_ATOMIC_COUNTERS => l.atomic_counters[control],
        GL_MAX_TESS_EVALUATION_ATOMIC_COUNTERS => l.atomic_counters[evaluation],
        GL_MAX_GEOMETRY_ATOMIC_COUNTERS => l.atomic_counters[geometry],
        GL_MAX_FRAGMENT_ATOMIC_COUNTERS => l.atomic_counters[fragment],
        GL_MAX_COMPUTE_ATOMIC_COUNTERS => l.atomic_counters[compute],
        GL_MAX_COMBINED_ATOMIC_COUNTERS => l.combined_atomic_counters,
        GL_MAX_VERTEX_ATOMIC_COUNTER_BUFFERS => l.atomic_buffers[vertex],
        GL_MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS => l.atomic_buffers[control],
        GL_MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS => l.atomic_buffers[evaluation],
        GL_MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS => l.atomic_buffers[geometry],
        GL_MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS => l.atomic_buffers[fragment],
        GL_MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS => l.atomic_buffers[compute],
        GL_MAX_COMBINED_ATOMIC_COUNTER_BUFFERS => l.combined_atomic_buffers,
        GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS => l.atomic_buffer_bindings,
        GL_MAX_ATOMIC_COUNTER_BUFFER_SIZE => l.atomic_buffer_size,
        GL_MAX_COMPUTE_SHARED_MEMORY_SIZE => l.compute_shared_memory_size,
        GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS | GL_MAX_COMPUTE_VARIABLE_GROUP_INVOCATIONS_ARB => {
            l.compute_work_group_invocations
        }
        GL_MAX_COMPUTE_UNIFORM_BLOCKS => in_compute(l.uniform_blocks_per_stage),
        GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS => in_compute(l.texture_units_per_stage),
        GL_MAX_COMPUTE_UNIFORM_COMPONENTS => in_compute(l.uniform_components),
        GL_MAX_COMBINED_COMPUTE_UNIFORM_COMPONENTS => {
            return Some(if has_compute { stage_components(l) } else { 0 });
        }
        _ => return None,
    }))
}

/// Limits that are floats or several values.
fn other(ctx: &Context, pname: GLenum) -> Option<Values> {
    let l = &ctx.limits;
    let pair = |[a, b]: [f32; 2]| smallvec![Value::Float(f64::from(a)), Value::Float(f64::from(b))];
    let one = |v: f32| smallvec![Value::Float(f64::from(v))];
    Some(match pname {
        GL_MAX_VIEWPORT_DIMS => l.viewport_dims.iter().map(|d| Value::Int(i64::from(*d))).collect(),
        GL_VIEWPORT_BOUNDS_RANGE => pair(l.viewport_bounds),
        GL_ALIASED_LINE_WIDTH_RANGE | GL_SMOOTH_LINE_WIDTH_RANGE | GL_MULTISAMPLE_LINE_WIDTH_RANGE_ARB => {
            pair(l.line_width_range)
        }
        GL_SMOOTH_LINE_WIDTH_GRANULARITY | GL_MULTISAMPLE_LINE_WIDTH_GRANULARITY_ARB => one(l.line_width_granularity),
        // GL_POINT_SIZE_RANGE and GL_SMOOTH_POINT_SIZE_RANGE are one value.
        GL_POINT_SIZE_RANGE => pair(l.point_size_range),
        GL_ALIASED_POINT_SIZE_RANGE if ctx.is_compatibility() => pair(l.point_size_range),
        GL_POINT_SIZE_GRANULARITY => one(l.point_size_granularity),
        GL_MAX_TEXTURE_LOD_BIAS => one(l.texture_lod_bias),
        GL_MIN_FRAGMENT_INTERPOLATION_OFFSET => one(-0.5),
        GL_MAX_FRAGMENT_INTERPOLATION_OFFSET => one(0.4375),
        GL_MAX_TEXTURE_MAX_ANISOTROPY if l.texture_max_anisotropy > 1.0 => one(l.texture_max_anisotropy),
        GL_SHADER_BINARY_FORMATS => {
            shader_binaries::formats(ctx).iter().map(|format| Value::Int(i64::from(*format))).collect()
        }
        GL_PROGRAM_BINARY_FORMATS => smallvec![Value::Int(i64::from(FORMAT))],
        _ => return None,
    })
}

/// Looks an implementation-dependent value up.
pub fn lookup(ctx: &Context, pname: GLenum) -> Option<Values> {
    let one = integer(ctx, pname).or_else(|| shared(ctx, pname));
    one.map(|v| smallvec![Value::Int(v)]).or_else(|| other(ctx, pname))
}
