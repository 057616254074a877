//! Program objects (GL 4.6 core 7.3): creation, attachment, linking, use.

use std::sync::Arc;

use gallite_shader::pool::Pending;
use gallite_shader::reflection::MADE_UP;
use gallite_shader::{CompiledShader, FragDataBinding, LegacyState, XfbMode};

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::device::Device;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::executable::{Executable, Recipe};
use crate::objects::program::{Linked, Program, ShaderOrProgram};

use super::shaders::{release_if_deleted, shader};

/// The program of a name, with the outcome of its last link.
pub(super) fn program(ctx: &Context, command: &str, name: GLuint) -> GlResult<Arc<Program>> {
    let program = unsettled(ctx, command, name)?;
    settle(ctx, &program);
    Ok(program)
}

/// Takes the outcome of a link that still runs; contexts that use the program look again.
pub(super) fn settle(ctx: &Context, program: &Program) {
    if program.settle() {
        ctx.share.bump_epoch();
    }
}

/// The program of a name, for what a link that still runs doesn't matter to. GL 4.6 core 7.3: INVALID_VALUE for a name
/// that is neither a program nor a shader, INVALID_OPERATION for a shader.
pub(super) fn unsettled(ctx: &Context, command: &str, name: GLuint) -> GlResult<Arc<Program>> {
    match ctx.share.programs.lock().get(name) {
        Some(ShaderOrProgram::Program(program)) => Ok(Arc::clone(program)),
        Some(ShaderOrProgram::Shader(_)) => {
            Err(GlError::invalid_operation(format!("{command}: {name} is a shader, not a program")))
        }
        None => Err(GlError::invalid_value(format!("{command}: {name} is not the name of a program"))),
    }
}

/// The executable that queries of a program describe; INVALID_OPERATION when it isn't linked.
pub(super) fn linked(ctx: &Context, command: &str, name: GLuint) -> GlResult<Arc<Executable>> {
    let program = program(ctx, command, name)?;
    let state = program.state.lock();
    let executable = state.linked().map(Arc::clone);
    executable.ok_or_else(|| GlError::invalid_operation(format!("{command}: program {name} is not linked")))
}

/// INVALID_VALUE for a negative buffer size.
pub(super) fn check_buf_size(command: &str, size: GLsizei) -> GlResult {
    if size < 0 {
        return Err(GlError::invalid_value(format!("{command}: bufSize is negative ({size})")));
    }
    Ok(())
}

/// A name parameter as text. Names the language doesn't have match nothing, the names that are made up for modules of
/// SPIR-V included.
pub(super) fn name_text(name: ClientPtr<GLchar>) -> String {
    let name = String::from_utf8_lossy(name.c_str()).into_owned();
    if name.contains(MADE_UP) { String::new() } else { name }
}

/// Frees what a program still holds when its last use or its name goes.
pub(super) fn release_program_if_deleted(ctx: &Context, program: &Program) {
    if !program.header.is_deleted() || program.is_used() {
        return;
    }
    ctx.share.programs.lock().remove(program.header.name);
    let mut state = program.state.lock();
    if let Some(executable) = &state.executable {
        executable.retire();
    }
    let shaders = std::mem::take(&mut state.shaders);
    drop(state);
    for shader in shaders {
        shader.detach();
        release_if_deleted(ctx, &shader);
    }
}

pub fn CreateProgram(ctx: &mut Context) -> GLuint {
    let mut programs = ctx.share.programs.lock();
    let name = programs.generate();
    programs.insert(name, ShaderOrProgram::Program(Arc::new(Program::new(name))));
    name
}

pub fn DeleteProgram(ctx: &mut Context, name: GLuint) -> GlResult {
    if name == 0 {
        return Ok(());
    }
    let program = unsettled(ctx, "glDeleteProgram", name)?;
    program.header.mark_deleted();
    release_program_if_deleted(ctx, &program);
    Ok(())
}

pub fn IsProgram(ctx: &mut Context, name: GLuint) -> GLboolean {
    matches!(ctx.share.programs.lock().get(name), Some(ShaderOrProgram::Program(_))).into()
}

pub fn AttachShader(ctx: &mut Context, program_name: GLuint, shader_name: GLuint) -> GlResult {
    let program = unsettled(ctx, "glAttachShader", program_name)?;
    let shader = shader(ctx, "glAttachShader", shader_name)?;
    let mut state = program.state.lock();
    if state.shaders.iter().any(|s| Arc::ptr_eq(s, &shader)) {
        return Err(GlError::invalid_operation(format!("glAttachShader: shader {shader_name} is already attached")));
    }
    shader.attach();
    state.shaders.push(shader);
    Ok(())
}

pub fn DetachShader(ctx: &mut Context, program_name: GLuint, shader_name: GLuint) -> GlResult {
    let program = unsettled(ctx, "glDetachShader", program_name)?;
    let shader = shader(ctx, "glDetachShader", shader_name)?;
    let mut state = program.state.lock();
    let Some(index) = state.shaders.iter().position(|s| Arc::ptr_eq(s, &shader)) else {
        return Err(GlError::invalid_operation(format!("glDetachShader: shader {shader_name} is not attached")));
    };
    state.shaders.remove(index);
    drop(state);
    shader.detach();
    release_if_deleted(ctx, &shader);
    Ok(())
}

/// A name for glBind*Location: INVALID_OPERATION when it is reserved (GL 4.6 core 11.1.1).
fn bindable_name(command: &str, name: ClientPtr<GLchar>) -> GlResult<String> {
    let name = name_text(name);
    if name.starts_with("gl_") {
        return Err(GlError::invalid_operation(format!("{command}: {name} is reserved")));
    }
    Ok(name)
}

pub fn BindAttribLocation(ctx: &mut Context, name: GLuint, index: GLuint, attribute: ClientPtr<GLchar>) -> GlResult {
    let program = unsettled(ctx, "glBindAttribLocation", name)?;
    if index >= ctx.limits.vertex_attribs as GLuint {
        return Err(GlError::invalid_value(format!("glBindAttribLocation: index is {index}")));
    }
    let attribute = bindable_name("glBindAttribLocation", attribute)?;
    let bindings = &mut program.state.lock().attribute_bindings;
    bindings.retain(|(name, _)| *name != attribute);
    bindings.push((attribute, index));
    Ok(())
}

pub fn BindFragDataLocation(ctx: &mut Context, name: GLuint, color: GLuint, output: ClientPtr<GLchar>) -> GlResult {
    bind_frag_data(ctx, "glBindFragDataLocation", name, color, 0, output)
}

pub fn BindFragDataLocationIndexed(
    ctx: &mut Context,
    name: GLuint,
    color: GLuint,
    index: GLuint,
    output: ClientPtr<GLchar>,
) -> GlResult {
    bind_frag_data(ctx, "glBindFragDataLocationIndexed", name, color, index, output)
}

fn bind_frag_data(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    color: GLuint,
    index: GLuint,
    output: ClientPtr<GLchar>,
) -> GlResult {
    let program = unsettled(ctx, command, name)?;
    // GL 4.6 core 15.2.3: the second source has its own, smaller limit.
    let limit = if index == 0 { ctx.limits.draw_buffers } else { ctx.limits.dual_source_draw_buffers };
    if index > 1 || color >= limit as GLuint {
        return Err(GlError::invalid_value(format!("{command}: color {color}, index {index}")));
    }
    let output = bindable_name(command, output)?;
    let bindings = &mut program.state.lock().frag_data_bindings;
    bindings.retain(|b| b.name != output);
    bindings.push(FragDataBinding { name: output, color, index });
    Ok(())
}

pub fn TransformFeedbackVaryings(
    ctx: &mut Context,
    name: GLuint,
    count: GLsizei,
    varyings: ClientPtr<ClientPtr<GLchar>>,
    mode: GLenum,
) -> GlResult {
    let command = "glTransformFeedbackVaryings";
    let program = unsettled(ctx, command, name)?;
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value(format!("{command}: count is {count}")))?;
    let xfb_mode = match mode {
        GL_INTERLEAVED_ATTRIBS => XfbMode::Interleaved,
        GL_SEPARATE_ATTRIBS => XfbMode::Separate,
        _ => return Err(GlError::invalid_enum(format!("{command}: bufferMode 0x{mode:04X}"))),
    };
    // GL 4.6 core 11.1.2.1.
    if xfb_mode == XfbMode::Separate && count > ctx.limits.xfb_separate_attribs as usize {
        return Err(GlError::invalid_value(format!("{command}: {count} separate varyings")));
    }
    // Grown as the names are read: nothing is reserved for a count that nobody vouches for.
    let mut names = Vec::new();
    for index in 0..count {
        names.push(name_text(varyings.read_at(index)));
    }
    let mut state = program.state.lock();
    state.xfb_varyings = names;
    state.xfb_mode = xfb_mode;
    Ok(())
}

/// GL 4.6 core 7.3, 13.3.3: INVALID_OPERATION while transform feedback with the program is active, in any context.
pub(super) fn check_relink(command: &str, program: &Program) -> GlResult {
    if program.state.lock().executable.as_ref().is_some_and(|executable| executable.is_captured()) {
        let name = program.header.name;
        return Err(GlError::invalid_operation(format!(
            "{command}: program {name} is used by transform feedback that is active"
        )));
    }
    Ok(())
}

pub fn LinkProgram(ctx: &mut Context, name: GLuint) -> GlResult {
    let program = unsettled(ctx, "glLinkProgram", name)?;
    check_relink("glLinkProgram", &program)?;
    let device = Arc::clone(&ctx.device);
    let inputs = LinkInputs::of(ctx, &program);
    let lost = Linked { executable: None, log: "error: the linker failed on this program\n".into() };
    program.state.lock().link = Some(ctx.device.pool.submit(lost, move || inputs.link(&device)));
    // GL 4.6 core 7.3: a successful link of a program in use replaces the executable of every context using it.
    if program.is_used() {
        settle(ctx, &program);
    }
    Ok(())
}

/// Everything a link depends on, as it is when the link is asked for.
struct LinkInputs {
    /// The shaders, which may still be compiling.
    shaders: Vec<Option<Pending<CompiledShader>>>,
    /// All else.
    recipe: Recipe,
    compatibility: bool,
    legacy: LegacyState,
}

impl LinkInputs {
    fn of(ctx: &Context, program: &Program) -> Self {
        let state = program.state.lock();
        Self {
            shaders: state.shaders.iter().map(|s| s.state.lock().compiled.clone()).collect(),
            recipe: Recipe {
                attribute_bindings: state.attribute_bindings.clone(),
                frag_data_bindings: state.frag_data_bindings.clone(),
                xfb_varyings: state.xfb_varyings.clone(),
                xfb_mode: state.xfb_mode,
                separable: state.separable,
                ..Recipe::new(Arc::clone(&ctx.compile_options().limits))
            },
            compatibility: ctx.is_compatibility(),
            legacy: crate::fixed_function::usual(ctx),
        }
    }

    fn link(self, device: &Arc<Device>) -> Linked {
        let failed = |log: &str| Linked { executable: None, log: log.into() };
        if self.shaders.is_empty() {
            return failed("error: no shaders are attached\n");
        }
        let compiled: Option<Vec<_>> = self.shaders.iter().map(|s| Some(s.as_ref()?.wait().clone())).collect();
        let Some(compiled) = compiled.filter(|all| all.iter().all(|c| c.ok)) else {
            return failed("error: an attached shader is not compiled\n");
        };
        // GL 4.6 core 7.3: all shaders of a program are modules, or none is.
        if compiled.windows(2).any(|pair| pair[0].is_module() != pair[1].is_module()) {
            return failed("error: SPIR-V modules and GLSL shaders may not be linked with each other\n");
        }
        let recipe = Recipe { shaders: compiled, ..self.recipe };
        let result = recipe.link(device, self.legacy);
        let program = result.program.filter(|_| result.ok);
        let made = |program| {
            if self.compatibility || recipe.separable {
                Executable::with_recipe(device, program, recipe)
            } else {
                Executable::new(device, program)
            }
        };
        Linked { executable: program.map(made), log: result.log }
    }
}

pub fn UseProgram(ctx: &mut Context, name: GLuint) -> GlResult {
    if ctx.current_program().map_or(0, |p| p.header.name) == name && name != 0 {
        // A program can only be in use linked, and taking it again changes nothing unless it was linked anew.
        let programs = &ctx.state.programs;
        let unchanged =
            |p: &Arc<Program>| p.header.generation() == programs.seen_generation && p.state.lock().linked().is_some();
        if programs.current.as_ref().is_some_and(unchanged) {
            use_checks(ctx)?;
            reset_subroutines(ctx);
            return Ok(());
        }
    }
    use_checks(ctx)?;
    if name == 0 {
        set_current(ctx, None);
        return Ok(());
    }
    let program = program(ctx, "glUseProgram", name)?;
    let (executable, generation) = {
        let state = program.state.lock();
        let Some(executable) = state.linked() else {
            return Err(GlError::invalid_operation(format!("glUseProgram: program {name} is not linked")));
        };
        (Arc::clone(executable), program.header.generation())
    };
    set_current(ctx, Some((program, executable, generation)));
    reset_subroutines(ctx);
    Ok(())
}

/// GL 4.6 core 7.10: subroutine uniforms are state of the context, lost when a program is taken into use.
fn reset_subroutines(ctx: &mut Context) {
    if let Some(executable) = ctx.state.programs.own.as_ref().filter(|e| !e.reflection().subroutines.is_empty()) {
        executable.reset_subroutines(|_| true);
        ctx.dirty.insert(DirtySet::UNIFORMS);
    }
}

/// GL 4.6 core 7.3: INVALID_OPERATION while transform feedback is active and not paused.
fn use_checks(ctx: &Context) -> GlResult {
    if ctx.transform_feedback_is_capturing() {
        return Err(GlError::invalid_operation("glUseProgram: transform feedback is active"));
    }
    Ok(())
}

/// What depends on the program in use is looked at anew. In the compatibility profile its vertex stage, or the lack of
/// one, decides about the sizes of points.
pub(super) fn program_changed(ctx: &mut Context) {
    ctx.dirty.insert(DirtySet::PROGRAM);
    if ctx.is_compatibility() {
        ctx.dirty.insert(DirtySet::RASTERIZER);
    }
}

fn set_current(ctx: &mut Context, next: Option<(Arc<Program>, Arc<Executable>, u64)>) {
    let programs = &mut ctx.state.programs;
    let previous = programs.current.take();
    if let Some((program, executable, generation)) = next {
        program.start_use();
        programs.current = Some(program);
        programs.own = Some(Arc::clone(&executable));
        programs.executable = Some(executable);
        programs.seen_generation = generation;
    } else {
        programs.own = None;
        programs.executable = None;
        // GL 4.6 core 7.4: the bound pipeline counts again.
        programs.pipeline_changed = true;
    }
    programs.compute = None;
    programs.pipeline_fault = None;
    program_changed(ctx);
    if let Some(previous) = previous
        && previous.end_use()
    {
        release_program_if_deleted(ctx, &previous);
    }
}

impl Context {
    /// Gives up the program in use, when the context ends.
    pub(crate) fn release_program(&mut self) {
        set_current(self, None);
    }

    /// Takes a new link of the program in use if there is one. One atomic load when there isn't.
    #[inline]
    pub(crate) fn refresh_executable_if_moved(&mut self) {
        let programs = &self.state.programs;
        match &programs.current {
            Some(program) if program.header.generation() != programs.seen_generation => self.refresh_executable(),
            None if programs.pipeline_changed || programs.pipeline != 0 => self.refresh_executable(),
            _ => {}
        }
    }

    /// Takes a new link of the program in use. Draws do this when the share group's epoch moved.
    pub(crate) fn refresh_executable(&mut self) {
        let programs = &mut self.state.programs;
        let Some(program) = &programs.current else {
            self.refresh_pipeline();
            return;
        };
        let generation = program.header.generation();
        if generation == programs.seen_generation {
            return;
        }
        programs.seen_generation = generation;
        if let Some(executable) = program.state.lock().linked() {
            programs.own = Some(Arc::clone(executable));
            programs.executable = Some(Arc::clone(executable));
        }
        program_changed(self);
    }
}

pub fn ValidateProgram(ctx: &mut Context, name: GLuint) -> GlResult {
    let program = program(ctx, "glValidateProgram", name)?;
    let mut state = program.state.lock();
    let problem = match state.linked() {
        None => Some("error: the program is not linked\n".to_owned()),
        Some(executable) => sampler_conflict(executable),
    };
    state.validate_ok = problem.is_none();
    state.log = problem.unwrap_or_default();
    Ok(())
}

/// What glValidateProgram and draws say of samplers of different types at one texture unit.
pub(crate) fn sampler_conflict(executable: &Executable) -> Option<String> {
    let unit = executable.conflicting_unit()?;
    Some(format!("error: samplers of different types use texture unit {unit}\n"))
}
