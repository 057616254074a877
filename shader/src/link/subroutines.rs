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
                let mut next = selector.location;
                // GL 4.6 core 7.3.1.1: an array of arrays is as many arrays.
                for (suffix, stand_in) in stand_ins.iter().filter_map(|u| Some((suffix(selector, u)?, u))) {
                    let location = next.unwrap_or_else(|| free(&stage, stand_in.array_size));
                    if (location..location + stand_in.array_size).any(|l| stage.at(l).is_some()) {
                        linker.error(&format!("location of subroutine uniform `{}' is in use", selector.name));
                        continue;
                    }
                    next = next.map(|_| location + stand_in.array_size);
                    stage.uniforms.push(uniform(&found, selector, suffix, stand_in, location));
                }
            }
        }
        linker.reflection.subroutines.push(stage);
    }
}

fn free(stage: &StageSubroutines, count: u32) -> u32 {
    (0..).find(|first| (*first..first + count).all(|l| stage.at(l).is_none())).unwrap_or(0)
}

/// What follows a selector's name in that of an integer uniform of its.
fn suffix<'a>(selector: &Selector, stand_in: &'a Uniform) -> Option<&'a str> {
    stand_in.name.strip_prefix(&selector.stand_in).filter(|rest| rest.is_empty() || rest.starts_with('['))
}

fn uniform(
    found: &Subroutines,
    selector: &Selector,
    suffix: &str,
    stand_in: &Uniform,
    location: u32,
) -> SubroutineUniform {
    SubroutineUniform {
        name: format!("{}{suffix}", selector.name),
        compatible: found.functions.iter().filter(|f| f.types.contains(&selector.ty)).map(|f| f.index).collect(),
        array_size: stand_in.array_size,
        location,
        offset: stand_in.default_offset,
        stride: stand_in.default_array_stride,
    }
}
