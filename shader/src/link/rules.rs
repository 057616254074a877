//! Rules of the stages of a program that are neither about types nor about limits: vertex streams, positions, colours
//! and their interpolation.

use super::{Linker, StageUnit};
use crate::front::redeclared::Colors;
use crate::link::interface::IoVar;
use crate::spirv::{BuiltIn, Decoration, ExecutionMode, Module, Op, TypeTable};
use crate::stage::Stage;

/// The most vertex streams of a geometry shader.
const STREAMS: u32 = 4;

/// Checks each stage for itself.
pub(super) fn check_stages(linker: &mut Linker<'_>) {
    let mut errors = Vec::new();
    for unit in &linker.stages {
        match unit.stage {
            Stage::Geometry => streams(&unit.module, &mut errors),
            Stage::Vertex if !linker.input.separable => position(unit, &mut errors),
            _ => {}
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
}

/// GLSL 1.10 section 7.1: a vertex shader writes gl_Position. GLSL 1.40 left the value undefined instead.
fn position(unit: &StageUnit, errors: &mut Vec<String>) {
    let writes = |o: &IoVar| o.built_in == Some(BuiltIn::Position) && unit.used.contains(&o.id);
    if unit.version < 140 && !unit.es && !unit.declared.outputs.iter().any(writes) {
        errors.push("vertex shader does not write to `gl_Position'".into());
    }
}

/// GLSL 4.00 section 8.10: vertices of other streams than the first are points, and streams have numbers below the limit.
fn streams(module: &Module, errors: &mut Vec<String>) {
    let emitted = module.functions.iter().flat_map(|f| &f.insts);
    let operands = emitted.filter(|i| matches!(i.op, Op::EmitStreamVertex | Op::EndStreamPrimitive));
    let mut operands = operands.map(|i| i.word(0)).peekable();
    if operands.peek().is_none() {
        return;
    }
    let table = TypeTable::new(module);
    let streams: Vec<u32> = operands.filter_map(|id| table.constant(id)).collect();
    if streams.iter().any(|s| *s >= STREAMS) {
        errors.push(format!("geometry shader emits to a stream beyond the limit of {STREAMS}"));
    }
    let points = module.execution_modes.iter().any(|m| m.word(1) == ExecutionMode::OutputPoints as u32);
    if !points && streams.iter().any(|s| *s != 0) {
        errors.push("geometry shader with several vertex streams has no points as output".into());
    }
}

/// What a fragment shader reads of the stage before it: GLSL 1.10 section 4.3.6 wants it to be written there, and GLSL
/// 4.00 section 4.3.6 to be of the first stream.
pub(super) fn check_read(errors: &mut Vec<String>, from: &StageUnit, to: &StageUnit, output: &IoVar, input: &IoVar) {
    if to.stage != Stage::Fragment || input.name.starts_with("gl_") {
        return;
    }
    let name = &output.name;
    if from.version.max(to.version) <= 120 && !from.es && !from.used.contains(&output.id) {
        errors.push(format!("fragment shader varying `{name}' is not written by the {} shader", from.stage.name()));
    }
    if from.module.decoration(output.id, Decoration::Stream).unwrap_or(0) != 0 {
        errors.push(format!("fragment shader input `{name}' is of a vertex stream other than the first"));
    }
}

/// GLSL 1.30 section 4.3.7: the colours that a fragment shader reads and those that are written for it are redeclared
/// with the same qualifier.
pub(super) fn check_colors(errors: &mut Vec<String>, from: &StageUnit, to: &StageUnit) {
    const COLORS: [(&str, [&str; 2]); 2] = [
        ("gl_Color", ["gl_FrontColor", "gl_BackColor"]),
        ("gl_SecondaryColor", ["gl_FrontSecondaryColor", "gl_BackSecondaryColor"]),
    ];
    let qualifier = |colors: &Colors, name: &str| colors.iter().find(|c| c.0 == name).map(|c| c.1);
    for (read, written) in COLORS {
        if !to.declared.inputs.iter().any(|i| i.name == read && to.used.contains(&i.id)) {
            continue;
        }
        let wanted = qualifier(&to.colors, read);
        for output in from.declared.outputs.iter().filter(|o| written.contains(&o.name.as_str())) {
            if from.used.contains(&output.id) && qualifier(&from.colors, &output.name) != wanted {
                errors.push(format!(
                    "{} shader output `{}' and fragment shader input `{read}' have different interpolation qualifiers",
                    from.stage.name(),
                    output.name
                ));
            }
        }
    }
}
