//! What a stage's code does with each buffer and image it refers to.

use std::collections::{HashMap, HashSet};

use crate::passes::lower_uniforms::is_atomic;
use crate::spirv::{Decoration, Module, Op, StorageClass, Ty, TypeTable, for_each_id};

/// The variable is read.
const READ: u8 = 1;
/// The variable is written.
const WRITE: u8 = 2;

/// Accesses by variable.
#[derive(Debug, Default)]
pub(super) struct Accesses(HashMap<u32, u8>);

impl Accesses {
    /// Looks through a module whose opaque parameters are specialised.
    pub fn of(module: &Module) -> Self {
        const SHARED: [StorageClass; 4] = [
            StorageClass::UniformConstant,
            StorageClass::Uniform,
            StorageClass::StorageBuffer,
            StorageClass::AtomicCounter,
        ];
        let variables = module.variables();
        // Every pointer into a variable, and every image loaded from one, by the variable.
        let mut roots: HashMap<u32, u32> =
            variables.iter().filter(|v| SHARED.iter().any(|c| *c as u32 == v.3)).map(|v| (v.2, v.2)).collect();
        let mut found = Self::default();
        for inst in module.functions.iter().flat_map(|f| &f.insts) {
            let (at, access) = match inst.op {
                Op::AccessChain | Op::InBoundsAccessChain | Op::ImageTexelPointer => (2, 0),
                Op::Load => (2, READ),
                Op::Store => (0, WRITE),
                Op::ImageRead => (2, READ),
                Op::ImageWrite => (0, WRITE),
                Op::AtomicLoad => (2, READ),
                Op::AtomicStore => (0, WRITE),
                op if is_atomic(op) => (2, READ | WRITE),
                _ => continue,
            };
            let Some(root) = roots.get(&inst.word(at)).copied() else { continue };
            if inst.op != Op::Store
                && let Some(result) = inst.result()
            {
                roots.insert(result, root);
            }
            *found.0.entry(root).or_default() |= access;
        }
        found
    }

    /// 1 when it is read, 2 when it is written.
    pub fn of_variable(&self, id: u32) -> u8 {
        self.0.get(&id).copied().unwrap_or(0)
    }

    /// Whether anything is written.
    pub fn writes_any(&self) -> bool {
        self.0.values().any(|access| access & WRITE != 0)
    }
}

/// The dense indices of samplers that the code of a module with placed samplers may read: one element of an array where its
/// number is constant, else all.
pub(super) fn samplers_read(module: &Module) -> HashSet<u32> {
    const SAMPLERS: u32 = 1;
    let (types, decorated) = (TypeTable::new(module), module.decorated());
    // First dense index and number of elements.
    let mut samplers: HashMap<u32, (u32, u32)> = HashMap::new();
    for (_, _, variable, class) in module.variables() {
        let set = decorated.of(variable, Decoration::DescriptorSet);
        if class != StorageClass::UniformConstant as u32 || set != Some(SAMPLERS) {
            continue;
        }
        let count = match types.ty(types.value_type(variable)) {
            Ty::Array(_, count) => count,
            _ => 1,
        };
        samplers.insert(variable, (decorated.of(variable, Decoration::Binding).unwrap_or(0), count));
    }
    let mut read = HashSet::new();
    for inst in module.functions.iter().flat_map(|f| &f.insts) {
        let element = match inst.op {
            Op::AccessChain | Op::InBoundsAccessChain => types.constant(inst.word(3)),
            _ => None,
        };
        for_each_id(inst, |id| {
            let Some((first, count)) = samplers.get(&id).copied() else { return };
            match element {
                Some(element) => read.extend((element < count).then_some(first + element)),
                None => read.extend(first..first + count),
            }
        });
    }
    read
}
