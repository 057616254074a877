//! Execution modes: which each stage has, and which it must have (SPIR-V 1.0 section 3.6).

use std::collections::HashSet;

use spirv::{ExecutionMode, Op};

use super::super::module::{Inst, Module};
use super::globals::Globals;
use super::{Check, refuse};
use crate::stage::{CompileOptions, Stage};

/// Stages that have a mode, and its literals.
fn rule(mode: ExecutionMode) -> Option<(&'static [Stage], usize)> {
    use ExecutionMode::*;
    use Stage::*;
    Some(match mode {
        Invocations => (&[Geometry], 1),
        SpacingEqual
        | SpacingFractionalEven
        | SpacingFractionalOdd
        | VertexOrderCw
        | VertexOrderCcw
        | PointMode
        | Quads
        | Isolines => (&[TessEvaluation], 0),
        Triangles => (&[TessEvaluation, Geometry], 0),
        PixelCenterInteger | OriginUpperLeft | OriginLowerLeft | EarlyFragmentTests | DepthReplacing | DepthGreater
        | DepthLess | DepthUnchanged => (&[Fragment], 0),
        Xfb => (&[Vertex, TessEvaluation, Geometry], 0),
        LocalSize => (&[Compute], 3),
        InputPoints
        | InputLines
        | InputLinesAdjacency
        | InputTrianglesAdjacency
        | OutputPoints
        | OutputLineStrip
        | OutputTriangleStrip => (&[Geometry], 0),
        OutputVertices => (&[TessControl, Geometry], 1),
        _ => return None,
    })
}

/// One of these, where there is a need.
const GROUPS: &[(&[ExecutionMode], Option<Stage>)] = {
    use ExecutionMode::*;
    &[
        (&[Triangles, Quads, Isolines], Some(Stage::TessEvaluation)),
        (&[SpacingEqual, SpacingFractionalEven, SpacingFractionalOdd], None),
        (&[VertexOrderCw, VertexOrderCcw], None),
        (&[OriginUpperLeft, OriginLowerLeft], Some(Stage::Fragment)),
        (&[DepthGreater, DepthLess, DepthUnchanged], None),
        (&[InputPoints, InputLines, InputLinesAdjacency, Triangles, InputTrianglesAdjacency], Some(Stage::Geometry)),
        (&[OutputPoints, OutputLineStrip, OutputTriangleStrip], Some(Stage::Geometry)),
        (&[OutputVertices], Some(Stage::Geometry)),
        (&[OutputVertices], Some(Stage::TessControl)),
    ]
};

/// Checks the modes of the entry point.
pub(super) fn check(module: &mut Module, globals: &Globals, stage: Stage, options: &CompileOptions) -> Check {
    let limits = &options.limits;
    let mut modes = HashSet::new();
    for inst in &module.execution_modes {
        let known = ExecutionMode::from_u32(inst.word(1)).and_then(|mode| Some((mode, rule(mode)?)));
        let Some((mode, (stages, literals))) = known else {
            refuse!("execution mode {} is not supported", inst.word(1))
        };
        if inst.op != Op::ExecutionMode || inst.words.len() != 2 + literals || !stages.contains(&stage) {
            refuse!("execution mode {mode:?} is not one of this stage");
        }
        if !modes.insert(mode as u32) {
            refuse!("execution mode {mode:?} is given twice");
        }
        let value = inst.word(2);
        let fits = match (mode, stage) {
            (ExecutionMode::Invocations, _) => (1..=32).contains(&value),
            (ExecutionMode::OutputVertices, Stage::TessControl) => (1..=limits.max_patch_vertices).contains(&value),
            (ExecutionMode::OutputVertices, _) => (1..=limits.max_geometry_output_vertices).contains(&value),
            _ => true,
        };
        if !fits {
            refuse!("execution mode {mode:?} is beyond the limits");
        }
    }
    for (group, needed) in GROUPS {
        match group.iter().filter(|mode| modes.contains(&(**mode as u32))).count() {
            0 if *needed == Some(stage) => refuse!("none of the execution modes {group:?} is given"),
            0 | 1 => {}
            _ => refuse!("more than one of the execution modes {group:?} is given"),
        }
    }
    if stage == Stage::Compute {
        work_group(module, globals, options)?;
    }
    Ok(())
}

/// Vertices that arrays over vertices have: inputs of a geometry stage, outputs of a control stage.
pub(super) fn vertices(module: &Module, stage: Stage, output: bool) -> Option<u32> {
    use ExecutionMode::*;
    let mode = |wanted: ExecutionMode| module.execution_modes.iter().find(|m| m.word(1) == wanted as u32);
    match (stage, output) {
        (Stage::TessControl, true) => mode(OutputVertices).map(|m| m.word(2)),
        (Stage::Geometry, false) => {
            let all = [
                (InputPoints, 1),
                (InputLines, 2),
                (Triangles, 3),
                (InputLinesAdjacency, 4),
                (InputTrianglesAdjacency, 6),
            ];
            all.into_iter().find(|(wanted, _)| mode(*wanted).is_some()).map(|(_, count)| count)
        }
        _ => None,
    }
}

/// GL 4.6 core appendix C.4: a compute shader says how large its work groups are; a constant that is their size wins.
fn work_group(module: &mut Module, globals: &Globals, options: &CompileOptions) -> Check {
    let is_size = |m: &Inst| m.word(1) == ExecutionMode::LocalSize as u32;
    let given = module.execution_modes.iter().find(|m| is_size(m)).map(|m| [m.word(2), m.word(3), m.word(4)]);
    let Some(size) = globals.group_size.or(given) else { refuse!("no work group size is given") };
    let limits = &options.limits;
    let all = size.iter().fold(1u32, |n, part| n.saturating_mul(*part));
    let within = size.iter().zip(limits.max_compute_work_group_size).all(|(n, most)| (1..=most).contains(n));
    if !within || all > limits.max_compute_work_group_invocations {
        refuse!("the work group size is beyond the limits");
    }
    module.execution_modes.retain(|m| !is_size(m));
    let entry = module.entry_function();
    let mut words = vec![entry, ExecutionMode::LocalSize as u32];
    words.extend(size);
    module.execution_modes.push(Inst::new(Op::ExecutionMode, &words));
    Ok(())
}
