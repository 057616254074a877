//! Converts vertex attributes that the device can't fetch, by format or by place, to four 32-bit components.

use gallite_pipe::{Bind, BufferDesc, BufferFlags, BufferId, BufferUsage, Format, MapFlags, Outcome, VertexBuffer};

use crate::atoms::vertex::{can_copy, push_buffers_with, wanted_class, wide_format};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::gl::*;

use crate::objects::vertex_array::{Attribute, Half, VertexBinding, VertexInputs};
use crate::pixels::float::half_to_f64;
use crate::state::vertex::{CurrentKind, CurrentValue};

/// Most elements converted for one draw, 16 bytes each. An attribute of more is left as it is, which reads zeros.
const MOST_ELEMENTS: u64 = 1 << 26;

/// Elements a draw may fetch: `None` means any in the buffer.
pub type Range = Option<(u64, u64)>;

/// The first element of arrays that advance by instance, and the number of instances.
pub type Instances = (u64, u64);

/// How elements are repeated for instances: the divisor, and the instances.
type Repeat = (u64, Instances);

/// How those of an array are, where more instances share one than the device can.
fn repeat_of(ctx: &Context, binding: &VertexBinding, instances: Instances) -> Option<Repeat> {
    binding.is_repeated(&ctx.device.caps.limits).then(|| (u64::from(binding.divisor), instances))
}

/// The elements of each instance (GL 4.6 core 10.3.4: the base counts elements, not instances), from that of the base on, so
/// that instance `i` reads what lies at the base and `i`.
fn repeat(elements: &[[u32; 4]], (divisor, (base, count)): Repeat) -> Option<Vec<[u32; 4]>> {
    let last = base.checked_add(count).filter(|last| *last <= MOST_ELEMENTS)?;
    let of = |i: u64| elements.get(i as usize).copied().unwrap_or_default();
    Some((0..last).map(|i| of(if i < base { i } else { base + (i - base) / divisor })).collect())
}

/// What a conversion depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    source: BufferId,
    /// The source's contents, see [`Buffer::contents`](crate::objects::buffer::Buffer::contents).
    contents: u64,
    start: u64,
    stride: u64,
    size: GLint,
    kind: GLenum,
    normalized: bool,
    wide: Format,
    half: Half,
    repeat: Option<Repeat>,
}

/// Conversions kept for draws to come.
#[derive(Debug, Default)]
pub struct Conversions {
    /// Each with its buffer, bytes of that, and the draw that used it last.
    kept: Vec<(Key, BufferId, u64, u64)>,
    draw: u64,
}

/// Conversions kept, at most, and bytes of them.
const MOST_KEPT: usize = 64;
const MOST_KEPT_BYTES: u64 = 64 << 20;

impl Conversions {
    fn find(&mut self, key: &Key) -> Option<BufferId> {
        let draw = self.draw;
        let found = self.kept.iter_mut().find(|entry| entry.0 == *key)?;
        found.3 = draw;
        Some(found.1)
    }

    /// Keeps one, and returns those that make room for it: of contents that are gone, and those used longest ago.
    fn keep(&mut self, key: Key, id: BufferId, bytes: u64) -> Vec<BufferId> {
        let mut gone = Vec::new();
        self.kept.retain(|(old, id, ..)| {
            let stays = old.source != key.source || old.contents == key.contents;
            if !stays {
                gone.push(*id);
            }
            stays
        });
        loop {
            let total: u64 = self.kept.iter().map(|entry| entry.2).sum();
            if self.kept.len() < MOST_KEPT && total + bytes <= MOST_KEPT_BYTES {
                break;
            }
            let oldest = (0..self.kept.len()).min_by_key(|i| self.kept[*i].3).filter(|i| self.kept[*i].3 < self.draw);
            let Some(oldest) = oldest else { break };
            gone.push(self.kept.swap_remove(oldest).1);
        }
        self.kept.push((key, id, bytes, self.draw));
        gone
    }
}

/// Converts every attribute that needs it and pushes the vertex buffers anew. The temporary buffers stay bound, so they
/// are given up when the next conversion has replaced them; the driver keeps them until the draw has run.
#[cold]
pub fn convert_attributes(ctx: &mut Context, vertices: Range, instances: Instances) {
    let mut left = ctx.state.vertex.converted;
    let mut converted = Vec::new();
    let mut fresh: Vec<BufferId> = Vec::new();
    ctx.state.vertex.conversions.draw += 1;
    while left != 0 {
        let location = left.trailing_zeros() as usize;
        left &= left - 1;
        if let Some((buffer, is_kept)) = convert(ctx, location, vertices, instances) {
            converted.push((location as u8, VertexBuffer { buffer, offset: 0 }));
            if !is_kept {
                fresh.push(buffer);
            }
        }
    }
    push_buffers_with(ctx, &converted);
    if ctx.verify {
        // What the verifier derives before the next draw are the buffers that the state names.
        ctx.dirty.insert(DirtySet::VERTEX_BUFFERS);
    }
    release_temporary(ctx);
    ctx.state.vertex.temporary = fresh;
}

/// Destroys the temporary buffers of the conversion before.
pub fn release_temporary(ctx: &mut Context) {
    let gone = std::mem::take(&mut ctx.state.vertex.temporary);
    destroy(ctx, gone);
}

/// Destroys all that is kept: the context goes.
pub fn release_kept(ctx: &mut Context) {
    let kept = std::mem::take(&mut ctx.state.vertex.conversions.kept);
    destroy(ctx, kept.into_iter().map(|entry| entry.1).collect());
}

fn destroy(ctx: &Context, buffers: Vec<BufferId>) {
    for id in buffers {
        ctx.device.screen.destroy_buffer(id);
        ctx.device.release(id);
    }
}

/// Converts one attribute. Element `i` of the source lies 16 * i bytes from the start of the buffer that is returned; the
/// flag says that it is kept, otherwise it is the caller's.
fn convert(ctx: &mut Context, location: usize, vertices: Range, instances: Instances) -> Option<(BufferId, bool)> {
    let inputs = ctx.executable()?.vertex_inputs;
    let (slot, half) = inputs.source(location);
    let array = ctx.vertex_array();
    let attribute = array.attributes[array.feeding(slot, ctx.is_compatibility())];
    let binding = array.bindings[usize::from(attribute.binding)].clone();
    if array.is_client(&attribute) {
        let made = upload(ctx, (location, half, inputs), &attribute, &binding, vertices, instances)?;
        return Some((made, false));
    }
    let steps = repeat_of(ctx, &binding, instances);
    let source = binding.buffer?;
    let (id, size) = source.storage();
    let start = (binding.offset as u64).saturating_add(attribute.relative_offset.into());
    let element = u64::from(attribute.element_size);
    let available = size.checked_sub(start)?.checked_sub(element)?;
    let stride = u64::from(binding.stride);
    let fetchable = available.checked_div(stride).map_or(1, |n| n + 1);
    let wide = wide_format(inputs, location);
    // Between contexts a write and its notice are not one.
    let contents = source.contents().filter(|_| !ctx.share.has_several_contexts());
    let elements = fetchable.max(steps.map_or(0, |_| instances.0.saturating_add(instances.1)));
    let key = contents.filter(|_| elements.saturating_mul(16) <= MOST_KEPT_BYTES / 4).map(|contents| {
        let Attribute { size, kind, normalized, .. } = attribute;
        Key { source: id, contents, start, stride, size, kind, normalized, wide, half, repeat: steps }
    });
    if let Some(known) = key.and_then(|key| ctx.state.vertex.conversions.find(&key)) {
        return Some((known, true));
    }
    let last = match vertices {
        // What is kept serves every draw.
        Some((first, count)) if binding.divisor == 0 && key.is_none() => first.saturating_add(count).min(fetchable),
        _ => fetchable,
    };
    let bytes = usize::try_from(last.checked_sub(1)? * stride + element).ok()?;
    if last > MOST_ELEMENTS {
        return None;
    }
    let mut memory = vec![0; bytes];
    if ctx.pipe.buffer_read(id, start, &mut memory) != Outcome::DONE {
        return None;
    }
    let mut words: Vec<[u32; 4]> = Vec::with_capacity(last as usize);
    for index in 0..last as usize {
        words.push(decode_half(&attribute, &memory[index * stride as usize..], wide, half));
    }
    if let Some(steps) = steps {
        words = repeat(&words, steps)?;
    }
    let size = (words.len() * 16) as u64;
    let usage = if key.is_some() { BufferUsage::STATIC } else { BufferUsage::STREAM };
    let made = buffer(ctx, size, usage);
    ctx.pipe.buffer_write(made, 0, MapFlags::WRITE | MapFlags::INVALIDATE_BUFFER, bytemuck::cast_slice(&words));
    if let Some(key) = key {
        let gone = ctx.state.vertex.conversions.keep(key, made, size);
        destroy(ctx, gone);
    }
    Some((made, key.is_some()))
}

fn buffer(ctx: &Context, size: u64, usage: BufferUsage) -> BufferId {
    let id: BufferId = ctx.device.mint();
    let desc = BufferDesc { size, bind: Bind::VERTEX, usage, flags: BufferFlags::EMPTY, reserved: 0 };
    ctx.device.screen.create_buffer(id, &desc);
    id
}

/// Takes the elements of a draw out of client memory (GL 4.6 compatibility 10.3.1). Only those it fetches may be read.
fn upload(
    ctx: &mut Context,
    (location, half, inputs): (usize, Half, VertexInputs),
    attribute: &Attribute,
    binding: &VertexBinding,
    vertices: Range,
    instances: Instances,
) -> Option<BufferId> {
    let (first, count) = if binding.divisor == 0 {
        vertices?
    } else {
        // GL 4.6 core 10.3.4: the base counts elements, not instances.
        (0, instances.0 + instances.1.div_ceil(binding.divisor.into()))
    };
    let last = first.checked_add(count).filter(|last| *last <= MOST_ELEMENTS && count != 0)?;
    let steps = repeat_of(ctx, binding, instances);
    let copied = half == Half::None && steps.is_none() && can_copy(ctx, attribute, wanted_class(inputs, location));
    let (stride, size) = (binding.stride as usize, attribute.element_size as usize);
    let pointer = binding.pointer.byte_add(attribute.relative_offset as usize + first as usize * stride);
    let memory = pointer.read((count as usize - 1) * stride + size);
    let element = if copied { size } else { 16 };
    let bytes: Vec<u8> = if copied && stride == size {
        memory.into_owned()
    } else {
        let mut bytes = Vec::with_capacity(count as usize * element);
        let wide = wide_format(inputs, location);
        for index in 0..count as usize {
            let from = &memory[index * stride..index * stride + size];
            if copied {
                bytes.extend_from_slice(from);
            } else {
                bytes.extend_from_slice(bytemuck::cast_slice(&decode_half(attribute, from, wide, half)));
            }
        }
        bytes
    };
    if let Some(steps) = steps {
        // Such arrays begin at their first element.
        let words = repeat(bytemuck::cast_slice::<u8, [u32; 4]>(&bytes), steps)?;
        let made = buffer(ctx, (words.len() * 16) as u64, BufferUsage::STREAM);
        ctx.pipe.buffer_write(made, 0, MapFlags::WRITE | MapFlags::INVALIDATE_BUFFER, bytemuck::cast_slice(&words));
        return Some(made);
    }
    let made = buffer(ctx, last * element as u64, BufferUsage::STREAM);
    ctx.pipe.buffer_write(made, first * element as u64, MapFlags::WRITE | MapFlags::INVALIDATE_BUFFER, &bytes);
    Some(made)
}

/// One element of an array as a current value, for glArrayElement.
pub fn element(ctx: &mut Context, slot: usize, index: u64) -> Option<CurrentValue> {
    let array = ctx.vertex_array();
    let attribute = array.attributes[slot];
    let binding = array.bindings[usize::from(attribute.binding)].clone();
    if binding.buffer.is_none() && !array.is_client(&attribute) {
        return None;
    }
    let at = index.checked_mul(binding.stride.into())?.checked_add(attribute.relative_offset.into())?;
    let mut bytes = vec![0; attribute.element_size as usize];
    match &binding.buffer {
        Some(buffer) => {
            let at = at.checked_add(binding.offset as u64)?;
            if at.checked_add(bytes.len() as u64)? > buffer.size()
                || ctx.pipe.buffer_read(buffer.id(), at, &mut bytes) != Outcome::DONE
            {
                return None;
            }
        }
        None => {
            let memory = binding.pointer.byte_add(at as usize);
            let count = bytes.len();
            bytes.copy_from_slice(memory.read(count).get(..count)?);
        }
    }
    if attribute.long {
        let values = std::array::from_fn(|i| if (i as GLint) < attribute.size { double(&bytes, i) } else { 0.0 });
        ctx.state.vertex.upload.doubles = true;
        return Some(CurrentValue::doubles(values));
    }
    let (kind, wide) = match (attribute.integer, attribute.kind) {
        (false, _) => (CurrentKind::Float, Format::R32G32B32A32_FLOAT),
        (true, GL_BYTE | GL_SHORT | GL_INT) => (CurrentKind::Int, Format::R32G32B32A32_SINT),
        (true, _) => (CurrentKind::Uint, Format::R32G32B32A32_UINT),
    };
    Some(CurrentValue::new(kind, decode(&attribute, &bytes, wide)))
}

fn double(bytes: &[u8], index: usize) -> f64 {
    let bytes = bytes.get(8 * index..8 * index + 8).and_then(|b| b.try_into().ok());
    bytes.map_or(0.0, f64::from_le_bytes)
}

/// What a location reads of one element, doubles as the words they are.
fn decode_half(attribute: &Attribute, bytes: &[u8], wide: Format, half: Half) -> [u32; 4] {
    let first = match half {
        Half::None => return decode(attribute, bytes, wide),
        Half::Low => 0,
        Half::High => 2,
    };
    let pair: [f64; 2] =
        std::array::from_fn(|i| if ((first + i) as GLint) < attribute.size { double(bytes, first + i) } else { 0.0 });
    bytemuck::cast(pair)
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
    use gallite_pipe::Handle;

    fn attribute(size: GLint, kind: GLenum, normalized: bool) -> Attribute {
        let format = attribute_format(size, kind, normalized, false);
        Attribute { size, kind, normalized, format, ..VertexArray::new(1).attributes[0] }
    }

    #[test]
    fn conversions_of_contents_that_are_gone_make_room() {
        let key = |source: u32, contents: u64| Key {
            source: BufferId::from_parts(source, 1),
            contents,
            start: 0,
            stride: 3,
            size: 3,
            kind: GL_UNSIGNED_BYTE,
            normalized: true,
            wide: Format::R32G32B32A32_FLOAT,
            half: Half::None,
            repeat: None,
        };
        let id = |slot: u32| BufferId::from_parts(slot, 1);
        let mut kept = Conversions { draw: 1, ..Conversions::default() };
        assert!(kept.keep(key(1, 0), id(10), 16).is_empty());
        assert!(kept.keep(key(2, 0), id(11), 16).is_empty());
        assert_eq!(kept.find(&key(1, 0)), Some(id(10)));
        assert_eq!(kept.find(&key(1, 1)), None);
        assert_eq!(kept.keep(key(1, 1), id(12), 16), [id(10)]);
        kept.draw = 2;
        assert_eq!(kept.find(&key(1, 1)), Some(id(12)));
        assert_eq!(kept.keep(key(3, 0), id(13), MOST_KEPT_BYTES - 16), [id(11)]);
        assert_eq!(kept.find(&key(1, 1)), Some(id(12)), "this draw's stay");
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
