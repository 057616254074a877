//! Subroutines of a program (GL 4.6 core section 7.10): which uniforms are active, and their locations.

use super::Linker;
use crate::front::subroutines::{Selector, Subroutines};
use crate::reflection::{StageSubroutines, SubroutineUniform, Uniform};

/// Fills the reflection; `stand_ins` are the integer uniforms of active selectors.
pub(super) fn link(linker: &mut Linker<'_>, stand_ins: &[Uniform]) {
    for at in 0..linker.stages.len() {
        let unit = &linker.stages[at];
        let Some(found) = unit.subroutines.clone() else { continue };
        let mut stage = StageSubroutines {
            stage: unit.stage as u8,
            functions: found.functions.iter().map(|f| (f.name.clone(), f.index)).collect(),
            uniforms: Vec::new(),
        };
        for explicit in [true, false] {
            for selector in found.selectors.iter().filter(|s| s.location.is_some() == explicit) {
                let own = |u: &&Uniform| u.name.strip_suffix("[0]").unwrap_or(&u.name) == selector.stand_in;
                let Some(stand_in) = stand_ins.iter().find(own) else { continue };
                let location = selector.location.unwrap_or_else(|| free(&stage, stand_in.array_size));
                if (location..location + stand_in.array_size).any(|l| stage.at(l).is_some()) {
                    linker.error(&format!("location of subroutine uniform `{}' is in use", selector.name));
                    continue;
                }
                stage.uniforms.push(uniform(&found, selector, stand_in, location));
            }
        }
        linker.reflection.subroutines.push(stage);
    }
}

fn free(stage: &StageSubroutines, count: u32) -> u32 {
    (0..).find(|first| (*first..first + count).all(|l| stage.at(l).is_none())).unwrap_or(0)
}

fn uniform(found: &Subroutines, selector: &Selector, stand_in: &Uniform, location: u32) -> SubroutineUniform {
    SubroutineUniform {
        name: if stand_in.is_array { format!("{}[0]", selector.name) } else { selector.name.clone() },
        compatible: found.functions.iter().filter(|f| f.types.contains(&selector.ty)).map(|f| f.index).collect(),
        array_size: stand_in.array_size,
        location,
        offset: stand_in.default_offset,
        stride: stand_in.default_array_stride,
    }
}
