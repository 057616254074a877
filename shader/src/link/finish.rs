//! The last steps of a link: built-ins in Vulkan's terms, and the facts drivers branch on.

use std::collections::{HashMap, HashSet};

use super::access::samplers_read;
use super::{Linker, StageUnit};
use crate::gl_type;
use crate::passes::variable_group_size;
use crate::reflection::{ComputeInfo, GeometryInfo, ProgramFlags, TessellationInfo};
use crate::spirv::{BuiltIn, Decoration, ExecutionMode, Inst, Module, Op, StorageClass};
use crate::stage::Stage;

/// Runs the last steps.
pub(super) fn run(linker: &mut Linker<'_>) {
    collect_flags(linker);
    for unit in &mut linker.stages {
        rename_vertex_ids(&mut unit.module);
        order_counters_as_memory(&mut unit.module);
        if unit.stage == Stage::Fragment {
            settle_origin(&mut unit.module);
            zero_unwritten(&mut unit.module, &linker.reflection.flags);
        }
        unit.module.prune();
    }
    let samplers = linker.reflection.sampler_count;
    if samplers > 0 {
        let read: HashSet<u32> = linker.stages.iter().flat_map(|unit| samplers_read(&unit.module)).collect();
        linker.reflection.unread_samplers = (0..samplers).filter(|i| !read.contains(i)).collect();
    }
}

/// `gl_VertexID` and `gl_InstanceID` have Vulkan counterparts that agree with GL for a base
/// instance of 0; drivers subtract a base instance where they support one.
fn rename_vertex_ids(module: &mut Module) {
    for a in &mut module.annotations {
        if a.op == Op::Decorate && a.word(1) == Decoration::BuiltIn as u32 {
            if a.word(2) == BuiltIn::VertexId as u32 {
                a.words[2] = BuiltIn::VertexIndex as u32;
            } else if a.word(2) == BuiltIn::InstanceId as u32 {
                a.words[2] = BuiltIn::InstanceIndex as u32;
            }
        }
    }
}

/// ARB_fragment_layer_viewport: layer and viewport of a fragment are zero where no stage writes them; Vulkan leaves them
/// undefined.
fn zero_unwritten(module: &mut Module, flags: &ProgramFlags) {
    for (built_in, is_written) in
        [(BuiltIn::Layer, flags.writes_layer), (BuiltIn::ViewportIndex, flags.writes_viewport)]
    {
        if !is_written && let Some(input) = module.find_built_in(built_in, StorageClass::Input) {
            // A private variable begins as zero.
            module.demote_to_private(input);
            module.fix_interface();
        }
    }
}

/// Row 0 of every image is GL's bottom row, so GL's lower-left origin is Vulkan's upper-left one.
/// `pixel_center_integer` becomes a subtraction.
fn settle_origin(module: &mut Module) {
    let integer = module.execution_modes.iter().any(|m| m.word(1) == ExecutionMode::PixelCenterInteger as u32);
    module.execution_modes.retain(|m| {
        m.word(1) != ExecutionMode::OriginLowerLeft as u32
            && m.word(1) != ExecutionMode::OriginUpperLeft as u32
            && m.word(1) != ExecutionMode::PixelCenterInteger as u32
    });
    let entry = module.entry_function();
    module.execution_modes.push(Inst::new(Op::ExecutionMode, &[entry, ExecutionMode::OriginUpperLeft as u32]));
    if !integer {
        return;
    }
    let Some(frag_coord) = module.find_built_in(BuiltIn::FragCoord, StorageClass::Input) else { return };
    let float = module.type_float();
    let vec4 = module.type_vector(float, 4);
    let (half, zero) = (module.const_float(0.5), module.const_float(0.0));
    let bias = module.intern(Op::ConstantComposite, &[vec4, half, half, zero, zero]);
    module.replace_input(frag_coord, vec4, |module, value, out| {
        let id = module.id();
        out.push(Inst::new(Op::FSub, &[vec4, id, value, bias]));
        id
    });
}

/// Atomic counters live in storage buffers, so barriers that order them order those.
fn order_counters_as_memory(module: &mut Module) {
    const COUNTERS: u32 = spirv::MemorySemantics::ATOMIC_COUNTER_MEMORY.bits();
    const BUFFERS: u32 = spirv::MemorySemantics::UNIFORM_MEMORY.bits();
    let operand = |op: Op| match op {
        Op::MemoryBarrier => Some(1),
        Op::ControlBarrier => Some(2),
        _ => None,
    };
    for f in 0..module.functions.len() {
        for i in 0..module.functions[f].insts.len() {
            let inst = &module.functions[f].insts[i];
            let Some(at) = operand(inst.op) else { continue };
            let constant = module.globals.iter().find(|g| g.op == Op::Constant && g.word(1) == inst.word(at));
            let Some(semantics) = constant.map(|c| c.word(2)).filter(|s| s & COUNTERS != 0) else { continue };
            let id = module.const_uint(semantics & !COUNTERS | BUFFERS);
            module.functions[f].insts[i].words[at] = id;
        }
    }
}

fn writes(unit: &StageUnit, what: BuiltIn) -> bool {
    unit.declared.outputs.iter().any(|o| o.built_in == Some(what) && unit.used.contains(&o.id))
}

fn reads(unit: &StageUnit, what: BuiltIn) -> bool {
    unit.declared.inputs.iter().any(|o| o.built_in == Some(what) && unit.used.contains(&o.id))
}

fn has_op(unit: &StageUnit, f: impl Fn(Op) -> bool) -> bool {
    unit.module.functions.iter().flat_map(|f| &f.insts).any(|i| f(i.op))
}

/// Number of InterpolateAtOffset in GLSL.std.450.
const INTERPOLATE_AT_OFFSET: u32 = 78;

fn interpolates_at_offsets(unit: &StageUnit) -> bool {
    let mut insts = unit.module.functions.iter().flat_map(|f| &f.insts);
    insts.any(|i| i.op == Op::ExtInst && i.word(3) == INTERPOLATE_AT_OFFSET)
}

fn collect_flags(linker: &mut Linker<'_>) {
    let mut flags = linker.reflection.flags;
    let last = linker.reflection.last_pre_raster_stage();
    let (mut geometry, mut compute) = (None, None);
    let mut vertices_out = 0;
    let mut tessellation = None;
    for unit in &linker.stages {
        if Some(unit.stage) == last {
            flags.writes_point_size = writes(unit, BuiltIn::PointSize);
            flags.writes_layer = writes(unit, BuiltIn::Layer);
            flags.writes_viewport = writes(unit, BuiltIn::ViewportIndex);
            flags.clip_distances = unit
                .declared
                .outputs
                .iter()
                .find(|o| o.built_in == Some(BuiltIn::ClipDistance) && unit.used.contains(&o.id))
                .map_or(0, |o| o.ty.elements());
            flags.writes_clip_vertex =
                unit.declared.outputs.iter().any(|o| o.name == "gl_ClipVertex" && unit.used.contains(&o.id));
        }
        let mode = |m: ExecutionMode| unit.module.execution_modes.iter().any(|e| e.word(1) == m as u32);
        match unit.stage {
            Stage::Vertex => {
                flags.uses_vertex_id = reads(unit, BuiltIn::VertexId) || reads(unit, BuiltIn::VertexIndex);
                flags.uses_instance_id = reads(unit, BuiltIn::InstanceId) || reads(unit, BuiltIn::InstanceIndex);
                flags.uses_draw_parameters = reads(unit, BuiltIn::BaseVertex) || reads(unit, BuiltIn::DrawIndex);
            }
            Stage::Geometry => geometry = Some(geometry_info(&unit.module)),
            Stage::Compute => compute = Some(compute_info(&unit.module)),
            Stage::TessControl => {
                vertices_out =
                    execution_modes(&unit.module).get(&(ExecutionMode::OutputVertices as u32)).copied().unwrap_or(0);
            }
            Stage::TessEvaluation => tessellation = Some(tessellation_info(&unit.module, vertices_out)),
            Stage::Fragment => {
                flags.uses_frag_coord = reads(unit, BuiltIn::FragCoord);
                flags.uses_point_coord = reads(unit, BuiltIn::PointCoord);
                flags.origin_upper_left = mode(ExecutionMode::OriginUpperLeft);
                flags.pixel_center_integer = mode(ExecutionMode::PixelCenterInteger);
                flags.early_fragment_tests = mode(ExecutionMode::EarlyFragmentTests);
                flags.writes_depth = writes(unit, BuiltIn::FragDepth);
                flags.uses_discard = has_op(unit, |op| op == Op::Kill || op == Op::DemoteToHelperInvocation);
                flags.uses_derivatives = has_op(unit, |op| {
                    matches!(
                        op,
                        Op::DPdx
                            | Op::DPdy
                            | Op::Fwidth
                            | Op::DPdxFine
                            | Op::DPdyFine
                            | Op::FwidthFine
                            | Op::DPdxCoarse
                            | Op::DPdyCoarse
                            | Op::FwidthCoarse
                    )
                });
                flags.reads_sample_position = reads(unit, BuiltIn::SamplePosition) || interpolates_at_offsets(unit);
                flags.sample_shading = reads(unit, BuiltIn::SampleId)
                    || reads(unit, BuiltIn::SamplePosition)
                    || unit.declared.inputs.iter().any(|i| i.sample && unit.used.contains(&i.id));
            }
        }
    }
    linker.reflection.flags = flags;
    linker.reflection.geometry = geometry;
    linker.reflection.compute = compute;
    linker.reflection.tessellation = tessellation;
}

/// Execution modes with their first literal.
fn execution_modes(module: &Module) -> HashMap<u32, u32> {
    module.execution_modes.iter().map(|e| (e.word(1), e.word(2))).collect()
}

/// GLSL 4.60 section 4.4.1.1: equal spacing and counter-clockwise order where nothing else is said.
fn tessellation_info(module: &Module, vertices_out: u32) -> TessellationInfo {
    let modes = execution_modes(module);
    let has = |m: ExecutionMode| modes.contains_key(&(m as u32));
    let one_of = |choices: [(ExecutionMode, u32); 2], other| {
        choices.into_iter().find(|c| has(c.0)).map_or(other, |choice| choice.1)
    };
    TessellationInfo {
        vertices_out,
        mode: one_of(
            [(ExecutionMode::Quads, gl_type::QUADS), (ExecutionMode::Isolines, gl_type::ISOLINES)],
            gl_type::TRIANGLES,
        ),
        spacing: one_of(
            [
                (ExecutionMode::SpacingFractionalEven, gl_type::FRACTIONAL_EVEN),
                (ExecutionMode::SpacingFractionalOdd, gl_type::FRACTIONAL_ODD),
            ],
            gl_type::EQUAL,
        ),
        order: if has(ExecutionMode::VertexOrderCw) { gl_type::CW } else { gl_type::CCW },
        point_mode: has(ExecutionMode::PointMode),
    }
}

fn geometry_info(module: &Module) -> GeometryInfo {
    let mut info = GeometryInfo { invocations: 1, ..GeometryInfo::default() };
    let modes = execution_modes(module);
    let has = |m: ExecutionMode| modes.contains_key(&(m as u32));
    // The GL primitive modes: POINTS 0, LINES 1, LINE_STRIP 3, TRIANGLES 4, TRIANGLE_STRIP 5,
    // LINES_ADJACENCY 10, TRIANGLES_ADJACENCY 12.
    info.input = if has(ExecutionMode::InputPoints) {
        0
    } else if has(ExecutionMode::InputLines) {
        1
    } else if has(ExecutionMode::InputLinesAdjacency) {
        10
    } else if has(ExecutionMode::InputTrianglesAdjacency) {
        12
    } else {
        4
    };
    info.output = if has(ExecutionMode::OutputPoints) {
        0
    } else if has(ExecutionMode::OutputLineStrip) {
        3
    } else {
        5
    };
    info.vertices_out = modes.get(&(ExecutionMode::OutputVertices as u32)).copied().unwrap_or(0);
    info.invocations = modes.get(&(ExecutionMode::Invocations as u32)).copied().unwrap_or(1).max(1);
    info
}

fn compute_info(module: &Module) -> ComputeInfo {
    if variable_group_size::is_in(module) {
        return ComputeInfo { group_size: [0; 3] };
    }
    let size = module.execution_modes.iter().find(|m| m.word(1) == ExecutionMode::LocalSize as u32);
    ComputeInfo { group_size: size.map_or([1; 3], |m| [m.word(2), m.word(3), m.word(4)]) }
}
