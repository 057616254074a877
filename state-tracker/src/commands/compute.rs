//! Compute dispatches (GL 4.6 core chapter 19).

use gallite_pipe::{BindPoint, DispatchInfo};

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::verb;

/// What all dispatches check first: there is a program with a compute stage, it can run, and the size of its groups is as
/// variable as the command's (ARB_compute_variable_group_size).
fn check(ctx: &mut Context, command: &'static str, variable: bool) -> GlResult {
    verb::refresh(ctx);
    ctx.refresh_executable_if_moved();
    let Some(executable) = ctx.state.programs.at(BindPoint::COMPUTE) else {
        return Err(GlError::invalid_operation(format!("{command}: no program with a compute shader is in use")));
    };
    if (executable.desc.group_size == [0; 3]) != variable {
        let kind = if variable { "fixed" } else { "variable" };
        return Err(GlError::invalid_operation(format!("{command}: the program's groups are of {kind} size")));
    }
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
    check(ctx, command, false)?;
    dispatch(ctx, command, DispatchInfo { groups: [x, y, z], ..DispatchInfo::default() })
}

pub fn DispatchComputeGroupSizeARB(
    ctx: &mut Context,
    x: GLuint,
    y: GLuint,
    z: GLuint,
    size_x: GLuint,
    size_y: GLuint,
    size_z: GLuint,
) -> GlResult {
    let command = "glDispatchComputeGroupSizeARB";
    check(ctx, command, true)?;
    let (size, most) = ([size_x, size_y, size_z], ctx.limits.compute_work_group_size);
    if size.iter().zip(most).any(|(size, most)| *size == 0 || *size > most as u32) {
        return Err(GlError::invalid_value(format!("{command}: groups of {size:?}, the limit is {most:?}")));
    }
    let invocations: u64 = size.map(u64::from).iter().product();
    if invocations > ctx.limits.compute_work_group_invocations as u64 {
        return Err(GlError::invalid_value(format!("{command}: groups of {invocations} invocations")));
    }
    dispatch(ctx, command, DispatchInfo { groups: [x, y, z], variable_size: size })
}

fn dispatch(ctx: &mut Context, command: &'static str, info: DispatchInfo) -> GlResult {
    let (groups, most) = (info.groups, ctx.limits.compute_work_group_count);
    if groups.iter().zip(most).any(|(count, most)| *count > most as u32) {
        return Err(GlError::invalid_value(format!("{command}: {groups:?} groups, the limit is {most:?}")));
    }
    if groups.contains(&0) {
        return Ok(());
    }
    verb::prepare_dispatch(ctx);
    ctx.pipe.dispatch(&info);
    Ok(())
}

pub fn DispatchComputeIndirect(ctx: &mut Context, indirect: GLintptr) -> GlResult {
    let command = "glDispatchComputeIndirect";
    check(ctx, command, false)?;
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
