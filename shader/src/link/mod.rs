//! Linking: from shader objects to an executable program (GL 4.6 core section 7.3).
//!
//! The order matters: interfaces are matched and named first, while each stage still has GL's
//! shape; then each stage's SPIR-V is rewritten to the descriptor ABI.

mod access;
mod attributes;
mod blocks;
mod columns;
mod copies;
mod counters;
mod distances;
mod finish;
pub(crate) mod interface;
mod legacy;
mod limits;
mod pack;
mod resources;
mod rules;
mod subroutines;
pub(crate) mod types;
mod uniforms;
mod varyings;
mod xfb;
mod xfb_layout;

use std::collections::HashSet;
use std::sync::Arc;

use gallite_pipe::ShaderBinding;

use crate::front;
use crate::front::redeclared::{Colors, PerVertex};
use crate::front::subroutines::Subroutines;
use crate::passes;
use crate::program::{LinkInput, LinkResult, LinkedProgram, space_prefix};
use crate::reflection::Reflection;
use crate::spirv::{Module, calls};
use crate::stage::{Stage, StageMask};
use interface::Interface;

/// One stage on its way through the link.
pub(crate) struct StageUnit {
    pub stage: Stage,
    pub module: Module,
    /// The program of a pipeline that it is of, see [`LinkInput::spaces`].
    pub space: Option<u8>,
    /// Everything the stage declares, used or not.
    pub declared: Arc<Interface>,
    /// Variables its code refers to.
    pub used: Arc<HashSet<u32>>,
    /// First location after the outputs placed so far.
    pub next_output_location: u32,
    /// Highest language version of its shader objects.
    pub version: u32,
    /// They are written in a language of OpenGL ES.
    pub es: bool,
    /// All its outputs are invariant by a pragma.
    pub all_invariant: bool,
    /// The built-in input and output block.
    pub per_vertex: [PerVertex; 2],
    /// It has calls of functions whose comparisons have four components, `shadow2D` and its like.
    pub shadow_functions: bool,
    /// Built-in colours that are redeclared.
    pub colors: Colors,
    /// Its subroutines.
    pub subroutines: Option<Arc<Subroutines>>,
}

/// The state of one link.
pub(crate) struct Linker<'a> {
    pub input: &'a LinkInput<'a>,
    pub log: String,
    pub failed: bool,
    pub stages: Vec<StageUnit>,
    pub reflection: Reflection,
    pub bindings: Vec<ShaderBinding>,
}

impl Linker<'_> {
    /// Records an error.
    pub fn error(&mut self, text: &str) {
        self.failed = true;
        self.log.push_str("error: ");
        self.log.push_str(text);
        self.log.push('\n');
    }
}

/// The name that something of a program has in the reflection.
pub(crate) fn spaced(space: Option<u8>, name: &str) -> String {
    match space {
        Some(space) => space_prefix(space) + name,
        None => name.to_owned(),
    }
}

/// Links a program. Never panics on any input; a failed link leaves `program` empty.
pub fn link(input: &LinkInput<'_>) -> LinkResult {
    let mut linker = Linker {
        input,
        log: String::new(),
        failed: false,
        stages: Vec::new(),
        reflection: Reflection::default(),
        bindings: Vec::new(),
    };
    let program = run(&mut linker);
    LinkResult { ok: program.is_some(), log: linker.log, program: program.map(Arc::new) }
}

fn run(linker: &mut Linker<'_>) -> Option<LinkedProgram> {
    gather(linker);
    if linker.failed {
        return None;
    }
    rules::check_stages(linker);
    legacy::prepare(linker);
    distances::carry(linker);
    let placements = uniforms::link(linker);
    let plan = xfb::plan(linker);
    if linker.failed {
        return None;
    }
    varyings::link(linker, &plan.kept());
    attributes::link_attributes(linker);
    attributes::link_outputs(linker);
    if linker.failed {
        return None;
    }
    legacy::alpha_test(linker);
    xfb::apply(linker, &plan);
    if linker.failed {
        return None;
    }
    resources::list(linker);
    if linker.failed {
        return None;
    }
    for (s, placement) in placements.iter().enumerate() {
        let unit = &mut linker.stages[s];
        if let Err(fault) = passes::lower_uniforms::run(&mut unit.module, placement) {
            let text = format!("{} shader: {fault}", unit.stage.name());
            linker.error(&text);
            return None;
        }
    }
    finish::run(linker);
    linker.bindings.sort_by_key(|b| (b.kind.0, b.binding));
    let mut stages: [Option<Arc<[u32]>>; Stage::COUNT] = Default::default();
    for unit in &mut linker.stages {
        if !linker.input.named {
            unit.module.names.clear();
        }
        stages[unit.stage.index()] = Some(unit.module.words().into());
    }
    Some(LinkedProgram {
        stages,
        bindings: std::mem::take(&mut linker.bindings),
        reflection: std::mem::take(&mut linker.reflection),
    })
}

/// Collects one unit per stage and checks that the stages make a program.
fn gather(linker: &mut Linker<'_>) {
    let input = linker.input;
    if input.shaders.is_empty() {
        linker.error("no shaders attached");
        return;
    }
    if input.shaders.iter().any(|s| !s.ok) {
        linker.error("linking with an uncompiled shader");
        return;
    }
    let mut present = StageMask(0);
    for stage in Stage::ALL {
        let shaders: Vec<_> = input.shaders.iter().filter(|s| s.stage == stage).collect();
        let space = input.shaders.iter().position(|s| s.stage == stage).and_then(|at| input.spaces.get(at).copied());
        if shaders.is_empty() {
            continue;
        }
        present |= stage.bit();
        match front::stage_unit(stage, &shaders, &input.limits) {
            Ok(mut unit) => {
                if let Err(fault) = calls::reachable(&unit.module) {
                    linker.error(&format!("{} shader: {fault}", stage.name()));
                    continue;
                }
                passes::constant_tables::run(&mut unit.module);
                linker.stages.push(StageUnit { space, ..unit });
            }
            Err(log) => {
                for line in log.lines() {
                    linker.error(&format!("{} shader: {line}", stage.name()));
                }
            }
        }
    }
    linker.reflection.stages = present;
    let language = |unit: &StageUnit| (unit.es, if unit.es { unit.version } else { 0 });
    // The rule is one of programs, of which a pipeline may have several.
    let mixed = |[a, b]: [&StageUnit; 2]| a.space == b.space && language(a) != language(b);
    if linker.stages.windows(2).any(|pair| mixed([&pair[0], &pair[1]])) {
        linker.error(front::MIXED);
    }
    if present.has(Stage::Compute) && present != Stage::Compute.bit() {
        linker.error("compute shaders may not be linked with any other type of shader");
    }
    if input.separable {
        return;
    }
    // GL 4.6 core 7.3: these stages feed on a vertex shader.
    for stage in [Stage::Geometry, Stage::TessControl, Stage::TessEvaluation] {
        if present.has(stage) && !present.has(Stage::Vertex) {
            linker.error(&format!("{} shader must be linked with a vertex shader", stage.name()));
        }
    }
    if present.has(Stage::TessControl) && !present.has(Stage::TessEvaluation) {
        linker.error("tessellation control shader must be linked with a tessellation evaluation shader");
    }
}
