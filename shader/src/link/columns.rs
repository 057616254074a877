//! Vertex inputs of different shapes that share locations (GL 4.6 core section 11.1.1: an array and a vector, say): each
//! location is one vector of four, of which every input takes its columns.

use std::collections::HashMap;

use crate::spirv::{Inst, Module, Op};

/// The input at each location.
pub(super) type Columns = HashMap<u32, u32>;

/// Makes an input of numbers of 32 bits hold what is at the locations from `first` on, from a component on.
pub(super) fn read(module: &mut Module, variable: u32, first: u32, component: u32, columns: &mut Columns) {
    let mut locations = first..;
    module.fill_by_columns(variable, |module, column, out| {
        let whole = module.type_vector(column.number, 4);
        let input = module.input_at(columns, locations.next()?, whole);
        let (loaded, value) = (module.id(), module.id());
        out.push(Inst::new(Op::Load, &[whole, loaded, input]));
        if column.count == 1 {
            out.push(Inst::new(Op::CompositeExtract, &[column.ty, value, loaded, component]));
        } else {
            let mut words = vec![column.ty, value, loaded, loaded];
            words.extend(component..component + column.count);
            out.push(Inst::new(Op::VectorShuffle, &words));
        }
        Some(value)
    });
}
