//! Indexed state (GL 4.6 core 22.1).

use smallvec::smallvec;

use super::value::{Value, Values};
use super::{context_state, textures};
use crate::commands::enables;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::state::buffers::IndexedBinding;

fn int(value: impl Into<i64>) -> Values {
    smallvec![Value::Int(value.into())]
}

/// Which number of an indexed buffer binding is asked for.
enum Part {
    Name,
    Start,
    Size,
}

/// GL 4.6 core 22.1: start and size are zero for a binding of a whole buffer.
fn binding(binding: &IndexedBinding, part: &Part) -> Values {
    int(match part {
        Part::Name => binding.buffer.as_ref().map_or(0, |b| i64::from(b.header.name)),
        Part::Start => {
            if binding.size.is_some() {
                binding.offset as i64
            } else {
                0
            }
        }
        Part::Size => binding.size.unwrap_or(0) as i64,
    })
}

/// Looks up an indexed state variable.
pub fn lookup(ctx: &mut Context, command: &str, pname: GLenum, index: GLuint) -> GlResult<Values> {
    let within = |limit: i32| {
        let limit = usize::try_from(limit).unwrap_or(0);
        let index = index as usize;
        if index < limit {
            Ok(index)
        } else {
            Err(GlError::invalid_value(format!("{command}: index {index} of {limit}")))
        }
    };
    let uniform =
        |part| Ok(binding(&ctx.state.buffers.uniform_indexed[within(ctx.limits.uniform_buffer_bindings)?], &part));
    let storage =
        |part| Ok(binding(&ctx.state.buffers.storage_indexed[within(ctx.limits.storage_buffer_bindings)?], &part));
    let counters =
        |part| Ok(binding(&ctx.state.buffers.atomic_indexed[within(ctx.limits.atomic_buffer_bindings)?], &part));
    let image = || within(ctx.limits.image_units).map(|i| &ctx.state.images.units[i]);
    let capture = |part| Ok(binding(&ctx.transform_feedback().buffers[within(ctx.limits.xfb_buffers)?], &part));
    let unit = || within(ctx.limits.draw_buffers).map(|i| &ctx.state.fragment.blend[i]);
    match pname {
        GL_UNIFORM_BUFFER_BINDING => uniform(Part::Name),
        GL_UNIFORM_BUFFER_START => uniform(Part::Start),
        GL_UNIFORM_BUFFER_SIZE => uniform(Part::Size),
        GL_TRANSFORM_FEEDBACK_BUFFER_BINDING => capture(Part::Name),
        GL_TRANSFORM_FEEDBACK_BUFFER_START => capture(Part::Start),
        GL_TRANSFORM_FEEDBACK_BUFFER_SIZE => capture(Part::Size),
        // GL 4.6 core table 23.5.
        GL_VERTEX_BINDING_BUFFER | GL_VERTEX_BINDING_OFFSET | GL_VERTEX_BINDING_STRIDE | GL_VERTEX_BINDING_DIVISOR => {
            let binding = &ctx.vertex_array().bindings[within(ctx.limits.vertex_attrib_bindings)?];
            Ok(int(match pname {
                GL_VERTEX_BINDING_BUFFER => binding.buffer.as_ref().map_or(0, |b| i64::from(b.header.name)),
                GL_VERTEX_BINDING_OFFSET => binding.offset as i64,
                GL_VERTEX_BINDING_STRIDE => binding.stride.into(),
                _ => binding.divisor.into(),
            }))
        }
        GL_SHADER_STORAGE_BUFFER_BINDING => storage(Part::Name),
        GL_SHADER_STORAGE_BUFFER_START => storage(Part::Start),
        GL_SHADER_STORAGE_BUFFER_SIZE => storage(Part::Size),
        GL_ATOMIC_COUNTER_BUFFER_BINDING => counters(Part::Name),
        GL_ATOMIC_COUNTER_BUFFER_START => counters(Part::Start),
        GL_ATOMIC_COUNTER_BUFFER_SIZE => counters(Part::Size),
        GL_IMAGE_BINDING_NAME => Ok(int(image()?.texture.as_ref().map_or(0, |t| t.header.name))),
        GL_IMAGE_BINDING_LEVEL => Ok(int(image()?.level)),
        GL_IMAGE_BINDING_LAYERED => Ok(smallvec![Value::Bool(image()?.layered)]),
        GL_IMAGE_BINDING_LAYER => Ok(int(image()?.layer)),
        GL_IMAGE_BINDING_ACCESS => Ok(int(image()?.access)),
        GL_IMAGE_BINDING_FORMAT => Ok(int(image()?.format)),
        GL_MAX_COMPUTE_WORK_GROUP_COUNT => Ok(int(ctx.limits.compute_work_group_count[within(3)?])),
        GL_MAX_COMPUTE_WORK_GROUP_SIZE | GL_MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB => {
            Ok(int(ctx.limits.compute_work_group_size[within(3)?]))
        }
        GL_COLOR_WRITEMASK => Ok(context_state::color_mask(ctx, within(ctx.limits.draw_buffers)?)),
        GL_BLEND_EQUATION => Ok(int(unit()?.equation[0])),
        GL_BLEND_EQUATION_ALPHA => Ok(int(unit()?.equation[1])),
        GL_BLEND_SRC_RGB => Ok(int(unit()?.factors[0])),
        GL_BLEND_DST_RGB => Ok(int(unit()?.factors[1])),
        GL_BLEND_SRC_ALPHA => Ok(int(unit()?.factors[2])),
        GL_BLEND_DST_ALPHA => Ok(int(unit()?.factors[3])),
        GL_VIEWPORT => Ok(context_state::viewport(ctx, within(ctx.limits.viewports)?)),
        GL_DEPTH_RANGE => Ok(context_state::depth_range(ctx, within(ctx.limits.viewports)?)),
        GL_SCISSOR_BOX => Ok(context_state::scissor(ctx, within(ctx.limits.viewports)?)),
        GL_SAMPLE_MASK_VALUE => {
            within(ctx.limits.sample_mask_words)?;
            Ok(smallvec![Value::Bits(ctx.state.fragment.sample_mask_value)])
        }
        GL_SAMPLER_BINDING => Ok(textures::sampler(ctx, within(ctx.limits.combined_texture_units)?)),
        _ if textures::binding(ctx, pname, 0).is_some() => {
            let unit = within(ctx.limits.combined_texture_units)?;
            Ok(textures::binding(ctx, pname, unit).unwrap_or_default())
        }
        _ => Ok(smallvec![Value::Bool(enables::is_enabled_indexed(ctx, command, pname, index)?)]),
    }
}
