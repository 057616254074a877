//! Vertex inputs of different shapes that share locations (GL 4.6 core section 11.1.1: an array and a vector, say): each
//! location is one vector of four, of which every input takes its columns.

use std::collections::HashMap;

use crate::spirv::{Decoration, Inst, Module, Op, StorageClass};

/// The input at each location.
pub(super) type Columns = HashMap<u32, u32>;

/// Makes an input of numbers of 32 bits hold what is at the locations from `first` on, from a component on.
pub(super) fn read(module: &mut Module, variable: u32, first: u32, component: u32, columns: &mut Columns) {
    let global = |module: &Module, id: u32| module.globals.iter().find(|g| g.result() == Some(id)).cloned();
    let Some(pointer) = global(module, variable).and_then(|v| global(module, v.word(0))) else { return };
    let ty = pointer.word(2);
    module.demote_to_private(variable);
    module.insert_at_entry(|module, out| {
        let mut reader = Reader { columns, location: first, component };
        if let Some(value) = reader.value(module, ty, out) {
            out.push(Inst::new(Op::Store, &[variable, value]));
        }
    });
    module.fix_interface();
}

struct Reader<'a> {
    columns: &'a mut Columns,
    /// Of the next column.
    location: u32,
    component: u32,
}

impl Reader<'_> {
    /// Emits code that puts a value of a type together and returns its id.
    fn value(&mut self, module: &mut Module, ty: u32, out: &mut Vec<Inst>) -> Option<u32> {
        let def = module.globals.iter().find(|g| g.result() == Some(ty)).cloned()?;
        let parts = match def.op {
            Op::TypeFloat | Op::TypeInt => return Some(self.column(module, ty, None, out)),
            Op::TypeVector => return Some(self.column(module, def.word(1), Some((ty, def.word(2))), out)),
            Op::TypeMatrix => def.word(2),
            Op::TypeArray => module.globals.iter().find(|g| g.result() == Some(def.word(2)))?.word(2),
            _ => return None,
        };
        let mut words = vec![ty, 0];
        for _ in 0..parts {
            words.push(self.value(module, def.word(1), out)?);
        }
        words[1] = module.id();
        let id = words[1];
        out.push(Inst::new(Op::CompositeConstruct, &words));
        Some(id)
    }

    /// A column: a number, or a vector of a type and a length.
    fn column(&mut self, module: &mut Module, number: u32, vector: Option<(u32, u32)>, out: &mut Vec<Inst>) -> u32 {
        let whole = module.type_vector(number, 4);
        let location = self.location;
        self.location += 1;
        let input = *self.columns.entry(location).or_insert_with(|| {
            let input = module.add_variable(StorageClass::Input, whole);
            module.decorate(input, Decoration::Location, &[location]);
            input
        });
        let (loaded, value) = (module.id(), module.id());
        out.push(Inst::new(Op::Load, &[whole, loaded, input]));
        match vector {
            None => out.push(Inst::new(Op::CompositeExtract, &[number, value, loaded, self.component])),
            Some((ty, length)) => {
                let mut words = vec![ty, value, loaded, loaded];
                words.extend(self.component..self.component + length);
                out.push(Inst::new(Op::VectorShuffle, &words));
            }
        }
        value
    }
}
