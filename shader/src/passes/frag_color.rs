//! `gl_FragColor` goes to every colour buffer (GL 4.6 compatibility section 15.2.3), an ordinary
//! output to one.

use crate::spirv::{Decoration, Inst, Op, StorageClass};

/// Copies the output at location 0 to the other locations in the bit set `locations` wherever the
/// shader ends. For programs with `ShaderFlags::BROADCASTS_COLOR` rendering to more than one
/// colour buffer.
pub fn broadcast_frag_color(words: &[u32], locations: u32) -> Vec<u32> {
    super::edit(words, |module| {
        let outputs: Vec<(u32, u32)> =
            module.variables().into_iter().filter(|v| v.3 == StorageClass::Output as u32).map(|v| (v.1, v.2)).collect();
        let Some(&(pointer, color)) =
            outputs.iter().find(|(_, id)| module.decoration(*id, Decoration::Location) == Some(0))
        else {
            return;
        };
        let ty = module.global(pointer).map_or(0, |p| p.word(2));
        let copies: Vec<u32> = (1..32)
            .filter(|location| locations & (1 << location) != 0)
            .map(|location| {
                let copy = module.add_variable(StorageClass::Output, ty);
                module.decorate(copy, Decoration::Location, &[location]);
                copy
            })
            .collect();
        module.insert_before_return(|module, out| {
            let value = module.id();
            out.push(Inst::new(Op::Load, &[ty, value, color]));
            for copy in &copies {
                out.push(Inst::new(Op::Store, &[*copy, value]));
            }
        });
    })
}
