//! Atomic counters across stages (GL 4.6 core section 7.7). The buffers behind them are storage buffers, after those of
//! the program's storage blocks.

use gallite_pipe::{BindingKind, ShaderBinding};

use super::{Linker, spaced};
use crate::gl_type;
use crate::passes::lower_uniforms::{CounterPlacement, Placement};
use crate::reflection::{AtomicBuffer, Uniform};
use crate::spirv::Ty;
use crate::stage::StageMask;

/// Bytes of a counter.
const SIZE: u32 = 4;

/// An atomic counter of the program, or an array of them.
pub(super) struct MergedCounter {
    name: String,
    space: Option<u8>,
    ty: Ty,
    pub binding: u32,
    offset: u32,
    pub stages: StageMask,
    /// Position in `Linker::stages` and variable id, where used.
    variables: Vec<(usize, u32)>,
}

impl MergedCounter {
    /// Counters of an array.
    pub fn count(&self) -> u32 {
        self.ty.elements()
    }

    /// Bytes from the buffer's start to the end of the last counter.
    pub fn end(&self) -> u32 {
        self.offset.saturating_add(self.count().saturating_mul(SIZE))
    }
}

/// Brings the counters of all stages together; those that no code uses are left out.
pub(super) fn merge(linker: &mut Linker<'_>) -> Vec<MergedCounter> {
    let mut merged: Vec<MergedCounter> = Vec::new();
    let mut errors = Vec::new();
    for (s, stage) in linker.stages.iter().enumerate() {
        for c in stage.declared.counters.iter().filter(|c| stage.used.contains(&c.id)) {
            let Some(m) = merged.iter_mut().find(|m| m.name == c.name && m.space == stage.space) else {
                merged.push(MergedCounter {
                    name: c.name.clone(),
                    space: stage.space,
                    ty: c.ty.clone(),
                    binding: c.binding,
                    offset: c.offset,
                    stages: stage.stage.bit(),
                    variables: vec![(s, c.id)],
                });
                continue;
            };
            // GLSL 4.60 section 4.4.6.1: one counter has one place.
            if m.ty != c.ty || m.binding != c.binding || m.offset != c.offset {
                errors.push(format!("declarations of atomic counter `{}' do not match", c.name));
                continue;
            }
            m.stages |= stage.stage.bit();
            m.variables.push((s, c.id));
        }
    }
    for (i, a) in merged.iter().enumerate() {
        let overlaps = |b: &&MergedCounter| {
            a.space == b.space && a.binding == b.binding && a.offset < b.end() && b.offset < a.end()
        };
        if let Some(b) = merged[..i].iter().find(overlaps) {
            errors.push(format!("atomic counters `{}' and `{}' overlap", b.name, a.name));
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    merged
}

/// Binding points in use, lowest first.
pub(super) fn bindings(counters: &[MergedCounter]) -> Vec<u32> {
    let mut bindings: Vec<u32> = counters.iter().map(|c| c.binding).collect();
    bindings.sort_unstable();
    bindings.dedup();
    bindings
}

/// Lists counters and their buffers, whose dense indices begin at `first`.
pub(super) fn place(linker: &mut Linker<'_>, counters: &[MergedCounter], first: u32, placements: &mut [Placement]) {
    for (index, binding) in bindings(counters).into_iter().enumerate() {
        let dense = first + index as u32;
        let mut buffer = AtomicBuffer { binding, data_size: 0, members: Vec::new(), stages: StageMask(0), dense };
        for c in counters.iter().filter(|c| c.binding == binding) {
            buffer.stages |= c.stages;
            buffer.data_size = buffer.data_size.max(c.end());
            for &(s, variable) in &c.variables {
                placements[s].counters.push(CounterPlacement { variable, binding: dense, first: c.offset / SIZE });
            }
            list(linker, c, index as i32, &mut buffer.members);
        }
        linker.bindings.push(ShaderBinding {
            kind: BindingKind::STORAGE_BUFFER,
            binding: dense,
            count: 1,
            stages: u32::from(buffer.stages.0),
            access: 3,
            ..bytemuck::Zeroable::zeroed()
        });
        linker.reflection.atomic_buffers.push(buffer);
    }
}

/// Adds a counter to the active uniforms, an array of arrays taken apart down to its last dimension.
fn list(linker: &mut Linker<'_>, counter: &MergedCounter, buffer: i32, members: &mut Vec<u32>) {
    let mut arrays = vec![(spaced(counter.space, &counter.name), counter.offset)];
    let mut ty = &counter.ty;
    while let Ty::Array(element, len) = ty
        && matches!(**element, Ty::Array(..))
    {
        let size = element.elements() * SIZE;
        let parts = |(name, offset): &(String, u32)| {
            (0..*len).map(|i| (format!("{name}[{i}]"), offset + i * size)).collect::<Vec<_>>()
        };
        arrays = arrays.iter().flat_map(parts).collect();
        ty = element;
    }
    let (count, is_array) = match ty {
        Ty::Array(_, len) => (*len, true),
        _ => (1, false),
    };
    for (name, offset) in arrays {
        members.push(linker.reflection.uniforms.len() as u32);
        linker.reflection.uniforms.push(Uniform {
            ty: gl_type::UNSIGNED_INT_ATOMIC_COUNTER,
            array_size: count,
            is_array,
            offset: offset as i32,
            array_stride: if is_array { SIZE as i32 } else { 0 },
            matrix_stride: 0,
            stages: counter.stages,
            atomic_buffer: buffer,
            ..Uniform::default_for(if is_array { format!("{name}[0]") } else { name })
        });
    }
}
