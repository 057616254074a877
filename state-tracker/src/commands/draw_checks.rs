//! What a draw checks before it draws (GL 4.6 core 10.3, 10.4, 11.1.3.11, 11.3.4, 13.3).
//!
//! The checks depend on state that setters mark dirty, so their outcome is kept until such a bit appears.

use gallite_pipe::{BindPoint, Features, PrimitiveMode};

use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;

/// State the checks read.
pub const CHECKED: DirtySet = DirtySet::FRAMEBUFFER
    .union(DirtySet::PROGRAM)
    .union(DirtySet::VERTEX_ARRAY)
    .union(DirtySet::VERTEX_BUFFERS)
    .union(DirtySet::TEXTURES)
    .union(DirtySet::SAMPLERS)
    .union(DirtySet::UNIFORM_BUFFERS)
    .union(DirtySet::STORAGE_BUFFERS)
    .union(DirtySet::IMAGES)
    .union(DirtySet::XFB)
    .union(DirtySet::FIXED_FUNCTION)
    .union(DirtySet::CLIP_PLANES);

/// Forgets outcomes that dirty bits made stale. Every verb does this before it takes the bits away.
#[inline(always)]
pub fn forget_stale(ctx: &mut Context) {
    if ctx.dirty.intersects(CHECKED) || ctx.dirty.intersects(DirtySet::BLEND) && blends_alike(ctx) {
        ctx.checked_modes = 0;
        if ctx.dirty.intersects(DirtySet::FRAMEBUFFER) {
            ctx.framebuffer_checked = false;
        }
    }
}

/// Whether the device blends and masks all draw buffers alike, so that blending is checked too.
fn blends_alike(ctx: &Context) -> bool {
    !ctx.device.caps.features.contains(Features::INDEPENDENT_BLEND)
}

/// Checks a draw with a mode.
#[inline(always)]
pub fn check(ctx: &mut Context, command: &'static str, mode: PrimitiveMode) -> GlResult {
    forget_stale(ctx);
    if ctx.checked_modes & 1 << mode.0 == 0 {
        check_now(ctx, command, mode)?;
        ctx.checked_modes |= 1 << mode.0;
    }
    if ctx.share.has_exclusive_mappings() {
        check_mappings(ctx, command)?;
    }
    Ok(())
}

#[inline(never)]
fn check_now(ctx: &mut Context, command: &'static str, mode: PrimitiveMode) -> GlResult {
    if ctx.state.vertex.bound == 0 && ctx.is_core() {
        return Err(GlError::invalid_operation(format!("{command}: no vertex array is bound")));
    }
    // Completeness looks at every attachment; it depends on nothing that the other bits stand for.
    if !ctx.framebuffer_checked {
        ctx.require_complete_draw(command)?;
        ctx.framebuffer_checked = true;
    }
    if blends_alike(ctx) && crate::atoms::blend::is_independent(ctx) {
        return Err(GlError::invalid_operation(format!(
            "{command}: draw buffers blend or are masked differently, which the device can't do"
        )));
    }
    if let Some(fault) = &ctx.state.programs.pipeline_fault {
        return Err(GlError::invalid_operation(format!("{command}: {}", fault.trim_end())));
    }
    if ctx.is_compatibility() {
        // What is selected depends on the mode: those that were checked with another selection are so no more.
        if crate::fixed_function::select(ctx, mode)? {
            ctx.checked_modes = 0;
        }
    }
    if ctx.is_core() && ctx.executable().is_some_and(|e| e.follow_bindings()) {
        let bound = DirtySet::UNIFORM_BUFFERS | DirtySet::STORAGE_BUFFERS;
        ctx.dirty.insert(DirtySet::TEXTURES | DirtySet::IMAGES | bound);
    }
    let Some(executable) = ctx.executable() else { return Ok(()) };
    if let Some(problem) = super::programs::sampler_conflict(executable) {
        return Err(GlError::invalid_operation(format!("{command}: {}", problem.trim_end())));
    }
    let geometry = executable.reflection().geometry;
    let tessellation = executable.reflection().tessellation;
    // GL 4.6 core 11.2: patches go to tessellation and nothing else does.
    if tessellation.is_some() != (mode == PrimitiveMode::PATCHES) {
        return Err(GlError::invalid_operation(format!("{command}: mode {mode:?} with or without tessellation")));
    }
    let fits = |input: GLenum| match tessellation {
        Some(tessellation) => tessellation.output() == input,
        None => feeds(mode, input),
    };
    if let Some(geometry) = geometry
        && !fits(geometry.input)
    {
        return Err(GlError::invalid_operation(format!(
            "{command}: mode {mode:?} doesn't fit the geometry shader's input 0x{:04X}",
            geometry.input
        )));
    }
    if ctx.transform_feedback_is_capturing() {
        let produced = match (geometry, tessellation) {
            (Some(geometry), _) => output_class(geometry.output),
            (None, Some(tessellation)) => tessellation.output(),
            (None, None) => class_of(mode),
        };
        if produced != ctx.transform_feedback().mode {
            return Err(GlError::invalid_operation(format!(
                "{command}: mode {mode:?} isn't what transform feedback captures"
            )));
        }
    }
    Ok(())
}

/// Whether a mode gives a geometry shader its input primitives (GL 4.6 core 11.3.1).
fn feeds(mode: PrimitiveMode, input: GLenum) -> bool {
    match input {
        GL_LINES_ADJACENCY => {
            matches!(mode, PrimitiveMode::LINES_ADJACENCY | PrimitiveMode::LINE_STRIP_ADJACENCY)
        }
        GL_TRIANGLES_ADJACENCY => {
            matches!(mode, PrimitiveMode::TRIANGLES_ADJACENCY | PrimitiveMode::TRIANGLE_STRIP_ADJACENCY)
        }
        _ => class_of(mode) == input && mode.0 < PrimitiveMode::QUADS.0,
    }
}

/// The class of primitives a mode makes without a geometry shader.
fn class_of(mode: PrimitiveMode) -> GLenum {
    match mode {
        PrimitiveMode::POINTS => GL_POINTS,
        PrimitiveMode::LINES
        | PrimitiveMode::LINE_LOOP
        | PrimitiveMode::LINE_STRIP
        | PrimitiveMode::LINES_ADJACENCY
        | PrimitiveMode::LINE_STRIP_ADJACENCY => GL_LINES,
        _ => GL_TRIANGLES,
    }
}

fn output_class(output: GLenum) -> GLenum {
    match output {
        GL_POINTS => GL_POINTS,
        GL_LINE_STRIP => GL_LINES,
        _ => GL_TRIANGLES,
    }
}

/// The same for the buffers of the program's blocks and atomic counters.
#[cold]
pub(super) fn check_program_mappings(ctx: &Context, command: &'static str, point: BindPoint) -> GlResult {
    let Some(executable) = ctx.state.programs.at(point) else { return Ok(()) };
    let (reflection, buffers) = (executable.reflection(), &ctx.state.buffers);
    let uniform = (0..reflection.blocks.len())
        .map(|block| buffers.uniform_indexed.get(executable.block_binding(block).unwrap_or(0) as usize));
    let storage = (0..reflection.storage_blocks.len())
        .map(|block| buffers.storage_indexed.get(executable.storage_binding(block).unwrap_or(0) as usize));
    let counters = reflection.atomic_buffers.iter().map(|b| buffers.atomic_indexed.get(b.binding as usize));
    for binding in uniform.chain(storage).chain(counters).flatten() {
        if let Some(buffer) = &binding.buffer {
            super::buffers::refuse_mapped(command, buffer)?;
        }
    }
    Ok(())
}

/// GL 4.6 core 6.3.2: no buffer that a draw reads may be mapped, unless persistently.
#[cold]
fn check_mappings(ctx: &Context, command: &'static str) -> GlResult {
    let array = ctx.vertex_array();
    for attribute in array.attributes.iter().filter(|a| a.enabled) {
        if let Some(buffer) = &array.bindings[usize::from(attribute.binding)].buffer {
            super::buffers::refuse_mapped(command, buffer)?;
        }
    }
    check_program_mappings(ctx, command, BindPoint::GRAPHICS)?;
    if ctx.transform_feedback_is_capturing() {
        for buffer in ctx.transform_feedback().buffers.iter().filter_map(|b| b.buffer.as_ref()) {
            super::buffers::refuse_mapped(command, buffer)?;
        }
    }
    Ok(())
}
