//! Draws of as many vertices as were captured (GL 4.6 core 13.3.3): glDrawTransformFeedback*.

use gallite_pipe::{Features, XfbDrawInfo};

use super::draw::{is_native, non_negative, prepare, primitive_mode};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::{verb, vertex_convert};

fn draw(
    ctx: &mut Context,
    command: &'static str,
    (mode, id, stream, instances): (GLenum, GLuint, GLuint, GLsizei),
) -> GlResult {
    let mode = primitive_mode(ctx, command, mode)?;
    let instance_count = non_negative(command, "instancecount", instances)?;
    if stream >= ctx.limits.vertex_streams as GLuint {
        return Err(GlError::invalid_value(format!("{command}: stream is {stream}")));
    }
    let object =
        if id == 0 { Some(&ctx.default_transform_feedback) } else { ctx.transform_feedbacks.get(id).map(|o| &**o) };
    let Some(object) = object else {
        return Err(GlError::invalid_value(format!("{command}: {id} is not a transform feedback object")));
    };
    if !object.has_ended {
        return Err(GlError::invalid_operation(format!("{command}: nothing was captured with {id}")));
    }
    let source = object.streams[stream as usize].map(|(index, stride)| (object.targets[index], stride));
    if !ctx.device.caps.features.contains(Features::DRAW_TRANSFORM_FEEDBACK) || !is_native(ctx, mode) {
        return Err(GlError::invalid_operation(format!("{command}: the device can't draw {mode:?} so")));
    }
    if !prepare(ctx, command, mode)? || instance_count == 0 {
        return Ok(());
    }
    // A stream that nothing captures has no vertices, and neither has a target without room.
    let Some((target, stride)) = source.filter(|(target, _)| !target.is_null()) else { return Ok(()) };
    if ctx.state.vertex.converted != 0 {
        vertex_convert::convert_attributes(ctx, None, (0, instance_count.into()));
    }
    let info = XfbDrawInfo { target, mode: u32::from(mode.0), instance_count, base_instance: 0, stride };
    verb::draw(ctx, mode, |pipe| pipe.draw_xfb(&info));
    Ok(())
}

pub fn DrawTransformFeedback(ctx: &mut Context, mode: GLenum, id: GLuint) -> GlResult {
    draw(ctx, "glDrawTransformFeedback", (mode, id, 0, 1))
}

pub fn DrawTransformFeedbackStream(ctx: &mut Context, mode: GLenum, id: GLuint, stream: GLuint) -> GlResult {
    draw(ctx, "glDrawTransformFeedbackStream", (mode, id, stream, 1))
}

pub fn DrawTransformFeedbackInstanced(ctx: &mut Context, mode: GLenum, id: GLuint, instances: GLsizei) -> GlResult {
    draw(ctx, "glDrawTransformFeedbackInstanced", (mode, id, 0, instances))
}

pub fn DrawTransformFeedbackStreamInstanced(
    ctx: &mut Context,
    mode: GLenum,
    id: GLuint,
    stream: GLuint,
    instances: GLsizei,
) -> GlResult {
    draw(ctx, "glDrawTransformFeedbackStreamInstanced", (mode, id, stream, instances))
}
