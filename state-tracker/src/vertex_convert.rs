//! Converts vertex attributes that the device can't fetch, by format or by place, to four 32-bit components.

use gallite_pipe::{Bind, BufferDesc, BufferFlags, BufferId, BufferUsage, Format, MapFlags, Outcome, VertexBuffer};

use crate::atoms::vertex::{push_buffers_with, wide_format};
use crate::context::Context;
use crate::gl::*;
use crate::objects::vertex_array::Attribute;
use crate::pixels::float::half_to_f64;

/// Most elements converted for one draw, 16 bytes each. An attribute of more is left as it is, which reads zeros.
const MOST_ELEMENTS: u64 = 1 << 26;

/// Elements a draw may fetch: `None` means any in the buffer.
pub type Range = Option<(u64, u64)>;

/// Converts every attribute that needs it and pushes the vertex buffers anew. The temporary buffers stay bound, so they
/// are given up when the next conversion has replaced them; the driver keeps them until the draw has run.
#[cold]
pub fn convert_attributes(ctx: &mut Context, vertices: Range) {
    let mut left = ctx.state.vertex.converted;
    let mut converted = Vec::new();
    let mut fresh: Vec<BufferId> = Vec::new();
    while left != 0 {
        let location = left.trailing_zeros() as usize;
        left &= left - 1;
        if let Some((id, offset)) = convert(ctx, location, vertices) {
            converted.push((location as u8, VertexBuffer { buffer: id, offset }));
            fresh.push(id);
        }
    }
    push_buffers_with(ctx, &converted);
    release_temporary(ctx);
    ctx.state.vertex.temporary = fresh;
}

/// Destroys the temporary buffers of the conversion before.
pub fn release_temporary(ctx: &mut Context) {
    for id in std::mem::take(&mut ctx.state.vertex.temporary) {
        ctx.device.screen.destroy_buffer(id);
        ctx.device.release(id);
    }
}

/// Converts one attribute. Element `i` of the source lies 16 * i bytes from the returned offset, which can be before the
/// buffer's start as a number only when nothing is fetched there.
fn convert(ctx: &mut Context, location: usize, vertices: Range) -> Option<(BufferId, u64)> {
    let array = ctx.vertex_array();
    let attribute = array.attributes[location];
    let binding = array.bindings[usize::from(attribute.binding)].clone();
    let source = binding.buffer?;
    let start = (binding.offset as u64).saturating_add(attribute.relative_offset.into());
    let element = u64::from(attribute.element_size);
    let available = source.size().checked_sub(start)?.checked_sub(element)?;
    let stride = u64::from(binding.stride);
    let fetchable = available.checked_div(stride).map_or(1, |n| n + 1);
    let last = match vertices {
        Some((first, count)) if binding.divisor == 0 => first.saturating_add(count).min(fetchable),
        _ => fetchable,
    };
    let bytes = usize::try_from(last.checked_sub(1)? * stride + element).ok()?;
    if last > MOST_ELEMENTS {
        return None;
    }
    let mut memory = vec![0; bytes];
    if ctx.pipe.buffer_read(source.id(), start, &mut memory) != Outcome::DONE {
        return None;
    }
    let desc = &ctx.executable()?.desc;
    let inputs = [desc.vertex_inputs, desc.vertex_inputs_sint, desc.vertex_inputs_uint];
    let wide = wide_format(inputs, location);
    let mut words: Vec<[u32; 4]> = Vec::with_capacity(last as usize);
    for index in 0..last as usize {
        words.push(decode(&attribute, &memory[index * stride as usize..], wide));
    }
    let id: BufferId = ctx.device.mint();
    let size = (words.len() * 16) as u64;
    let (usage, flags) = (BufferUsage::STREAM, BufferFlags::EMPTY);
    ctx.device.screen.create_buffer(id, &BufferDesc { size, bind: Bind::VERTEX, usage, flags, reserved: 0 });
    ctx.pipe.buffer_write(id, 0, MapFlags::WRITE | MapFlags::INVALIDATE_BUFFER, bytemuck::cast_slice(&words));
    Some((id, 0))
}

/// One element as four components of the wanted class; missing ones are 0, 0, 1.
fn decode(attribute: &Attribute, bytes: &[u8], wide: Format) -> [u32; 4] {
    let bgra = attribute.size == GL_BGRA as GLint;
    let count = if bgra { 4 } else { attribute.size.clamp(1, 4) as usize };
    let integer = wide != Format::R32G32B32A32_FLOAT;
    let one = if integer { 1 } else { 1f32.to_bits() };
    let mut out = [0, 0, 0, one];
    for (index, slot) in out.iter_mut().enumerate().take(count) {
        let value = component(attribute, bytes, index);
        *slot = match value {
            Component::Integer(v) if integer => v as u32,
            Component::Integer(v) => (v as f32).to_bits(),
            Component::Real(v) if integer => v as i64 as u32,
            Component::Real(v) => (v as f32).to_bits(),
        };
    }
    if bgra {
        out.swap(0, 2);
    }
    out
}

enum Component {
    Integer(i64),
    Real(f64),
}

fn component(attribute: &Attribute, bytes: &[u8], index: usize) -> Component {
    fn at<const N: usize>(bytes: &[u8], index: usize) -> [u8; N] {
        bytes.get(index * N..(index + 1) * N).and_then(|b| b.try_into().ok()).unwrap_or([0; N])
    }
    let fixed = |value: i64, most: f64| {
        if attribute.normalized { Component::Real((value as f64 / most).max(-1.0)) } else { Component::Integer(value) }
    };
    match attribute.kind {
        GL_BYTE => fixed(i8::from_le_bytes(at(bytes, index)).into(), 127.0),
        GL_UNSIGNED_BYTE => fixed(u8::from_le_bytes(at(bytes, index)).into(), 255.0),
        GL_SHORT => fixed(i16::from_le_bytes(at(bytes, index)).into(), 32767.0),
        GL_UNSIGNED_SHORT => fixed(u16::from_le_bytes(at(bytes, index)).into(), 65535.0),
        GL_INT => fixed(i32::from_le_bytes(at(bytes, index)).into(), 2147483647.0),
        GL_UNSIGNED_INT => fixed(u32::from_le_bytes(at(bytes, index)).into(), 4294967295.0),
        GL_FIXED => Component::Real(f64::from(i32::from_le_bytes(at(bytes, index))) / 65536.0),
        GL_DOUBLE => Component::Real(f64::from_le_bytes(at(bytes, index))),
        GL_HALF_FLOAT => Component::Real(half_to_f64(u16::from_le_bytes(at(bytes, index)))),
        GL_INT_2_10_10_10_REV | GL_UNSIGNED_INT_2_10_10_10_REV => {
            let word = u32::from_le_bytes(at(bytes, 0));
            let (shift, bits) = [(0, 10), (10, 10), (20, 10), (30, 2)][index.min(3)];
            if attribute.kind == GL_INT_2_10_10_10_REV {
                let value = (word << (32 - shift - bits)) as i32 >> (32 - bits);
                fixed(value.into(), f64::from((1 << (bits - 1)) - 1))
            } else {
                fixed((word >> shift & ((1 << bits) - 1)).into(), f64::from((1 << bits) - 1))
            }
        }
        _ => Component::Real(f32::from_le_bytes(at(bytes, index)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::vertex_array::{VertexArray, attribute_format};

    fn attribute(size: GLint, kind: GLenum, normalized: bool) -> Attribute {
        let format = attribute_format(size, kind, normalized, false);
        Attribute { size, kind, normalized, format, ..VertexArray::new(1).attributes[0] }
    }

    fn floats(words: [u32; 4]) -> [f32; 4] {
        words.map(f32::from_bits)
    }

    #[test]
    fn components_follow_the_conversion_rules() {
        let wide = Format::R32G32B32A32_FLOAT;
        let ints = [i32::MAX.to_le_bytes(), i32::MIN.to_le_bytes()].concat();
        assert_eq!(floats(decode(&attribute(2, GL_INT, true), &ints, wide)), [1.0, -1.0, 0.0, 1.0]);
        let doubles = [1.5f64.to_le_bytes(), (-2.0f64).to_le_bytes(), 0.25f64.to_le_bytes()].concat();
        assert_eq!(floats(decode(&attribute(3, GL_DOUBLE, false), &doubles, wide)), [1.5, -2.0, 0.25, 1.0]);
        let fixed = 0x0001_8000_i32.to_le_bytes();
        assert_eq!(floats(decode(&attribute(1, GL_FIXED, false), &fixed, wide)), [1.5, 0.0, 0.0, 1.0]);
        let bgra = [0u8, 0, 255, 255];
        assert_eq!(
            floats(decode(&attribute(GL_BGRA as GLint, GL_UNSIGNED_BYTE, true), &bgra, wide)),
            [1.0, 0.0, 0.0, 1.0]
        );
        assert_eq!(
            decode(&attribute(1, GL_SHORT, false), &[0xff, 0xff], Format::R32G32B32A32_SINT),
            [u32::MAX, 0, 0, 1]
        );
    }
}
