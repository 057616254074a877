//! The resources of a program against the limits (GL 4.6 core sections 7.6 to 7.10 and 11.1.3).

use super::blocks::{self, MergedBlock};
use super::counters::{self, MergedCounter};
use super::uniforms::Merged;
use super::varyings::{is_arrayed, per_vertex};
use super::{Linker, StageUnit};
use crate::spirv::{BuiltIn, Capability, ExecutionMode, Module, Op, StorageClass, Ty, TypeTable};
use crate::stage::{Limits, Stage, StageMask};

/// Most active uniforms, and leaves of one, a program may have; more is an error rather than an
/// unbounded table.
const MAX_LEAVES: usize = 65536;

/// A number of resources with its limit.
struct Use {
    what: &'static str,
    count: u32,
    limit: u32,
}

impl Use {
    fn check(&self, prefix: &str, errors: &mut Vec<String>) {
        if self.count > self.limit {
            errors.push(format!("too many {prefix}{} ({} > {})", self.what, self.count, self.limit));
        }
    }
}

/// Checks everything a program uses.
pub(super) fn check(
    linker: &mut Linker<'_>,
    merged: &[Merged],
    [uniform_blocks, storage_blocks]: [&[MergedBlock]; 2],
    counters: &[MergedCounter],
) {
    let limits = linker.input.limits.clone();
    let mut errors = Vec::new();
    let mut all = Vec::new();
    for unit in &linker.stages {
        let stage = unit.stage;
        let used = of_stage(&limits, stage, merged, [uniform_blocks, storage_blocks], counters);
        let prefix = format!("{} shader ", stage.name());
        used.iter().for_each(|u| u.check(&prefix, &mut errors));
        distances(unit, &limits).iter().for_each(|u| u.check(&prefix, &mut errors));
        if limits.max_geometry_output_vertices == 0 && unit.module.has_capability(Capability::Geometry) {
            errors.push(format!("{prefix}reads what only geometry shaders give, which the device doesn't have"));
        }
        if stage == Stage::Geometry {
            emitted(unit, &limits).check(&prefix, &mut errors);
        }
        if stage == Stage::TessControl {
            patch_outputs(unit, &limits).iter().for_each(|u| u.check(&prefix, &mut errors));
        }
        places(unit, &limits, &mut errors);
        let own = private_words(&unit.module);
        if own > MAX_PRIVATE_WORDS {
            errors.push(format!("{prefix}variables take {own} words ({MAX_PRIVATE_WORDS} is the most)"));
        }
        all.push(used);
    }
    let sum = |which: usize| all.iter().fold(0u32, |n, used| n.saturating_add(used[which].count));
    let outputs = linker.stages.iter().find(|s| s.stage == Stage::Fragment).map_or(0, |s| {
        let user = s.declared.outputs.iter().filter(|o| o.built_in.is_none() && s.used.contains(&o.id));
        user.fold(0u32, |n, o| n.saturating_add(o.ty.elements()))
    });
    let storage = blocks::count(storage_blocks);
    let images = sum(IMAGES);
    for total in [
        Use { what: "combined samplers", count: sum(SAMPLERS), limit: limits.max_combined_texture_image_units },
        Use {
            what: "combined uniform blocks",
            count: blocks::count(uniform_blocks),
            limit: limits.max_combined_uniform_blocks,
        },
        Use { what: "combined shader storage blocks", count: storage, limit: limits.max_combined_storage_blocks },
        Use { what: "combined image uniforms", count: images, limit: limits.max_combined_images },
        Use { what: "combined atomic counters", count: sum(COUNTERS), limit: limits.max_combined_atomic_counters },
        Use {
            what: "combined atomic counter buffers",
            count: sum(COUNTER_BUFFERS),
            limit: limits.max_combined_atomic_buffers,
        },
        // GL 4.6 core 11.1.3.12: images, storage blocks and fragment outputs share one limit.
        Use {
            what: "combined image uniforms, shader storage blocks and fragment outputs",
            count: images.saturating_add(storage).saturating_add(if images + storage > 0 { outputs } else { 0 }),
            limit: limits.max_combined_output_resources,
        },
    ] {
        total.check("", &mut errors);
    }
    block_sizes("uniform", uniform_blocks, limits.max_uniform_block_size, &mut errors);
    block_sizes("shader storage", storage_blocks, limits.max_storage_block_size, &mut errors);
    for c in counters.iter().filter(|c| c.end() > limits.max_atomic_buffer_size) {
        errors.push(format!("the atomic counter buffer at binding {} is too big", c.binding));
    }
    let leaves: usize = merged.iter().map(|m| leaf_count(&m.ty)).fold(0, usize::saturating_add);
    if leaves > MAX_LEAVES || blocks::count(uniform_blocks) as usize > MAX_LEAVES {
        errors.push("too many active uniforms".into());
    }
    errors.into_iter().for_each(|e| linker.error(&e));
}

/// Clip and cull distances that a stage writes or reads (GLSL 4.60 section 7.1: they share a limit).
fn distances(unit: &StageUnit, limits: &Limits) -> Vec<Use> {
    let mut out = Vec::new();
    for variables in [&unit.declared.inputs, &unit.declared.outputs] {
        let length = |what: BuiltIn| {
            let found = variables.iter().find(|v| v.built_in == Some(what) && unit.used.contains(&v.id));
            found.map_or(0, |v| innermost_length(&v.ty))
        };
        let (clip, cull) = (length(BuiltIn::ClipDistance), length(BuiltIn::CullDistance));
        out.push(Use { what: "clip distances", count: clip, limit: limits.max_clip_distances });
        out.push(Use { what: "cull distances", count: cull, limit: limits.max_cull_distances });
        let most = limits.max_combined_clip_and_cull_distances;
        if cull > 0 {
            out.push(Use { what: "clip and cull distances", count: clip.saturating_add(cull), limit: most });
        }
    }
    out
}

/// Elements of an array, of an array of arrays the inner ones'.
fn innermost_length(ty: &Ty) -> u32 {
    match ty {
        Ty::Array(element, _) if matches!(**element, Ty::Array(..)) => innermost_length(element),
        Ty::Array(_, length) => *length,
        _ => 0,
    }
}

/// GLSL 4.60 section 4.4.1: a varying has a location below the number of those that its stage has.
fn places(unit: &StageUnit, limits: &Limits, errors: &mut Vec<String>) {
    let [inputs, outputs] = match unit.stage {
        Stage::Vertex => [None, Some(limits.max_vertex_output_components)],
        Stage::TessControl => {
            [Some(limits.max_tess_control_input_components), Some(limits.max_tess_control_output_components)]
        }
        Stage::TessEvaluation => {
            [Some(limits.max_tess_evaluation_input_components), Some(limits.max_tess_evaluation_output_components)]
        }
        Stage::Geometry => [Some(limits.max_geometry_input_components), Some(limits.max_geometry_output_components)],
        Stage::Fragment => [Some(limits.max_fragment_input_components), None],
        Stage::Compute => [None, None],
    };
    for (variables, limit, output) in [(&unit.declared.inputs, inputs, false), (&unit.declared.outputs, outputs, true)]
    {
        let Some(limit) = limit else { continue };
        for v in variables.iter().filter(|v| v.built_in.is_none()) {
            let Some(location) = v.location else { continue };
            let ty = if is_arrayed(unit.stage, output, v) { per_vertex(&v.ty) } else { &v.ty };
            let limit = if v.patch { limits.max_tess_patch_components } else { limit } / 4;
            let end = location.saturating_add(ty.slots());
            if end > limit {
                let (stage, what) = (unit.stage.name(), if output { "output" } else { "input" });
                errors.push(format!(
                    "location {location} of {stage} shader {what} `{}' is beyond the last of {limit}",
                    v.name
                ));
            }
        }
    }
}

/// GL 4.6 core 11.2.1.2.3: components that a control stage writes for each vertex, for a patch, and for a patch with all of
/// its vertices.
fn patch_outputs(unit: &StageUnit, limits: &Limits) -> [Use; 3] {
    let mut components = [0u32; 2];
    for v in unit.declared.outputs.iter().filter(|v| v.built_in.is_none() && unit.used.contains(&v.id)) {
        let ty = if v.patch { &v.ty } else { per_vertex(&v.ty) };
        let components = &mut components[usize::from(v.patch)];
        *components = components.saturating_add(ty.components());
    }
    let [of_vertex, of_patch] = components;
    let all = of_vertex.saturating_mul(output_vertices(unit)).saturating_add(of_patch);
    [
        Use {
            what: "output components of a vertex",
            count: of_vertex,
            limit: limits.max_tess_control_output_components,
        },
        Use { what: "output components of a patch", count: of_patch, limit: limits.max_tess_patch_components },
        Use {
            what: "output components of a patch and its vertices",
            count: all,
            limit: limits.max_tess_control_total_output_components,
        },
    ]
}

/// Vertices that a geometry or a control shader writes at most.
fn output_vertices(unit: &StageUnit) -> u32 {
    let mode = |m: &&crate::spirv::Inst| m.word(1) == ExecutionMode::OutputVertices as u32;
    unit.module.execution_modes.iter().find(mode).map_or(0, |m| m.word(2))
}

/// GL 4.6 core 11.3.4.5: components of all outputs of all vertices that a geometry shader may emit.
fn emitted(unit: &StageUnit, limits: &Limits) -> Use {
    let outputs = unit.declared.outputs.iter().filter(|o| unit.used.contains(&o.id));
    let components = outputs.fold(0u32, |n, o| n.saturating_add(o.ty.components()));
    let vertices = output_vertices(unit);
    let limit = limits.max_geometry_total_output_components;
    Use { what: "output components of all vertices", count: components.saturating_mul(vertices), limit }
}

/// Words of an invocation's own variables, at most. Devices keep them on small stacks, and some end the process where
/// those overflow.
const MAX_PRIVATE_WORDS: u32 = 1 << 16;

/// Words that the variables of one invocation take.
fn private_words(module: &Module) -> u32 {
    let table = TypeTable::new(module);
    let variables = module.globals.iter().chain(module.functions.iter().flat_map(|f| &f.insts));
    let own = variables.filter(|i| {
        let class = i.word(2);
        i.op == Op::Variable && (class == StorageClass::Private as u32 || class == StorageClass::Function as u32)
    });
    let words = own.filter_map(|i| table.pointee(i.word(0))).map(|ty| table.ty(ty).components());
    words.fold(0, u32::saturating_add)
}

const SAMPLERS: usize = 1;
const IMAGES: usize = 4;
const COUNTERS: usize = 5;
const COUNTER_BUFFERS: usize = 6;

/// What a stage uses, in the order of the constants above.
fn of_stage(
    limits: &Limits,
    stage: Stage,
    merged: &[Merged],
    [uniform_blocks, storage_blocks]: [&[MergedBlock]; 2],
    counters: &[MergedCounter],
) -> [Use; 7] {
    let (components, samplers) = match stage {
        Stage::Vertex => (limits.max_vertex_uniform_components, limits.max_vertex_texture_image_units),
        Stage::Geometry | Stage::TessControl | Stage::TessEvaluation => {
            (limits.max_geometry_uniform_components, limits.max_geometry_texture_image_units)
        }
        Stage::Compute => (limits.max_compute_uniform_components, limits.max_texture_image_units),
        _ => (limits.max_fragment_uniform_components, limits.max_texture_image_units),
    };
    let used = |of: StageMask| of.has(stage);
    let loose = |count: &dyn Fn(&Ty) -> u32| {
        merged.iter().filter(|m| used(m.stages)).fold(0u32, |n, m| n.saturating_add(count(&m.ty)))
    };
    let elements = |blocks: &[MergedBlock]| {
        blocks.iter().filter(|b| used(b.stages)).fold(0u32, |n, b| n.saturating_add(b.elements()))
    };
    let mine: Vec<&MergedCounter> = counters.iter().filter(|c| used(c.stages)).collect();
    let buffers = counters::bindings(counters).into_iter().filter(|b| mine.iter().any(|c| c.binding == *b)).count();
    let i = stage.index();
    [
        Use { what: "default uniform block components", count: loose(&Ty::components), limit: components },
        Use { what: "texture samplers", count: loose(&|ty| count_opaque(ty, false)), limit: samplers },
        Use { what: "uniform blocks", count: elements(uniform_blocks), limit: limits.max_uniform_blocks_per_stage },
        Use { what: "storage blocks", count: elements(storage_blocks), limit: limits.max_storage_blocks[i] },
        Use { what: "image uniforms", count: loose(&|ty| count_opaque(ty, true)), limit: limits.max_images[i] },
        Use {
            what: "atomic counters",
            count: mine.iter().fold(0u32, |n, c| n.saturating_add(c.count())),
            limit: limits.max_atomic_counters[i],
        },
        Use { what: "atomic counter buffers", count: buffers as u32, limit: limits.max_atomic_buffers[i] },
    ]
}

fn block_sizes(kind: &str, blocks: &[MergedBlock], limit: u32, errors: &mut Vec<String>) {
    for b in blocks {
        let size = b.size();
        if size > limit {
            errors.push(format!("{kind} block `{}' too big ({size} > {limit})", b.name));
        }
        if b.dims.contains(&0) {
            errors.push(format!("{kind} block array `{}' has no size", b.name));
        }
    }
}

/// Samplers, or images, in a type, all array elements counted.
fn count_opaque(ty: &Ty, images: bool) -> u32 {
    match ty {
        Ty::Sampler(info) => u32::from(info.storage == images),
        Ty::Array(t, n) => n.saturating_mul(count_opaque(t, images)),
        Ty::Struct(s) => s.members.iter().fold(0, |n, m| n.saturating_add(count_opaque(&m.ty, images))),
        _ => 0,
    }
}

/// Active uniforms a type expands to.
fn leaf_count(ty: &Ty) -> usize {
    match ty {
        Ty::Struct(s) => s.members.iter().fold(0, |n, m| n.saturating_add(leaf_count(&m.ty))),
        Ty::Array(t, n) if matches!(**t, Ty::Struct(_) | Ty::Array(..)) => (*n as usize).saturating_mul(leaf_count(t)),
        _ => 1,
    }
}
