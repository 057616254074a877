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

/// Pushes the uniform buffers that draws read.
pub fn push_uniform(ctx: &mut Context) {
    push_uniform_at(ctx, BindPoint::GRAPHICS);
}

/// Pushes the uniform buffers that dispatches read.
pub fn push_uniform_compute(ctx: &mut Context) {
    push_uniform_at(ctx, BindPoint::COMPUTE);
}

fn push_uniform_at(ctx: &mut Context, point: BindPoint) {
    let Context { pipe, state, .. } = ctx;
    let Some(executable) = state.programs.at(point) else { return };
    let mut ranges = smallvec::SmallVec::<[BufferRange; 16]>::new();
    for block in 0..executable.reflection().blocks.len() {
        let binding = executable.block_binding(block).unwrap_or(0) as usize;
        ranges.push(state.buffers.uniform_indexed.get(binding).map(resolve).unwrap_or_default());
    }
    if !ranges.is_empty() {
        pipe.set_uniform_buffers(point, &ranges);
    }
}

/// Pushes the storage buffers that draws use.
pub fn push_storage(ctx: &mut Context) {
    push_storage_at(ctx, BindPoint::GRAPHICS);
}

/// Pushes the storage buffers that dispatches use.
pub fn push_storage_compute(ctx: &mut Context) {
    push_storage_at(ctx, BindPoint::COMPUTE);
}

/// Storage blocks come first in the program's table, the buffers of its atomic counters after them.
fn push_storage_at(ctx: &mut Context, point: BindPoint) {
    let Context { pipe, state, .. } = ctx;
    let Some(executable) = state.programs.at(point) else { return };
    let reflection = executable.reflection();
    let mut ranges = smallvec::SmallVec::<[BufferRange; 16]>::new();
    for block in 0..reflection.storage_blocks.len() {
        let binding = executable.storage_binding(block).unwrap_or(0) as usize;
        ranges.push(state.buffers.storage_indexed.get(binding).map(resolve).unwrap_or_default());
    }
    for buffer in &reflection.atomic_buffers {
        ranges.push(state.buffers.atomic_indexed.get(buffer.binding as usize).map(resolve).unwrap_or_default());
    }
    if !ranges.is_empty() {
        pipe.set_storage_buffers(point, executable.storage_writable, &ranges);
    }
}
