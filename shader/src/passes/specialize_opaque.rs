//! Gives every function that takes samplers, images or atomic counters (or structs and arrays that hold
//! some) a copy per set of arguments, so that all code refers to uniform variables directly. GLSL passes
//! opaque values to functions by reference; later passes split and merge the variables behind those
//! references. An image parameter without a format gets the argument's.

use std::collections::HashMap;

use super::lower_uniforms::is_atomic;
use crate::spirv::{Inst, Module, Op, StorageClass};

/// One step into a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Index {
    /// A module-scope constant.
    Constant(u32),
    /// A value computed by the caller, of this type; it becomes an extra parameter.
    Dynamic(u32),
}

/// A place inside a uniform variable: the variable and the way into it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    variable: u32,
    indices: Vec<Index>,
}

/// A parameter's place with the ids of its indices inside the copy.
struct Bound {
    place: Place,
    indices: Vec<u32>,
}

/// Storage classes of what is passed by reference.
const OPAQUE: [StorageClass; 2] = [StorageClass::UniformConstant, StorageClass::AtomicCounter];

/// Bounds the growth that nested calls with many different samplers may cause.
const MAX_COPIES: usize = 4096;

/// Runs the pass. `false` when the program needs more copies than is reasonable.
pub(crate) fn run(module: &mut Module) -> bool {
    let opaque_pointers: Vec<u32> = module
        .globals
        .iter()
        .filter(|g| g.op == Op::TypePointer && OPAQUE.iter().any(|class| *class as u32 == g.word(1)))
        .map(|g| g.word(0))
        .collect();
    if opaque_pointers.is_empty() {
        return true;
    }
    let takes_opaque = |f: &[Inst]| parameters(f).any(|p| opaque_pointers.contains(&p.word(0)));
    // Copies take none, so these stay all that do.
    let templates: HashMap<u32, usize> = (module.functions.iter().enumerate())
        .filter(|(_, f)| takes_opaque(&f.insts))
        .map(|(at, f)| (f.id(), at))
        .collect();
    if templates.is_empty() {
        return true;
    }
    let mut copies: HashMap<(u32, Vec<Option<Place>>), u32> = HashMap::new();
    // Functions still to visit, by position; copies are appended and visited in turn.
    let mut at = 0;
    while at < module.functions.len() {
        if takes_opaque(&module.functions[at].insts) {
            // A template; it goes away once its callers use copies.
            at += 1;
            continue;
        }
        let mut insts = std::mem::take(&mut module.functions[at].insts);
        let places = places_of(&insts);
        let types: HashMap<u32, u32> = insts.iter().filter_map(|i| Some((i.result()?, i.result_type()?))).collect();
        for inst in insts.iter_mut().filter(|i| i.op == Op::FunctionCall) {
            let Some(template) = templates.get(&inst.word(2)) else { continue };
            let params: Vec<Inst> = parameters(&module.functions[*template].insts).cloned().collect();
            let mut extra: Vec<u32> = Vec::new();
            let key: Vec<Option<Place>> = params
                .iter()
                .zip(&inst.words[3..])
                .map(|(p, arg)| {
                    opaque_pointers.contains(&p.word(0)).then(|| {
                        let (variable, chain) = places.get(arg).cloned().unwrap_or((*arg, Vec::new()));
                        let indices = chain
                            .into_iter()
                            .map(|id| match types.get(&id) {
                                Some(ty) => {
                                    extra.push(id);
                                    Index::Dynamic(*ty)
                                }
                                None => Index::Constant(id),
                            })
                            .collect();
                        Place { variable, indices }
                    })
                })
                .collect();
            let template_id = inst.word(2);
            let copy = match copies.get(&(template_id, key.clone())) {
                Some(id) => *id,
                None => {
                    if copies.len() >= MAX_COPIES {
                        module.functions[at].insts = insts;
                        return false;
                    }
                    let id = copy_function(module, *template, &key);
                    copies.insert((template_id, key.clone()), id);
                    id
                }
            };
            inst.words[2] = copy;
            let args: Vec<u32> = inst.words[3..].to_vec();
            inst.words.truncate(3);
            let kept = args.into_iter().enumerate().filter(|(k, _)| key.get(*k).is_none_or(Option::is_none));
            inst.words.extend(kept.map(|(_, arg)| arg));
            inst.words.extend(extra);
        }
        module.functions[at].insts = insts;
        at += 1;
    }
    module.functions.retain(|f| !takes_opaque(&f.insts));
    true
}

/// Parameters of a function, which stand before its first block.
fn parameters(insts: &[Inst]) -> impl Iterator<Item = &Inst> {
    insts.iter().take_while(|i| i.op != Op::Label).filter(|i| i.op == Op::FunctionParameter)
}

/// Access chains of a function: result id to base and indices.
fn places_of(insts: &[Inst]) -> HashMap<u32, (u32, Vec<u32>)> {
    insts.iter().filter(|i| i.op == Op::AccessChain).map(|i| (i.word(1), (i.word(2), i.words[3..].to_vec()))).collect()
}

/// Copies the function at `template` with its opaque parameters replaced by `places`.
fn copy_function(module: &mut Module, template: usize, places: &[Option<Place>]) -> u32 {
    let source: Vec<Inst> = module.functions[template].insts.clone();
    let mut ids: HashMap<u32, u32> = HashMap::new();
    for inst in &source {
        if let Some(id) = inst.result() {
            ids.insert(id, module.id());
        }
    }
    let mut params: HashMap<u32, Bound> = HashMap::new();
    // Pointers into parameters whose type changed, with what they point to.
    let mut retyped: HashMap<u32, u32> = HashMap::new();
    let mut kept_types = Vec::new();
    let mut extra_types = Vec::new();
    let mut extra_params = Vec::new();
    let mut out: Vec<Inst> = Vec::with_capacity(source.len());
    let mut k = 0;
    for inst in &source {
        if inst.op == Op::FunctionParameter {
            let place = places.get(k).cloned().flatten();
            k += 1;
            match place {
                Some(place) => {
                    let mut indices = Vec::with_capacity(place.indices.len());
                    for index in &place.indices {
                        indices.push(match index {
                            Index::Constant(id) => *id,
                            Index::Dynamic(ty) => {
                                let id = module.id();
                                extra_types.push(*ty);
                                extra_params.push(Inst::new(Op::FunctionParameter, &[*ty, id]));
                                id
                            }
                        });
                    }
                    params.insert(inst.word(1), Bound { place, indices });
                    continue;
                }
                None => kept_types.push(inst.word(0)),
            }
        }
        if inst.op == Op::Label {
            out.append(&mut extra_params);
        }
        let mut new = inst.clone();
        if inst.op == Op::AccessChain
            && let Some(bound) = params.get(&inst.word(2))
        {
            let mut indices = bound.indices.clone();
            indices.extend_from_slice(&inst.words[3..]);
            let pointee = pointee_of(module, &bound.place, &indices);
            let mut words = vec![inst.word(0), inst.word(1), bound.place.variable];
            if !is_memory(module, pointee) {
                // The argument's type may have the image format that the parameter's lacks.
                words[0] = module.type_pointer(class_of(module, bound.place.variable), pointee);
                retyped.insert(inst.word(1), pointee);
            }
            words.extend_from_slice(&indices);
            new = Inst::new(Op::AccessChain, &words);
        } else if inst.op == Op::Load && retyped.contains_key(&inst.word(2)) {
            new.words[0] = retyped[&inst.word(2)];
        } else if matches!(inst.op, Op::Load | Op::FunctionCall | Op::ImageTexelPointer) || is_atomic(inst.op) {
            substitute(module, &params, &mut new, &mut out);
        }
        crate::spirv::map_ids(&mut new, |id| ids.get(&id).copied().unwrap_or(id));
        out.push(new);
    }
    let return_type = source.first().map_or(0, |f| f.word(0));
    let mut signature = vec![return_type];
    signature.extend_from_slice(&kept_types);
    signature.extend_from_slice(&extra_types);
    let signature = module.intern(Op::TypeFunction, &signature);
    if let Some(head) = out.first_mut() {
        head.words[3] = signature;
    }
    let id = out.first().map_or(0, |f| f.word(1));
    module.functions.push(crate::spirv::Function { insts: out });
    id
}

/// Replaces uses of opaque parameters as whole operands, adding access chains where needed.
fn substitute(module: &mut Module, params: &HashMap<u32, Bound>, inst: &mut Inst, out: &mut Vec<Inst>) {
    // A call has its arguments from operand 3 on, an atomic store its pointer first.
    let (first, end) = match inst.op {
        Op::FunctionCall => (3, inst.words.len()),
        Op::AtomicStore => (0, 1),
        _ => (2, 3),
    };
    for i in first..end {
        let Some(bound) = params.get(&inst.words[i]) else { continue };
        let place = &bound.place;
        let pointee = pointee_of(module, place, &bound.indices);
        if inst.op == Op::Load {
            inst.words[0] = pointee;
        }
        if bound.indices.is_empty() {
            inst.words[i] = place.variable;
            continue;
        }
        let pointer = module.type_pointer(class_of(module, place.variable), pointee);
        let chain = module.id();
        let mut words = vec![pointer, chain, place.variable];
        words.extend_from_slice(&bound.indices);
        out.push(Inst::new(Op::AccessChain, &words));
        inst.words[i] = chain;
    }
}

/// Storage class of a variable.
fn class_of(module: &Module, variable: u32) -> StorageClass {
    let found = module.globals.iter().find(|g| g.op == Op::Variable && g.word(1) == variable);
    found.and_then(|g| StorageClass::from_u32(g.word(2))).unwrap_or(StorageClass::UniformConstant)
}

/// Whether a type is plain data: a counter, or a member of a structure beside its samplers.
fn is_memory(module: &Module, ty: u32) -> bool {
    !module.global(ty).is_some_and(|g| matches!(g.op, Op::TypeImage | Op::TypeSampledImage))
}

/// Type id a place refers to.
fn pointee_of(module: &Module, place: &Place, indices: &[u32]) -> u32 {
    let Some(var) = module.global(place.variable) else { return 0 };
    let mut ty = module.global(var.word(0)).map_or(0, |p| p.word(2));
    for index in indices {
        ty = match module.global(ty) {
            Some(t) if t.op == Op::TypeStruct => {
                let member = module.global(*index).map_or(0, |c| c.word(2));
                t.word(1 + member as usize)
            }
            Some(t) => t.word(1),
            None => 0,
        };
    }
    ty
}
