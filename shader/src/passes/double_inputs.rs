//! Vertex inputs of doubles, and of integers of 64 bits, as pairs of words. What GL calls one attribute, three or four doubles, is more than a device
//! fetches at one location, and few devices fetch doubles at all; each column becomes one or two vectors of unsigned
//! integers, from which the doubles are put together (GL 4.6 core section 11.1.1, SPIR-V OpBitcast).

use std::collections::HashMap;

use crate::spirv::{Inst, Module, Op};

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
    let mut number = 0;
    module.fill_by_columns(variable, |module, column, out| {
        let (low, high) = (places.first + number, places.high.get(number as usize));
        number += 1;
        let mut pair = |module: &mut Module, location: u32, first: u32, count: u32| {
            let uint = module.type_uint();
            let whole = module.type_vector(uint, 4);
            let result = if count == 1 { column.number } else { module.type_vector(column.number, count) };
            let input = module.input_at(words, location, whole);
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
        let first = pair(module, low, places.component, column.count.min(2));
        if column.count <= 2 {
            return Some(first);
        }
        let second = pair(module, *high?, 0, column.count - 2);
        let id = module.id();
        out.push(Inst::new(Op::CompositeConstruct, &[column.ty, id, first, second]));
        Some(id)
    });
}
