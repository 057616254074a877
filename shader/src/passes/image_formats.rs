//! Gives image variables the formats that were taken out of their declarations.

use std::collections::HashMap;

use crate::spirv::{Capability, Inst, Module, Op, StorageClass};

/// Runs the pass; formats by variable name.
pub(crate) fn run(module: &mut Module, formats: &HashMap<String, u32>) {
    if formats.is_empty() {
        return;
    }
    let names = module.name_table();
    // What retyped pointers point to.
    let mut pointees: HashMap<u32, u32> = HashMap::new();
    for (_, pointer, id, class) in module.variables() {
        let Some(format) = names.get(&id).and_then(|name| formats.get(name)) else { continue };
        if class != StorageClass::UniformConstant as u32 {
            continue;
        }
        let pointee = module.global(pointer).map_or(0, |p| p.word(2));
        let pointee = with_format(module, pointee, *format);
        let pointer = module.type_pointer(StorageClass::UniformConstant, pointee);
        // Behind its new type.
        module.globals.retain(|g| g.op != Op::Variable || g.word(1) != id);
        module.globals.push(Inst::new(Op::Variable, &[pointer, id, StorageClass::UniformConstant as u32]));
        pointees.insert(id, pointee);
    }
    for f in 0..module.functions.len() {
        let mut insts = std::mem::take(&mut module.functions[f].insts);
        for inst in &mut insts {
            let Some(mut pointee) = pointees.get(&inst.word(2)).copied() else { continue };
            match inst.op {
                Op::Load => inst.words[0] = pointee,
                Op::AccessChain | Op::InBoundsAccessChain => {
                    for _ in &inst.words[3..] {
                        pointee = module.global(pointee).map_or(0, |t| t.word(1));
                    }
                    inst.words[0] = module.type_pointer(StorageClass::UniformConstant, pointee);
                    pointees.insert(inst.word(1), pointee);
                }
                _ => {}
            }
        }
        module.functions[f].insts = insts;
    }
    module.remove_capability(Capability::StorageImageReadWithoutFormat);
}

/// An image type, or arrays of one, with a format.
fn with_format(module: &mut Module, ty: u32, format: u32) -> u32 {
    let Some(def) = module.global(ty).cloned() else { return ty };
    match def.op {
        Op::TypeImage => {
            let mut operands = def.words[1..].to_vec();
            if let Some(slot) = operands.get_mut(6) {
                *slot = format;
            }
            module.intern(Op::TypeImage, &operands)
        }
        Op::TypeArray => {
            let element = with_format(module, def.word(1), format);
            module.intern(Op::TypeArray, &[element, def.word(2)])
        }
        _ => ty,
    }
}
