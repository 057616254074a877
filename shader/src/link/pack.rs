//! Which varyings of two neighbouring stages are packed, and where: only those of programs whose varyings, a location
//! each and one for each element of an array, don't fit into the locations there are (GL 4.6 core sections 7.4.1 and
//! 11.1.2.1 count components).

use std::collections::HashSet;

use super::{Linker, StageUnit};
use crate::link::interface::IoVar;
use crate::passes::pack_varyings::{self, Class, Item, packs};
use crate::spirv::{Decoration, Op, Ty};
use crate::stage::Stage;

/// An output and an input that meet, and the locations they take when they are not packed.
pub(super) type Pair = (u32, u32, u32);

/// What is packed between two stages.
#[derive(Debug, Default)]
pub(super) struct Plan {
    classes: Vec<Class>,
    /// The class and first component of each pair, and the pair.
    packed: Vec<(usize, u32, Pair)>,
}

impl Plan {
    /// Whether a pair is packed.
    pub fn has(&self, pair: &Pair) -> bool {
        self.packed.iter().any(|p| p.2 == *pair)
    }
}

/// Locations between two stages; as many as one likes where nothing is packed, to and within tessellation.
pub(super) fn locations(linker: &Linker<'_>, producer: Stage, consumer: Stage) -> u32 {
    let limits = &linker.input.limits;
    let out = match producer {
        Stage::TessControl => return u32::MAX,
        Stage::TessEvaluation => limits.max_tess_evaluation_output_components,
        Stage::Geometry => limits.max_geometry_output_components,
        _ => limits.max_vertex_output_components,
    };
    if !matches!(consumer, Stage::Geometry | Stage::Fragment) {
        return u32::MAX;
    }
    let into = match consumer {
        Stage::Fragment => limits.max_fragment_input_components,
        _ => limits.max_geometry_input_components,
    };
    out.min(into) / 4
}

/// Plans a pair of stages. `captured` outputs keep their variables.
pub(super) fn plan(linker: &Linker<'_>, producer: usize, consumer: usize, matched: &[Pair], captured: &[u32]) -> Plan {
    let (from, to) = (&linker.stages[producer], &linker.stages[consumer]);
    let mut plan = Plan::default();
    let slots = matched.iter().fold(0u32, |n, m| n.saturating_add(m.2));
    let kept = captured.iter().filter(|c| !matched.iter().any(|m| m.0 == **c));
    let kept: u32 = kept.filter_map(|c| from.declared.outputs.iter().find(|o| o.id == *c)).map(|o| o.ty.slots()).sum();
    if slots.saturating_add(kept) <= locations(linker, from.stage, to.stage) {
        return plan;
    }
    let pointers = interpolated_again(to);
    for pair in matched {
        let (Some(output), Some(input)) = (find(&from.declared.outputs, pair.0), find(&to.declared.inputs, pair.1))
        else {
            continue;
        };
        let class = class(to, input);
        // Both sides must hold the same: legacy arrays are sized by each stage for itself.
        let same = output.ty.components() == per_vertex(to.stage, &input.ty).components();
        if captured.contains(&pair.0) || pointers.contains(&pair.1) || !same || !packs(&output.ty, class.bits) {
            continue;
        }
        let alike = |c: &Class| c.decorations == class.decorations && c.bits == class.bits;
        let at = plan.classes.iter().position(alike).unwrap_or_else(|| {
            plan.classes.push(class);
            plan.classes.len() - 1
        });
        plan.packed.push((at, plan.classes[at].components, *pair));
        plan.classes[at].components += output.ty.components();
    }
    plan
}

fn find(vars: &[IoVar], id: u32) -> Option<&IoVar> {
    vars.iter().find(|v| v.id == id)
}

/// The type per vertex.
fn per_vertex(stage: Stage, ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(t, _) if stage == Stage::Geometry => t,
        _ => ty,
    }
}

/// How an input is interpolated; between stages that don't, everything is bits.
fn class(to: &StageUnit, input: &IoVar) -> Class {
    let bits = input.flat || to.stage != Stage::Fragment;
    let centroid = to.module.decoration(input.id, Decoration::Centroid).is_some();
    let decorations = [
        (Decoration::Flat, bits && to.stage == Stage::Fragment),
        (Decoration::NoPerspective, input.no_perspective && !bits),
        (Decoration::Centroid, centroid && !bits),
        (Decoration::Sample, input.sample && !bits),
    ];
    let decorations = decorations.into_iter().filter(|d| d.1).map(|d| d.0).collect();
    Class { decorations, bits, ..Class::default() }
}

/// Inputs that a fragment stage interpolates anew: the functions want the input itself (GLSL 4.60 section 8.14.2).
fn interpolated_again(unit: &StageUnit) -> HashSet<u32> {
    const FUNCTIONS: std::ops::RangeInclusive<u32> = 76..=78;
    let insts = || unit.module.functions.iter().flat_map(|f| &f.insts);
    let pointers: HashSet<u32> =
        insts().filter(|i| i.op == Op::ExtInst && FUNCTIONS.contains(&i.word(3))).map(|i| i.word(4)).collect();
    let bases = insts().filter(|i| i.op == Op::AccessChain && pointers.contains(&i.word(1))).map(|i| i.word(2));
    bases.chain(pointers.iter().copied()).collect()
}

/// Carries a plan out, at the locations from `next` on. The outputs are private already.
pub(super) fn apply(linker: &mut Linker<'_>, producer: usize, consumer: usize, mut plan: Plan, mut next: u32) -> u32 {
    if plan.packed.is_empty() {
        return next;
    }
    for class in &mut plan.classes {
        class.location = next;
        next += class.slots();
    }
    let items = |which: fn(&Pair) -> u32| -> Vec<Item> {
        plan.packed
            .iter()
            .map(|(class, first, pair)| Item { variable: which(pair), class: *class, first: *first })
            .collect()
    };
    pack_varyings::pack(&mut linker.stages[producer].module, &items(|p| p.0), &plan.classes);
    let per_vertex = linker.stages[consumer].stage == Stage::Geometry;
    pack_varyings::unpack(&mut linker.stages[consumer].module, &items(|p| p.1), &plan.classes, per_vertex);
    next
}
