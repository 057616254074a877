//! Transform feedback (GL 4.6 core 13.3).

use std::sync::Arc;

use gallite_pipe::{Features, XfbTargetDesc, XfbTargetId};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::limits::MAX_STREAMS;
use crate::names::checked_count;
use crate::objects::executable::Capture;
use crate::objects::transform_feedback::TransformFeedback;

pub fn GenTransformFeedbacks(ctx: &mut Context, n: GLsizei, ids: ClientPtrMut<GLuint>) -> GlResult {
    ctx.transform_feedbacks.generate_into("glGenTransformFeedbacks", n, ids)
}

pub fn DeleteTransformFeedbacks(ctx: &mut Context, n: GLsizei, ids: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteTransformFeedbacks", n)?;
    let names = ids.read(count);
    if names.iter().any(|name| ctx.transform_feedbacks.get(*name).is_some_and(|o| o.active)) {
        return Err(GlError::invalid_operation("glDeleteTransformFeedbacks: one of the objects is active"));
    }
    for name in names.iter() {
        if let Some(mut object) = ctx.transform_feedbacks.remove(*name) {
            object.release_targets(&ctx.device);
        }
        if *name != 0 && ctx.state.transform_feedback.bound == *name {
            ctx.state.transform_feedback.bound = 0;
            ctx.dirty.insert(DirtySet::XFB);
        }
    }
    Ok(())
}

pub fn IsTransformFeedback(ctx: &mut Context, id: GLuint) -> GLboolean {
    ctx.transform_feedbacks.get(id).is_some().into()
}

pub fn BindTransformFeedback(ctx: &mut Context, target: GLenum, id: GLuint) -> GlResult {
    let command = "glBindTransformFeedback";
    if target != GL_TRANSFORM_FEEDBACK {
        return Err(GlError::invalid_enum(format!("{command}: target 0x{target:04X}")));
    }
    if ctx.transform_feedback_is_capturing() {
        return Err(GlError::invalid_operation(format!("{command}: transform feedback is active and not paused")));
    }
    if id != 0 && ctx.transform_feedbacks.get(id).is_none() {
        if !ctx.transform_feedbacks.is_generated(id) {
            return Err(GlError::invalid_operation(format!("{command}: {id} was not generated")));
        }
        ctx.transform_feedbacks.insert(id, Box::new(TransformFeedback::new(id)));
    }
    ctx.state.transform_feedback.bound = id;
    ctx.dirty.insert(DirtySet::XFB);
    Ok(())
}

pub fn BeginTransformFeedback(ctx: &mut Context, mode: GLenum) -> GlResult {
    let command = "glBeginTransformFeedback";
    if !ctx.device.caps.features.contains(Features::TRANSFORM_FEEDBACK) {
        return Err(GlError::invalid_operation(format!("{command}: the device has no transform feedback")));
    }
    if !matches!(mode, GL_POINTS | GL_LINES | GL_TRIANGLES) {
        return Err(GlError::invalid_enum(format!("{command}: primitiveMode 0x{mode:04X}")));
    }
    if ctx.transform_feedback().active {
        return Err(GlError::invalid_operation(format!("{command}: transform feedback is active already")));
    }
    ctx.refresh_executable();
    // Draws may use other code of the same program, for other state of the compatibility profile.
    let Some(executable) = ctx.state.programs.own.clone() else {
        return Err(GlError::invalid_operation(format!("{command}: no program is in use")));
    };
    let reflection = executable.reflection();
    if reflection.xfb.is_empty() {
        return Err(GlError::invalid_operation(format!("{command}: the program captures nothing")));
    }
    let used = reflection.xfb_strides.iter().rposition(|stride| *stride != 0).map_or(0, |last| last + 1);
    let mut targets = Vec::with_capacity(used);
    for (index, stride) in reflection.xfb_strides.iter().enumerate().take(used) {
        if *stride == 0 {
            targets.push(None);
            continue;
        }
        let binding = &ctx.transform_feedback().buffers[index];
        let Some(buffer) = &binding.buffer else {
            return Err(GlError::invalid_operation(format!("{command}: no buffer is bound at index {index}")));
        };
        // GL 4.6 core 13.3.2: a range past the end of the buffer captures what fits.
        buffer.note_writes_aside();
        let (id, size) = buffer.storage();
        let available = size.saturating_sub(binding.offset);
        let size = binding.size.unwrap_or(available).min(available) & !3;
        if size == 0 {
            // A target of no bytes captures nothing; its offset may lie past the storage.
            targets.push(None);
            continue;
        }
        targets.push(Some(XfbTargetDesc { buffer: id, offset: binding.offset, size }));
    }
    let mut streams = [None; MAX_STREAMS];
    for (index, stream) in reflection.xfb_streams.iter().enumerate().take(used) {
        if let Some(slot @ None) = streams.get_mut(usize::from(*stream)) {
            *slot = Some((index, reflection.xfb_strides[index])).filter(|(_, stride)| *stride != 0);
        }
    }
    let device = Arc::clone(&ctx.device);
    let object = ctx.transform_feedback_mut();
    object.release_targets(&device);
    object.streams = streams;
    for (slot, desc) in object.targets.iter_mut().zip(&targets) {
        if let Some(desc) = desc {
            let id: XfbTargetId = device.mint();
            device.screen.create_xfb_target(id, desc);
            *slot = id;
        }
    }
    object.active = true;
    object.paused = false;
    object.pushed = false;
    object.mode = mode;
    object.capture = Some(Capture::of(&executable));
    ctx.dirty.insert(DirtySet::XFB);
    Ok(())
}

pub fn EndTransformFeedback(ctx: &mut Context) -> GlResult {
    let object = ctx.transform_feedback_mut();
    if !object.active {
        return Err(GlError::invalid_operation("glEndTransformFeedback: transform feedback is not active"));
    }
    object.active = false;
    object.paused = false;
    object.has_ended = true;
    object.capture = None;
    // Capture ends now, not at the next draw: what was captured may be used by any later command.
    ctx.pipe.set_xfb_targets(&[]);
    ctx.dirty.insert(DirtySet::XFB);
    Ok(())
}

pub fn PauseTransformFeedback(ctx: &mut Context) -> GlResult {
    let object = ctx.transform_feedback_mut();
    if !object.is_capturing() {
        return Err(GlError::invalid_operation("glPauseTransformFeedback: transform feedback is not active or paused"));
    }
    object.paused = true;
    ctx.pipe.set_xfb_targets(&[]);
    ctx.dirty.insert(DirtySet::XFB);
    Ok(())
}

pub fn ResumeTransformFeedback(ctx: &mut Context) -> GlResult {
    ctx.refresh_executable_if_moved();
    let executable = ctx.state.programs.own.clone();
    let object = ctx.transform_feedback_mut();
    if !object.active || !object.paused {
        return Err(GlError::invalid_operation("glResumeTransformFeedback: transform feedback is not paused"));
    }
    // GL 4.6 core 13.3.2: the program that captures must be the one capture began with.
    if !executable.zip(object.capture.as_ref()).is_some_and(|(now, capture)| capture.goes_on_with(&now)) {
        return Err(GlError::invalid_operation("glResumeTransformFeedback: another program is in use"));
    }
    object.paused = false;
    ctx.dirty.insert(DirtySet::XFB);
    Ok(())
}
