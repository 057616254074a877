//! Buffers of the program's binding tables.

use gallite_pipe::{BindPoint, BufferRange};

use crate::context::Context;
use crate::state::buffers::IndexedBinding;

/// A binding as a range of its buffer now. A binding without size follows the buffer's (GL 4.6 core 6.1.1).
fn resolve(binding: &IndexedBinding) -> BufferRange {
    let Some(buffer) = &binding.buffer else { return BufferRange::default() };
    let (id, size) = buffer.storage();
    let available = size.saturating_sub(binding.offset);
    let size = binding.size.unwrap_or(available).min(available);
    if size == 0 {
        return BufferRange::default();
    }
    BufferRange { buffer: id, offset: binding.offset, size }
}

/// Pushes the uniform buffers the program reads.
pub fn push_uniform(ctx: &mut Context) {
    let Context { pipe, state, .. } = ctx;
    let Some(executable) = &state.programs.executable else { return };
    let mut ranges = smallvec::SmallVec::<[BufferRange; 16]>::new();
    for block in 0..executable.reflection().blocks.len() {
        let binding = executable.block_binding(block).unwrap_or(0) as usize;
        ranges.push(state.buffers.uniform_indexed.get(binding).map(resolve).unwrap_or_default());
    }
    if !ranges.is_empty() {
        pipe.set_uniform_buffers(BindPoint::GRAPHICS, &ranges);
    }
}

/// Storage buffers: no program has any before GL 4.3.
pub fn push_storage(_ctx: &mut Context) {}
