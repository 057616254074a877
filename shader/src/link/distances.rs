//! Clip and cull distances that a fragment shader reads (GLSL 4.60 section 7.1.5). What a vertex writes arrives whatever is
//! enabled, but drivers take distances away whose plane is not, so they travel as varyings as well.

use std::sync::Arc;

use super::legacy::{VEC4, built_in_var};
use super::{Linker, StageUnit};
use crate::link::interface::IoVar;
use crate::spirv::{BuiltIn, Inst, Module, Op, StorageClass};
use crate::stage::Stage;

/// Gives the fragment stage its distances. Comes before varyings are placed.
pub(super) fn carry(linker: &mut Linker<'_>) {
    let Some(to) = linker.stages.iter().position(|s| s.stage == Stage::Fragment).filter(|at| *at > 0) else { return };
    let (producers, consumers) = linker.stages.split_at_mut(to);
    let (Some(producer), Some(consumer)) = (producers.last_mut(), consumers.first_mut()) else { return };
    for (built_in, name) in
        [(BuiltIn::ClipDistance, "gl_gallite_ClipDistance"), (BuiltIn::CullDistance, "gl_gallite_CullDistance")]
    {
        let Some(input) = used(consumer, &consumer.declared.inputs, built_in) else { continue };
        let output = used(producer, &producer.declared.outputs, built_in);
        let (input, wanted) = (input.id, input.ty.elements());
        let (output, count) = output.map_or((0, 0), |o| (o.id, o.ty.elements().min(wanted)));
        Arc::make_mut(&mut consumer.used).remove(&input);
        consumer.module.demote_to_private(input);
        for first in (0..count).step_by(4) {
            let elements: Vec<u32> = (first..count.min(first + 4)).collect();
            let name = format!("{name}{first}");
            let from = add(producer, StorageClass::Output, &name);
            producer.module.insert_before_vertex_end(|module, out| gather(module, out, output, from, &elements));
            let to = add(consumer, StorageClass::Input, &name);
            consumer.module.insert_at_entry(|module, out| spread(module, out, to, input, &elements));
        }
        producer.module.fix_interface();
        consumer.module.fix_interface();
    }
}

fn used<'a>(unit: &StageUnit, variables: &'a [IoVar], built_in: BuiltIn) -> Option<&'a IoVar> {
    variables.iter().find(|v| v.built_in == Some(built_in) && unit.used.contains(&v.id))
}

/// A varying of four distances.
fn add(unit: &mut StageUnit, class: StorageClass, name: &str) -> u32 {
    let module = &mut unit.module;
    let float = module.type_float();
    let vec4 = module.type_vector(float, 4);
    let id = module.add_variable(class, vec4);
    let declared = Arc::make_mut(&mut unit.declared);
    let list = if class == StorageClass::Input { &mut declared.inputs } else { &mut declared.outputs };
    list.push(built_in_var(id, name, VEC4, None));
    Arc::make_mut(&mut unit.used).insert(id);
    id
}

/// Elements of an array of distances into a vector.
fn gather(module: &mut Module, out: &mut Vec<Inst>, distances: u32, vector: u32, elements: &[u32]) {
    let float = module.type_float();
    let vec4 = module.type_vector(float, 4);
    let pointer = module.type_pointer(StorageClass::Output, float);
    let mut words = vec![vec4, module.id()];
    for element in elements {
        let (index, from, value) = (module.const_int(*element as i32), module.id(), module.id());
        out.push(Inst::new(Op::AccessChain, &[pointer, from, distances, index]));
        out.push(Inst::new(Op::Load, &[float, value, from]));
        words.push(value);
    }
    words.resize(6, module.const_float(0.0));
    out.push(Inst::new(Op::CompositeConstruct, &words));
    out.push(Inst::new(Op::Store, &[vector, words[1]]));
}

/// The components of a vector into elements of an array of distances.
fn spread(module: &mut Module, out: &mut Vec<Inst>, vector: u32, distances: u32, elements: &[u32]) {
    let float = module.type_float();
    let vec4 = module.type_vector(float, 4);
    let pointer = module.type_pointer(StorageClass::Private, float);
    let whole = module.id();
    out.push(Inst::new(Op::Load, &[vec4, whole, vector]));
    for (component, element) in (0..).zip(elements) {
        let (index, to, value) = (module.const_int(*element as i32), module.id(), module.id());
        out.push(Inst::new(Op::CompositeExtract, &[float, value, whole, component]));
        out.push(Inst::new(Op::AccessChain, &[pointer, to, distances, index]));
        out.push(Inst::new(Op::Store, &[to, value]));
    }
}
