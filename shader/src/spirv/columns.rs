//! Inputs that are put together from columns: what a program declares as one variable comes from other variables, each at a
//! location of its own.

use std::collections::HashMap;

use super::{Decoration, Inst, Module, Op, StorageClass};

/// A number or a vector of an input's type.
pub(crate) struct Column {
    /// Its type.
    pub ty: u32,
    /// Type of the numbers.
    pub number: u32,
    /// How many there are.
    pub count: u32,
}

impl Module {
    /// Makes an input a variable of the stage's own, which the entry fills. `emit` writes the code of one column and gives its
    /// value; they come in the order of their locations. Where one has none, the variable stays as it is made.
    pub fn fill_by_columns(
        &mut self,
        variable: u32,
        mut emit: impl FnMut(&mut Module, &Column, &mut Vec<Inst>) -> Option<u32>,
    ) {
        let pointer = self.global(variable).and_then(|v| self.global(v.word(0)));
        let Some(ty) = pointer.map(|pointer| pointer.word(2)) else { return };
        self.demote_to_private(variable);
        self.insert_at_entry(|module, out| {
            if let Some(value) = put_together(module, ty, &mut emit, out) {
                out.push(Inst::new(Op::Store, &[variable, value]));
            }
        });
        self.fix_interface();
    }

    /// The input of a type at a location, made where `inputs` has none there: each is one, whatever reads it.
    pub fn input_at(&mut self, inputs: &mut HashMap<u32, u32>, location: u32, ty: u32) -> u32 {
        *inputs.entry(location).or_insert_with(|| {
            let input = self.add_variable(StorageClass::Input, ty);
            self.decorate(input, Decoration::Location, &[location]);
            input
        })
    }
}

/// Emits code that puts a value of a type together and returns its id.
fn put_together(
    module: &mut Module,
    ty: u32,
    emit: &mut impl FnMut(&mut Module, &Column, &mut Vec<Inst>) -> Option<u32>,
    out: &mut Vec<Inst>,
) -> Option<u32> {
    let def = module.global(ty)?;
    let (op, element, size) = (def.op, def.word(1), def.word(2));
    let parts = match op {
        Op::TypeFloat | Op::TypeInt => return emit(module, &Column { ty, number: ty, count: 1 }, out),
        Op::TypeVector => return emit(module, &Column { ty, number: element, count: size }, out),
        Op::TypeMatrix => size,
        Op::TypeArray => module.global(size)?.word(2),
        _ => return None,
    };
    let mut words = vec![ty, 0];
    for _ in 0..parts {
        words.push(put_together(module, element, emit, out)?);
    }
    words[1] = module.id();
    let id = words[1];
    out.push(Inst::new(Op::CompositeConstruct, &words));
    Some(id)
}
