//! Program pipelines and separable programs (GL 4.6 core 7.3, 7.4).

use std::sync::Arc;

use gallite_shader::Stage;

use super::programs::{check_buf_size, program, program_changed, release_program_if_deleted, unsettled};
use super::shaders::stage_of;
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::executable::Executable;
use crate::objects::pipeline::{Ahead, Pipeline, StageProgram};
use crate::objects::program::Program;
use crate::share::same_object;

const STAGE_BITS: [GLbitfield; Stage::COUNT] = [
    GL_VERTEX_SHADER_BIT,
    GL_TESS_CONTROL_SHADER_BIT,
    GL_TESS_EVALUATION_SHADER_BIT,
    GL_GEOMETRY_SHADER_BIT,
    GL_FRAGMENT_SHADER_BIT,
    GL_COMPUTE_SHADER_BIT,
];

const STAGE_NAMES: [GLenum; Stage::COUNT] = [
    GL_VERTEX_SHADER,
    GL_TESS_CONTROL_SHADER,
    GL_TESS_EVALUATION_SHADER,
    GL_GEOMETRY_SHADER,
    GL_FRAGMENT_SHADER,
    GL_COMPUTE_SHADER,
];

pub fn GenProgramPipelines(ctx: &mut Context, n: GLsizei, pipelines: ClientPtrMut<GLuint>) -> GlResult {
    ctx.pipelines.generate_into("glGenProgramPipelines", n, pipelines)
}

pub fn CreateProgramPipelines(ctx: &mut Context, n: GLsizei, pipelines: ClientPtrMut<GLuint>) -> GlResult {
    for index in 0..checked_count("glCreateProgramPipelines", n)? {
        let name = ctx.pipelines.generate();
        ctx.pipelines.insert(name, Box::new(Pipeline::new(name)));
        pipelines.write_at(index, name);
    }
    Ok(())
}

pub fn DeleteProgramPipelines(ctx: &mut Context, n: GLsizei, pipelines: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteProgramPipelines", n)?;
    for name in pipelines.read(count).iter() {
        if *name != 0 && ctx.state.programs.pipeline == *name {
            bind(ctx, 0);
        }
        if let Some(pipeline) = ctx.pipelines.remove(*name) {
            release(ctx, &pipeline);
        }
    }
    Ok(())
}

/// Lets go of the programs of a pipeline that is no more.
pub(crate) fn release(ctx: &Context, pipeline: &Pipeline) {
    pipeline.programs().for_each(|program| end_use(ctx, program));
}

fn end_use(ctx: &Context, program: &Program) {
    if program.end_use() {
        release_program_if_deleted(ctx, program);
    }
}

pub fn IsProgramPipeline(ctx: &mut Context, name: GLuint) -> GLboolean {
    ctx.pipelines.get(name).is_some().into()
}

/// The object of a name, made when the name has none yet; INVALID_OPERATION for a name that was not generated.
fn object<'a>(ctx: &'a mut Context, command: &str, name: GLuint) -> GlResult<&'a mut Pipeline> {
    if ctx.pipelines.get(name).is_none() {
        if name == 0 || !ctx.pipelines.is_generated(name) {
            return Err(GlError::invalid_operation(format!("{command}: {name} is not the name of a program pipeline")));
        }
        ctx.pipelines.insert(name, Box::new(Pipeline::new(name)));
    }
    let found = ctx.pipelines.get_mut(name).map(|pipeline| &mut **pipeline);
    found.ok_or_else(|| GlError::invalid_operation(format!("{command}: there is no pipeline {name}")))
}

pub fn BindProgramPipeline(ctx: &mut Context, name: GLuint) -> GlResult {
    let command = "glBindProgramPipeline";
    if ctx.transform_feedback_is_capturing() {
        return Err(GlError::invalid_operation(format!("{command}: transform feedback is active and not paused")));
    }
    if name != 0 {
        object(ctx, command, name)?;
    }
    bind(ctx, name);
    Ok(())
}

fn bind(ctx: &mut Context, name: GLuint) {
    if std::mem::replace(&mut ctx.state.programs.pipeline, name) != name {
        reset_subroutines(ctx, |_| true);
        ctx.state.programs.pipeline_changed = true;
    }
}

/// GL 4.6 core 7.10: subroutine uniforms are state of the context, lost where the active program of a stage changes. While
/// a program is in use, those of the bound pipeline are not active.
fn reset_subroutines(ctx: &mut Context, stages: impl Fn(Stage) -> bool) {
    let programs = &ctx.state.programs;
    let Some(pipeline) = ctx.pipelines.get(programs.pipeline).filter(|_| programs.current.is_none()) else { return };
    for stage in Stage::ALL.into_iter().filter(|stage| stages(*stage)) {
        if let Some(executable) = pipeline.executable(stage)
            && !executable.reflection().subroutines.is_empty()
        {
            executable.reset_subroutines(|of| of == stage);
            ctx.dirty.insert(DirtySet::UNIFORMS);
        }
    }
}

pub fn UseProgramStages(ctx: &mut Context, name: GLuint, stages: GLbitfield, program_name: GLuint) -> GlResult {
    let command = "glUseProgramStages";
    let known = STAGE_BITS.iter().fold(0, |all, bit| all | bit);
    if stages != GL_ALL_SHADER_BITS && stages & !known != 0 {
        return Err(GlError::invalid_value(format!("{command}: stages 0x{stages:X}")));
    }
    let program = match program_name {
        0 => None,
        name => Some(program(ctx, command, name)?),
    };
    let taken = match &program {
        None => None,
        Some(program) => {
            let state = program.state.lock();
            let executable = state.linked().filter(|e| e.is_separable()).map(Arc::clone);
            let executable = executable.ok_or_else(|| {
                GlError::invalid_operation(format!("{command}: program {program_name} is not linked as separable"))
            })?;
            Some((executable, program.header.generation()))
        }
    };
    if ctx.state.programs.pipeline == name && ctx.transform_feedback_is_capturing() {
        return Err(GlError::invalid_operation(format!("{command}: transform feedback is active and not paused")));
    }
    let pipeline = object(ctx, command, name)?;
    let mut exchanged = [false; Stage::COUNT];
    let mut dropped: [Option<Arc<Program>>; Stage::COUNT] = Default::default();
    for stage in Stage::ALL.into_iter().filter(|s| stages & STAGE_BITS[s.index()] != 0) {
        let new = program.as_ref().zip(taken.as_ref()).and_then(|(program, (executable, generation))| {
            // GL 4.6 core 7.4: a stage that the program lacks has none.
            executable.reflection().stages.has(stage).then(|| StageProgram {
                program: Arc::clone(program),
                executable: Arc::clone(executable),
                seen_generation: *generation,
            })
        });
        let index = stage.index();
        let place = &mut pipeline.stages[index];
        exchanged[index] =
            !same_object(place.as_ref().map(|old| &old.executable), new.as_ref().map(|new| &new.executable));
        if exchanged[index] {
            if let Some(new) = &new {
                new.program.start_use();
            }
            dropped[index] = std::mem::replace(place, new).map(|old| old.program);
        }
    }
    dropped.iter().flatten().for_each(|program| end_use(ctx, program));
    if exchanged.contains(&true) {
        link_ahead(ctx, name);
    }
    if ctx.state.programs.pipeline == name && exchanged.contains(&true) {
        reset_subroutines(ctx, |stage| exchanged[stage.index()]);
        ctx.state.programs.pipeline_changed = true;
    }
    Ok(())
}

/// Begins the link of what draws with a new pipeline will run, so that the first of them does not. Where stages change
/// between draws, one after the other, nothing says which of the combinations is drawn with.
fn link_ahead(ctx: &mut Context, name: GLuint) {
    let legacy = crate::fixed_function::usual(ctx);
    let Some(pipeline) = ctx.pipelines.get_mut(name).filter(|p| !p.composed && p.is_complete()) else { return };
    let key = pipeline.key();
    if pipeline.ahead.as_ref().is_some_and(|ahead| ahead.key == key)
        || ctx.state.programs.composed.get(&ctx.device, &key).is_some()
    {
        return;
    }
    let parts: Box<[Arc<Executable>]> = pipeline.drawing().map(Arc::clone).collect();
    let wanted = Arc::new(());
    let (asked, device, own) = (Arc::downgrade(&wanted), Arc::clone(&ctx.device), parts.clone());
    let outcome = ctx.device.pool.submit(Err("the link failed".into()), move || {
        let _asked = asked.upgrade().ok_or("nobody wants it any more")?;
        Executable::composed(&device, &own, legacy)
    });
    pipeline.ahead = Some(Ahead { key, parts, outcome, wanted });
}

pub fn ActiveShaderProgram(ctx: &mut Context, name: GLuint, program_name: GLuint) -> GlResult {
    let command = "glActiveShaderProgram";
    let program = match program_name {
        0 => None,
        name => Some(program(ctx, command, name)?),
    };
    if program.as_ref().is_some_and(|p| p.state.lock().linked().is_none()) {
        return Err(GlError::invalid_operation(format!("{command}: program {program_name} is not linked")));
    }
    let pipeline = object(ctx, command, name)?;
    if let Some(program) = &program {
        program.start_use();
    }
    if let Some(old) = std::mem::replace(&mut pipeline.active, program) {
        end_use(ctx, &old);
    }
    Ok(())
}

pub fn ValidateProgramPipeline(ctx: &mut Context, name: GLuint) -> GlResult {
    let command = "glValidateProgramPipeline";
    if object(ctx, command, name)?.refresh() && ctx.state.programs.pipeline == name {
        ctx.state.programs.pipeline_changed = true;
    }
    let Some(pipeline) = ctx.pipelines.get(name) else { return Ok(()) };
    let empty = pipeline.stages.iter().all(Option::is_none);
    let fault = match pipeline.fault() {
        None if empty => Some("the pipeline has no programs".to_owned()),
        None => match ctx.composed(name) {
            Ok(Some(executable)) => {
                executable.follow_bindings();
                super::programs::sampler_conflict(&executable)
            }
            Ok(None) => None,
            Err(fault) => Some(fault),
        },
        fault => fault,
    };
    let pipeline = object(ctx, command, name)?;
    pipeline.validate_ok = fault.is_none();
    let line = |text: String| format!("error: {}\n", text.trim_end().trim_start_matches("error: "));
    pipeline.log = fault.map_or(String::new(), line);
    Ok(())
}

pub fn GetProgramPipelineiv(ctx: &mut Context, name: GLuint, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    let command = "glGetProgramPipelineiv";
    let pipeline = object(ctx, command, name)?;
    let value = match pname {
        GL_ACTIVE_PROGRAM => pipeline.active.as_ref().map_or(0, |p| p.header.name) as GLint,
        GL_VALIDATE_STATUS => pipeline.validate_ok.into(),
        GL_INFO_LOG_LENGTH if pipeline.log.is_empty() => 0,
        GL_INFO_LOG_LENGTH => pipeline.log.len() as GLint + 1,
        _ => {
            let stage = STAGE_NAMES.iter().position(|stage| *stage == pname);
            let stage = stage.ok_or_else(|| GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")))?;
            pipeline.stages[stage].as_ref().map_or(0, |s| s.program.header.name) as GLint
        }
    };
    params.write(&[value]);
    Ok(())
}

pub fn GetProgramPipelineInfoLog(
    ctx: &mut Context,
    name: GLuint,
    buf_size: GLsizei,
    length: ClientPtrMut<GLsizei>,
    log: ClientPtrMut<GLchar>,
) -> GlResult {
    let command = "glGetProgramPipelineInfoLog";
    check_buf_size(command, buf_size)?;
    log.write_string(buf_size, length, object(ctx, command, name)?.log.as_bytes());
    Ok(())
}

pub fn CreateShaderProgramv(
    ctx: &mut Context,
    kind: GLenum,
    count: GLsizei,
    strings: ClientPtr<ClientPtr<GLchar>>,
) -> GlResult<GLuint> {
    let command = "glCreateShaderProgramv";
    stage_of(ctx, command, kind)?;
    if count < 0 {
        return Err(GlError::invalid_value(format!("{command}: count is {count}")));
    }
    // GL 4.6 core 7.3: as if by the commands for each step.
    let shader = super::shaders::CreateShader(ctx, kind)?;
    super::shaders::ShaderSource(ctx, shader, count, strings, ClientPtrMut::from_address(0).as_const())?;
    super::shaders::CompileShader(ctx, shader)?;
    let name = super::programs::CreateProgram(ctx);
    let program = unsettled(ctx, command, name)?;
    program.state.lock().separable = true;
    let compiled = super::shaders::shader(ctx, command, shader)?.state.lock().compiled.clone();
    let compiled = compiled.map(|pending| pending.wait().clone());
    if compiled.as_ref().is_some_and(|c| c.ok) {
        super::programs::AttachShader(ctx, name, shader)?;
        super::programs::LinkProgram(ctx, name)?;
        super::programs::settle(ctx, &program);
        super::programs::DetachShader(ctx, name, shader)?;
    }
    program.state.lock().log.push_str(compiled.as_ref().map_or("", |c| c.log.as_str()));
    super::shaders::DeleteShader(ctx, shader)?;
    Ok(name)
}

impl Context {
    /// What a pipeline's draws run: none without stages that draw; a text where its programs don't go together.
    pub(crate) fn composed(&mut self, name: GLuint) -> Result<Option<Arc<Executable>>, String> {
        let Some(pipeline) = self.pipelines.get_mut(name) else { return Ok(None) };
        if pipeline.drawing().nth(1).is_none() {
            return Ok(pipeline.drawing().next().map(Arc::clone));
        }
        let key = pipeline.key();
        pipeline.composed = true;
        if let Some(known) = self.state.programs.composed.get(&self.device, &key) {
            return known.map(Some);
        }
        let (parts, made) = match pipeline.ahead.take().filter(|ahead| ahead.key == key) {
            Some(ahead) => {
                let made = ahead.outcome.wait().clone();
                (ahead.parts, made)
            }
            None => {
                let parts: Box<[Arc<Executable>]> = pipeline.drawing().map(Arc::clone).collect();
                let made = Executable::composed(&self.device, &parts, crate::fixed_function::usual(self));
                (parts, made)
            }
        };
        self.state.programs.composed.insert(key, parts, made.clone());
        made.map(Some)
    }

    /// Looks at the bound pipeline anew when it, or a program of it, changed.
    pub(crate) fn refresh_pipeline(&mut self) {
        let name = self.state.programs.pipeline;
        let pipeline = self.pipelines.get_mut(name);
        if !self.state.programs.pipeline_changed && !pipeline.as_ref().is_some_and(|p| p.moved()) {
            return;
        }
        let (mut fault, mut compute) = (None, None);
        if let Some(pipeline) = pipeline {
            pipeline.refresh();
            fault = pipeline.fault();
            compute = pipeline.executable(Stage::Compute).map(Arc::clone);
        }
        let mut executable = None;
        if fault.is_none() {
            match self.composed(name) {
                Ok(composed) => executable = composed,
                Err(log) => fault = Some(log),
            }
        }
        let programs = &mut self.state.programs;
        programs.pipeline_changed = false;
        if same_object(programs.own.as_ref(), executable.as_ref())
            && same_object(programs.compute.as_ref(), compute.as_ref())
            && programs.pipeline_fault.is_none()
            && fault.is_none()
        {
            return;
        }
        programs.pipeline_fault = fault;
        programs.own.clone_from(&executable);
        programs.executable = executable;
        programs.compute = compute;
        program_changed(self);
    }

    /// Looks at the program whose uniforms the bound pipeline lets glUniform* set.
    pub(crate) fn refresh_active(&mut self) {
        let programs = &mut self.state.programs;
        let program = self.pipelines.get(programs.pipeline).and_then(|pipeline| pipeline.active.as_ref());
        let Some(program) = program else {
            programs.active = None;
            return;
        };
        let generation = program.header.generation();
        let seen = |(known, _, seen): &(Arc<Program>, Arc<Executable>, u64)| {
            Arc::ptr_eq(known, program) && *seen == generation
        };
        if !programs.active.as_ref().is_some_and(seen) {
            let executable = program.state.lock().executable.clone();
            programs.active = executable.map(|executable| (Arc::clone(program), executable, generation));
        }
    }

    /// The executable of the program that a stage is of, in use or in the bound pipeline.
    pub(crate) fn own_of_stage(&self, stage: Stage) -> Option<&Arc<Executable>> {
        let programs = &self.state.programs;
        if programs.current.is_some() {
            return programs.own.as_ref();
        }
        self.pipelines.get(programs.pipeline)?.executable(stage)
    }
}
