//! Program pipeline objects (GL 4.6 core 7.4). They belong to one context.

use std::sync::Arc;

use gallite_shader::Stage;
use gallite_shader::pool::Pending;

use crate::executable_cache::Made;
use crate::objects::executable::Executable;
use crate::objects::program::Program;
use crate::share::ObjectHeader;

/// A program pipeline object.
#[derive(Debug)]
pub struct Pipeline {
    /// Name and label.
    pub header: ObjectHeader,
    /// The program of each stage, and its generation when its executable was last looked at.
    pub stages: [Option<StageProgram>; Stage::COUNT],
    /// GL_ACTIVE_PROGRAM: the program that glUniform* sets uniforms of.
    pub active: Option<Arc<Program>>,
    /// GL_VALIDATE_STATUS.
    pub validate_ok: bool,
    /// GL_INFO_LOG.
    pub log: String,
    /// The link of what its draws run, where that is under way.
    pub ahead: Option<Ahead>,
    /// Whether its programs were put together before.
    pub composed: bool,
}

/// Executables by their addresses, for as long as something holds on to them.
pub type Addresses = [usize; Stage::COUNT];

/// A link under way of the programs of a pipeline. One that is dropped before a thread began it is not made.
#[derive(Debug)]
pub struct Ahead {
    /// Stands for the parts.
    pub key: Addresses,
    /// The executables of the programs.
    pub parts: Box<[Arc<Executable>]>,
    /// What comes of it.
    pub outcome: Pending<Made>,
    /// Says that somebody still wants it.
    pub wanted: Arc<()>,
}

/// The program of a stage.
#[derive(Debug, Clone)]
pub struct StageProgram {
    /// The program.
    pub program: Arc<Program>,
    /// Outcome of its last successful link that a pipeline took.
    pub executable: Arc<Executable>,
    /// The program's generation then.
    pub seen_generation: u64,
}

impl Pipeline {
    /// An empty one.
    pub fn new(name: u32) -> Self {
        Self {
            header: ObjectHeader::new(name),
            stages: Default::default(),
            active: None,
            validate_ok: false,
            log: String::new(),
            ahead: None,
            composed: false,
        }
    }

    /// The programs it holds on to.
    pub fn programs(&self) -> impl Iterator<Item = &Arc<Program>> {
        self.stages.iter().flatten().map(|s| &s.program).chain(&self.active)
    }

    /// Whether a program of it was linked anew.
    pub fn moved(&self) -> bool {
        self.stages.iter().flatten().any(|s| s.program.header.generation() != s.seen_generation)
    }

    /// Takes new links of its programs; true when there were any.
    pub fn refresh(&mut self) -> bool {
        let moved = self.moved();
        for stage in self.stages.iter_mut().flatten() {
            stage.seen_generation = stage.program.header.generation();
            if let Some(executable) = stage.program.state.lock().linked() {
                stage.executable = Arc::clone(executable);
            }
        }
        moved
    }

    /// The executable of a stage.
    pub fn executable(&self, stage: Stage) -> Option<&Arc<Executable>> {
        self.stages[stage.index()].as_ref().map(|s| &s.executable)
    }

    /// The executables of the stages that draw, each once, in the order of the pipeline.
    pub fn drawing(&self) -> impl Iterator<Item = &Arc<Executable>> {
        let stages = &self.stages[..Stage::Compute.index()];
        stages.iter().enumerate().filter_map(|(index, stage)| {
            let executable = &stage.as_ref()?.executable;
            let before = |other: &StageProgram| Arc::ptr_eq(&other.executable, executable);
            (!stages[..index].iter().flatten().any(before)).then_some(executable)
        })
    }

    /// Stands for the executables of the stages that draw.
    pub fn key(&self) -> Addresses {
        let mut key = [0; Stage::COUNT];
        for (place, part) in key.iter_mut().zip(self.drawing()) {
            *place = Arc::as_ptr(part) as usize;
        }
        key
    }

    /// Whether it is likely as it will be drawn with: of several programs that go together, from vertices to fragments.
    pub fn is_complete(&self) -> bool {
        let has = |stage| self.executable(stage).is_some();
        has(Stage::Vertex) && has(Stage::Fragment) && self.drawing().nth(1).is_some() && self.fault().is_none()
    }

    /// What keeps the pipeline from drawing (GL 4.6 core 11.1.3.11).
    pub fn fault(&self) -> Option<String> {
        let present = |stage: Stage| self.executable(stage);
        for stage in Stage::ALL[..Stage::Compute.index()].iter().copied() {
            let Some(executable) = present(stage) else { continue };
            if !executable.is_separable() {
                return Some("a program was linked anew without GL_PROGRAM_SEPARABLE".into());
            }
            for other in Stage::ALL.into_iter().filter(|s| executable.reflection().stages.has(*s)) {
                if !present(other).is_some_and(|e| Arc::ptr_eq(e, executable)) {
                    let text =
                        format!("a program is used for its {} stage and not for its {}", stage.name(), other.name());
                    return Some(text);
                }
            }
        }
        for executable in self.drawing() {
            let own = |stage: &Stage| present(*stage).is_some_and(|e| Arc::ptr_eq(e, executable));
            let drawing = || Stage::ALL[..Stage::Compute.index()].iter();
            let (Some(first), Some(last)) = (drawing().find(|s| own(s)), drawing().rfind(|s| own(s))) else { continue };
            let between = |s: &&Stage| **s > *first && **s < *last;
            if drawing().filter(between).any(|s| present(*s).is_some() && !own(s)) {
                return Some("a program lies between two stages of another".into());
            }
        }
        let fed = [Stage::TessControl, Stage::TessEvaluation, Stage::Geometry];
        if present(Stage::Vertex).is_none() && fed.iter().any(|stage| present(*stage).is_some()) {
            return Some("there is no vertex shader for the stages after it".into());
        }
        if present(Stage::TessControl).is_some() && present(Stage::TessEvaluation).is_none() {
            return Some("there is a tessellation control shader and no evaluation shader".into());
        }
        None
    }
}
