//! Vertex inputs of doubles, and of integers of 64 bits, as pairs of words. What GL calls one attribute, three or four doubles, is more than a device
//! fetches at one location, and few devices fetch doubles at all; each column becomes one or two vectors of unsigned
//! integers, from which the doubles are put together (GL 4.6 core section 11.1.1, SPIR-V OpBitcast).

use std::collections::HashMap;

use crate::spirv::{Decoration, Inst, Module, Op, StorageClass};

/// Where the halves of the columns of an input come from.
pub(crate) struct Places<'a> {
    /// Location of the first two doubles of the first column; those of the others follow.
    pub first: u32,
    /// Location of the third and fourth double of each column, for columns that have them.
    pub high: &'a [u32],
    /// First word of each column at its location: GLSL 4.60 section 4.4.1 lets two doubles share one.
    pub component: u32,
}

/// The words at each location, as input variables: each is one, whatever reads it.
pub(crate) type Words = HashMap<u32, u32>;

/// Splits an input variable.
pub(crate) fn split(module: &mut Module, variable: u32, places: &Places<'_>, words: &mut Words) {
    let global = |module: &Module, id: u32| module.globals.iter().find(|g| g.result() == Some(id)).cloned();
    let Some(pointer) = global(module, variable).and_then(|v| global(module, v.word(0))) else { return };
    let ty = pointer.word(2);
    module.demote_to_private(variable);
    module.insert_at_entry(|module, out| {
        let mut builder = Builder { places, words, column: 0 };
        if let Some(value) = builder.value(module, ty, out) {
            out.push(Inst::new(Op::Store, &[variable, value]));
        }
    });
    module.fix_interface();
}

struct Builder<'a> {
    places: &'a Places<'a>,
    words: &'a mut Words,
    column: usize,
}

impl Builder<'_> {
    /// Emits code that puts a value of a type together and returns its id.
    fn value(&mut self, module: &mut Module, ty: u32, out: &mut Vec<Inst>) -> Option<u32> {
        let def = module.globals.iter().find(|g| g.result() == Some(ty)).cloned()?;
        let parts = match def.op {
            Op::TypeFloat | Op::TypeInt => return self.doubles(module, ty, 1, ty, out),
            Op::TypeVector => return self.doubles(module, def.word(1), def.word(2), ty, out),
            Op::TypeMatrix => def.word(2),
            Op::TypeArray => {
                let length = module.globals.iter().find(|g| g.result() == Some(def.word(2)))?;
                length.word(2)
            }
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

    /// One column of `count` doubles, as the type `ty`.
    fn doubles(&mut self, module: &mut Module, double: u32, count: u32, ty: u32, out: &mut Vec<Inst>) -> Option<u32> {
        let low = self.places.first + self.column as u32;
        let high = self.places.high.get(self.column).copied();
        self.column += 1;
        let component = self.places.component;
        let mut pair = |module: &mut Module, location: u32, first: u32, count: u32| {
            let uint = module.type_uint();
            let whole = module.type_vector(uint, 4);
            let result = if count == 1 { double } else { module.type_vector(double, count) };
            let input = *self.words.entry(location).or_insert_with(|| {
                let input = module.add_variable(StorageClass::Input, whole);
                module.decorate(input, Decoration::Location, &[location]);
                input
            });
            let (loaded, value) = (module.id(), module.id());
            out.push(Inst::new(Op::Load, &[whole, loaded, input]));
            let mut read = loaded;
            if count == 1 {
                let two = module.type_vector(uint, 2);
                read = module.id();
                out.push(Inst::new(Op::VectorShuffle, &[two, read, loaded, loaded, first, first + 1]));
            }
            out.push(Inst::new(Op::Bitcast, &[result, value, read]));
            value
        };
        let first = pair(module, low, component, count.min(2));
        if count <= 2 {
            return Some(first);
        }
        let second = pair(module, high?, 0, count - 2);
        let id = module.id();
        out.push(Inst::new(Op::CompositeConstruct, &[ty, id, first, second]));
        Some(id)
    }
}
