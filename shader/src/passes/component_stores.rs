//! Stores into a component of a vector of the patch whose number is not constant. The invocations of a control stage write
//! different components of one vector side by side (GLSL 4.60 section 4.3.6); for devices that write the whole vector
//! then, each component gets a store of its own.

use std::collections::{HashMap, HashSet};

use crate::spirv::{Decoration, ExecutionModel, Function, Inst, Module, Op, StorageClass, TypeTable};

/// Names the component of every such store of a control stage.
pub fn split_component_stores(words: &[u32]) -> Vec<u32> {
    super::edit(words, |module| {
        if module.execution_model() != ExecutionModel::TessellationControl {
            return;
        }
        let table = TypeTable::new(module);
        let outputs = patch_outputs(module, &table);
        if outputs.is_empty() {
            return;
        }
        let types: HashMap<u32, u32> = module
            .globals
            .iter()
            .chain(module.functions.iter().flat_map(|f| &f.insts))
            .filter_map(|i| Some((i.result()?, i.result_type()?)))
            .collect();
        let found: Vec<_> = module.functions.iter().map(|f| chains(&table, &f.insts, &outputs, &types)).collect();
        let mut helpers = Vec::new();
        for (at, chains) in found.into_iter().enumerate() {
            let mut insts = std::mem::take(&mut module.functions[at].insts);
            for inst in insts.iter_mut().filter(|i| i.op == Op::Store) {
                if let Some(chain) = chains.get(&inst.word(0)) {
                    let (helper, call) = helper(module, chain, inst.word(1), &types);
                    helpers.push(helper);
                    *inst = call;
                }
            }
            module.functions[at].insts = insts;
        }
        module.functions.extend(helpers);
    })
}

/// The outputs that are, or have, values of the patch.
fn patch_outputs(module: &Module, types: &TypeTable<'_>) -> HashSet<u32> {
    let patch = |words: &[u32], at: usize| words.get(at) == Some(&(Decoration::Patch as u32));
    let marked: HashSet<u32> = module
        .annotations
        .iter()
        .filter(|a| match a.op {
            Op::Decorate => patch(&a.words, 1),
            Op::MemberDecorate => patch(&a.words, 2),
            _ => false,
        })
        .map(|a| a.word(0))
        .collect();
    let is_patch = |variable: u32| {
        let mut ty = types.value_type(variable);
        while let Some(array) = types.def(ty).filter(|d| d.op == Op::TypeArray) {
            ty = array.word(1);
        }
        marked.contains(&variable) || marked.contains(&ty)
    };
    let outputs = module.variables().into_iter().filter(|v| v.3 == StorageClass::Output as u32);
    outputs.map(|v| v.2).filter(|v| is_patch(*v)).collect()
}

/// A pointer to a component.
struct Chain {
    /// The instruction that makes it.
    inst: Inst,
    /// Components of the vector.
    components: u32,
}

/// The pointers of a function to components of the outputs that are not known before.
fn chains(
    types: &TypeTable<'_>,
    insts: &[Inst],
    outputs: &HashSet<u32>,
    known_types: &HashMap<u32, u32>,
) -> HashMap<u32, Chain> {
    let mut found = HashMap::new();
    for inst in insts.iter().filter(|i| matches!(i.op, Op::AccessChain | Op::InBoundsAccessChain)) {
        let Some((component, path)) = inst.words.get(3..).and_then(<[u32]>::split_last) else { continue };
        // Switch takes the words of a 32-bit number.
        let index = known_types.get(component).and_then(|ty| types.def(*ty));
        let is_word = index.is_some_and(|d| d.op == Op::TypeInt && d.word(1) == 32);
        if !outputs.contains(&inst.word(2)) || types.constant(*component).is_some() || !is_word {
            continue;
        }
        let ty = path.iter().try_fold(types.value_type(inst.word(2)), |ty, index| {
            let def = types.def(ty)?;
            match def.op {
                Op::TypeArray | Op::TypeMatrix => Some(def.word(1)),
                Op::TypeStruct => Some(def.word(1 + types.constant(*index)? as usize)),
                _ => None,
            }
        });
        if let Some(vector) = ty.and_then(|ty| types.def(ty)).filter(|d| d.op == Op::TypeVector) {
            found.insert(inst.word(1), Chain { inst: inst.clone(), components: vector.word(2) });
        }
    }
    found
}

/// A function that stores a value through a pointer to a component, and its call.
fn helper(module: &mut Module, chain: &Chain, value: u32, types: &HashMap<u32, u32>) -> (Function, Inst) {
    let path = &chain.inst.words[3..];
    let is_global = |module: &Module, id: u32| module.globals.iter().any(|g| g.result() == Some(id));
    // What the caller knows: the indices that are not constant, the component last of them, and the value.
    let arguments: Vec<u32> =
        path.iter().copied().filter(|id| !is_global(module, *id)).chain(std::iter::once(value)).collect();
    let parameters: Vec<(u32, u32)> =
        arguments.iter().map(|id| (types.get(id).copied().unwrap_or(0), module.id())).collect();
    let given = |id: u32| arguments.iter().position(|a| *a == id).map_or(id, |at| parameters[at].1);
    let void = module.intern(Op::TypeVoid, &[]);
    let signature: Vec<u32> = std::iter::once(void).chain(parameters.iter().map(|p| p.0)).collect();
    let ty = module.intern(Op::TypeFunction, &signature);
    let (function, start, end) = (module.id(), module.id(), module.id());
    let mut insts = vec![Inst::new(Op::Function, &[void, function, 0, ty])];
    insts.extend(parameters.iter().map(|(ty, id)| Inst::new(Op::FunctionParameter, &[*ty, *id])));
    insts.extend([Inst::new(Op::Label, &[start]), Inst::new(Op::SelectionMerge, &[end, 0])]);
    let cases: Vec<u32> = (0..chain.components).map(|_| module.id()).collect();
    let (component, outer) = (path[path.len() - 1], &path[..path.len() - 1]);
    let mut switch = vec![given(component), end];
    switch.extend((0..).zip(&cases).flat_map(|(number, label)| [number, *label]));
    insts.push(Inst::new(Op::Switch, &switch));
    for (number, label) in (0..).zip(cases) {
        let (pointer, number) = (module.id(), module.const_uint(number));
        let mut words = vec![chain.inst.word(0), pointer, chain.inst.word(2)];
        words.extend(outer.iter().map(|id| given(*id)));
        words.push(number);
        insts.extend([
            Inst::new(Op::Label, &[label]),
            Inst::new(Op::AccessChain, &words),
            Inst::new(Op::Store, &[pointer, given(value)]),
            Inst::new(Op::Branch, &[end]),
        ]);
    }
    insts.extend([Inst::new(Op::Label, &[end]), Inst::new(Op::Return, &[]), Inst::new(Op::FunctionEnd, &[])]);
    let mut call = vec![void, module.id(), function];
    call.extend(&arguments);
    (Function { insts }, Inst::new(Op::FunctionCall, &call))
}
