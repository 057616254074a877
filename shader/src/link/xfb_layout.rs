//! Transform feedback that a shader lays out itself with `xfb_buffer`, `xfb_offset` and `xfb_stride` (GLSL 4.60 section
//! 4.4.2.1). The translation has them as decorations of outputs, members of blocks taken apart.

use super::StageUnit;
use super::interface::{IoBlock, IoVar};
use crate::spirv::{Decoration, ExecutionMode, Module, Ty};

/// What a shader says of one captured value.
pub(super) struct Declared {
    pub variable: u32,
    /// Indices into it, when only a part is captured.
    pub path: Vec<u32>,
    pub name: String,
    pub ty: Ty,
    pub buffer: u32,
    pub offset: u32,
}

/// Everything that a stage captures by its own words.
#[derive(Default)]
pub(super) struct Layout {
    pub captures: Vec<Declared>,
    /// Bytes of a vertex in each buffer.
    pub strides: [u32; 4],
    /// What breaks a rule. The front end has checked GLSL; modules come as they are.
    pub faults: Vec<String>,
}

/// Whether a stage's words decide what is captured.
pub(super) fn decides(unit: &StageUnit) -> bool {
    unit.module.execution_modes.iter().any(|m| m.word(1) == ExecutionMode::Xfb as u32)
}

/// Reads what a stage captures.
pub(super) fn read(unit: &StageUnit) -> Layout {
    let mut out = Layout::default();
    for v in &unit.declared.outputs {
        let of = |what| unit.module.decoration(v.id, what);
        let Some(buffer) = of(Decoration::XfbBuffer) else { continue };
        let block =
            v.name.split_once('.').and_then(|(name, _)| unit.declared.output_blocks.iter().find(|b| b.name == name));
        // Each instance of an array of blocks goes to the buffer after the one before it.
        let instances = block.filter(|b| b.array).map_or(1, |_| instances(&v.ty));
        for instance in 0..instances {
            let Some(stride) = out.strides.get_mut(buffer.saturating_add(instance) as usize) else { continue };
            let said = of(Decoration::XfbStride).unwrap_or(0);
            // GLSL 4.60 section 4.4.2.1: a buffer has one stride, a multiple of 4.
            if said % 4 != 0 || (said != 0 && *stride != 0 && said != *stride) {
                out.faults.push(format!("transform feedback buffer {buffer} can't have a stride of {said} bytes"));
            }
            *stride = (*stride).max(said);
        }
        let Some(offset) = of(Decoration::Offset) else { continue };
        let first = out.captures.len();
        match (block.filter(|b| b.array), &v.ty) {
            (Some(b), Ty::Array(element, _)) => {
                for i in 0..instances {
                    let name = v.name.replacen(&b.name, &format!("{}[{i}]", b.name), 1);
                    leaves(v, vec![i], &name, element, buffer.saturating_add(i), &mut { offset }, &mut out.captures);
                }
            }
            _ => {
                let name = listed_name(v, block);
                leaves(v, Vec::new(), &name, &v.ty, buffer, &mut { offset }, &mut out.captures);
            }
        }
        // GLSL 4.60 section 4.4.2.1: an offset is aligned to the components that are captured.
        if out.captures.get(first).is_some_and(|c| c.offset != offset) {
            out.faults.push(format!("transform feedback varying `{}' can't be captured at {offset}", v.name));
        }
    }
    let said = out.strides;
    for c in &out.captures {
        let Some(stride) = out.strides.get_mut(c.buffer as usize) else { continue };
        let end = u64::from(c.offset) + 4 * u64::from(c.ty.components());
        let end = u32::try_from(end.next_multiple_of(u64::from(alignment(&c.ty)))).unwrap_or(u32::MAX);
        let said = said[c.buffer as usize];
        // So is a stride, and what is captured ends within it.
        if said % alignment(&c.ty) != 0 || (said != 0 && end > said) {
            out.faults.push(format!("transform feedback varying `{}' can't be captured at {}", c.name, c.offset));
        }
        *stride = (*stride).max(end);
    }
    out
}

/// Members of blocks without an instance name are called by their own.
fn listed_name(v: &IoVar, block: Option<&IoBlock>) -> String {
    match (block, v.name.split_once('.')) {
        (Some(block), Some((_, member))) if !block.instance => member.to_owned(),
        _ => v.name.clone(),
    }
}

fn instances(ty: &Ty) -> u32 {
    match ty {
        Ty::Array(_, n) => *n,
        _ => 1,
    }
}

/// Bytes that captures of a type are aligned to.
fn alignment(ty: &Ty) -> u32 {
    if ty.is_long() { 8 } else { 4 }
}

/// Flattens a value: its parts follow each other, each at a multiple of its own component's size.
fn leaves(v: &IoVar, path: Vec<u32>, name: &str, ty: &Ty, buffer: u32, at: &mut u32, out: &mut Vec<Declared>) {
    let down = |i: u32| [&path[..], &[i]].concat();
    match ty {
        Ty::Struct(s) => {
            for (i, m) in s.members.iter().enumerate() {
                leaves(v, down(i as u32), &format!("{name}.{}", m.name), &m.ty, buffer, at, out);
            }
        }
        Ty::Array(element, n) if !matches!(**element, Ty::Basic(_)) => {
            for i in 0..*n {
                leaves(v, down(i), &format!("{name}[{i}]"), element, buffer, at, out);
            }
        }
        _ => {
            *at = at.checked_next_multiple_of(alignment(ty)).unwrap_or(u32::MAX);
            out.push(Declared { variable: v.id, path, name: name.to_owned(), ty: ty.clone(), buffer, offset: *at });
            *at = at.saturating_add(ty.components().saturating_mul(4));
        }
    }
}

/// Takes the words of a stage out of its translation: what is captured is said anew.
pub(super) fn strip(module: &mut Module, outputs: &[IoVar]) {
    module.execution_modes.retain(|m| m.word(1) != ExecutionMode::Xfb as u32);
    for v in outputs {
        for what in [Decoration::XfbBuffer, Decoration::XfbStride, Decoration::Offset] {
            module.undecorate(v.id, what);
        }
    }
}
