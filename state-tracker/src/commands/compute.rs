//! Compute dispatches (GL 4.6 core chapter 19).

use gallite_pipe::{BindPoint, DispatchInfo};

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::verb;

/// What all dispatches check first: there is a program with a compute stage, and it can run.
fn check(ctx: &mut Context, command: &'static str) -> GlResult {
    verb::refresh(ctx);
    ctx.refresh_executable_if_moved();
    let Some(executable) = ctx.state.programs.at(BindPoint::COMPUTE) else {
        return Err(GlError::invalid_operation(format!("{command}: no program with a compute shader is in use")));
    };
    if let Some(problem) = super::programs::sampler_conflict(executable) {
        return Err(GlError::invalid_operation(format!("{command}: {}", problem.trim_end())));
    }
    if ctx.share.has_exclusive_mappings() {
        super::draw_checks::check_program_mappings(ctx, command, BindPoint::COMPUTE)?;
    }
    Ok(())
}

pub fn DispatchCompute(ctx: &mut Context, x: GLuint, y: GLuint, z: GLuint) -> GlResult {
    let command = "glDispatchCompute";
    check(ctx, command)?;
    let groups = [x, y, z];
    let most = ctx.limits.compute_work_group_count;
    if groups.iter().zip(most).any(|(count, most)| *count > most as u32) {
        return Err(GlError::invalid_value(format!("{command}: {groups:?} groups, the limit is {most:?}")));
    }
    if groups.contains(&0) {
        return Ok(());
    }
    verb::prepare_dispatch(ctx);
    ctx.pipe.dispatch(&DispatchInfo { groups, ..DispatchInfo::default() });
    Ok(())
}

pub fn DispatchComputeIndirect(ctx: &mut Context, indirect: GLintptr) -> GlResult {
    let command = "glDispatchComputeIndirect";
    check(ctx, command)?;
    let offset = u64::try_from(indirect).ok().filter(|offset| offset % 4 == 0);
    let offset = offset.ok_or_else(|| GlError::invalid_value(format!("{command}: indirect is {indirect}")))?;
    let Some(buffer) = &ctx.state.buffers.dispatch_indirect else {
        return Err(GlError::invalid_operation(format!(
            "{command}: no buffer is bound to GL_DISPATCH_INDIRECT_BUFFER"
        )));
    };
    super::buffers::refuse_mapped(command, buffer)?;
    if offset.saturating_add(12) > buffer.size() {
        return Err(GlError::invalid_operation(format!("{command}: the arguments lie beyond the buffer")));
    }
    let id = buffer.id();
    verb::prepare_dispatch(ctx);
    ctx.pipe.dispatch_indirect(id, offset);
    Ok(())
}
