//! Vertex fetch: the layout object and the buffers behind its bindings.

use gallite_pipe::{
    Bind, BufferDesc, BufferFlags, BufferId, BufferUsage, ChannelKind, Format, FormatUses, MAX_VERTEX_BINDINGS,
    MapFlags, ShaderDesc, VertexBindingLayout, VertexBuffer, VertexElement, VertexElements,
};

use crate::context::Context;
use crate::state::vertex::BindingSource;

/// Bytes of one block of current values: 16 for each attribute.
const CURRENT_BLOCK: u64 = 16 * gallite_pipe::MAX_VERTEX_ATTRIBUTES as u64;
/// Blocks in a buffer of current values.
const CURRENT_BLOCKS: u64 = 64;

/// Numeric class a shader input wants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Float,
    Sint,
    Uint,
}

fn wanted_class(desc: &ShaderDesc, location: usize) -> Class {
    if desc.vertex_inputs_sint >> location & 1 != 0 {
        Class::Sint
    } else if desc.vertex_inputs_uint >> location & 1 != 0 {
        Class::Uint
    } else {
        Class::Float
    }
}

fn format_class(format: Format) -> Class {
    match format.info().channels[0].kind {
        ChannelKind::Sint => Class::Sint,
        ChannelKind::Uint => Class::Uint,
        _ => Class::Float,
    }
}

/// The four-component 32-bit format of the class of an input.
pub(crate) fn wide_format(desc: &ShaderDesc, location: usize) -> Format {
    match wanted_class(desc, location) {
        Class::Float => Format::R32G32B32A32_FLOAT,
        Class::Sint => Format::R32G32B32A32_SINT,
        Class::Uint => Format::R32G32B32A32_UINT,
    }
}

/// Derives and binds the layout, and notes where the bytes of each binding come from.
pub fn push_elements(ctx: &mut Context) {
    derive(ctx);
    let Context { cso, device, state, pipe, .. } = ctx;
    let bound = cso.bound_vertex_layout;
    let id = cso.vertex_layouts.get(device, &state.vertex.layout, |id| id == bound);
    if id != bound {
        cso.bound_vertex_layout = id;
        pipe.bind_vertex_elements(id);
    }
}

fn derive(ctx: &mut Context) {
    let mut layout = VertexElements::default();
    let mut sources = std::mem::take(&mut ctx.state.vertex.sources);
    sources.clear();
    let mut converted = 0;
    let array = ctx.vertex_array();
    // Pipe binding of each binding of the array.
    let mut binding_of = [u8::MAX; MAX_VERTEX_BINDINGS];
    let mut current_binding = u8::MAX;
    let desc = ctx.executable().map(|e| e.desc).unwrap_or_default();
    let mut left = desc.vertex_inputs;
    while left != 0 {
        let location = left.trailing_zeros() as usize;
        left &= left - 1;
        let attribute = &array.attributes[location];
        let source_binding = &array.bindings[usize::from(attribute.binding)];
        let stepping = VertexBindingLayout { stride: source_binding.stride, divisor: source_binding.divisor };
        let mut add = |source, stepping| {
            let binding = sources.len() as u8;
            sources.push(source);
            layout.bindings[usize::from(binding)] = stepping;
            binding
        };
        let (format, binding, offset) = if !attribute.enabled {
            if current_binding == u8::MAX {
                current_binding = add(BindingSource::Current, VertexBindingLayout::default());
            }
            (wide_format(&desc, location), current_binding, location as u32 * 16)
        } else if format_class(attribute.format) != wanted_class(&desc, location)
            || !ctx.device.format_caps(attribute.format).uses.contains(FormatUses::VERTEX)
        {
            converted |= 1 << location;
            let stepping = VertexBindingLayout { stride: 16, ..stepping };
            (wide_format(&desc, location), add(BindingSource::Converted(location as u8), stepping), 0)
        } else {
            let known = &mut binding_of[usize::from(attribute.binding)];
            if *known == u8::MAX {
                *known = add(BindingSource::Array(attribute.binding), stepping);
            }
            (attribute.format, *known, attribute.relative_offset)
        };
        layout.elements[location] = VertexElement { format, binding, reserved: 0, offset };
        layout.element_count = location as u32 + 1;
    }
    layout.binding_count = sources.len() as u32;
    let vertex = &mut ctx.state.vertex;
    vertex.layout = layout;
    vertex.sources = sources;
    vertex.converted = converted;
}

/// Pushes the buffers behind the layout's bindings.
pub fn push_buffers(ctx: &mut Context) {
    push_buffers_with(ctx, &[]);
}

/// Pushes them with buffers of converted attributes, `(location, buffer)`.
pub(crate) fn push_buffers_with(ctx: &mut Context, converted: &[(u8, VertexBuffer)]) {
    if ctx.state.vertex.sources.contains(&BindingSource::Current) {
        upload_current(ctx);
    }
    let mut buffers = [VertexBuffer::default(); MAX_VERTEX_BINDINGS];
    let upload = &ctx.state.vertex.upload;
    let array = ctx.vertex_array();
    let count = ctx.state.vertex.sources.len();
    for (slot, source) in buffers.iter_mut().zip(&ctx.state.vertex.sources) {
        *slot = match source {
            BindingSource::Array(index) => {
                let binding = &array.bindings[usize::from(*index)];
                let buffer = binding.buffer.as_ref().map_or(BufferId::NULL, |b| b.id());
                VertexBuffer { buffer, offset: binding.offset as u64 }
            }
            BindingSource::Current => VertexBuffer { buffer: upload.buffer, offset: upload.offset },
            BindingSource::Converted(location) => {
                converted.iter().find(|(l, _)| l == location).map(|(_, b)| *b).unwrap_or_default()
            }
        };
    }
    ctx.pipe.set_vertex_buffers(&buffers[..count]);
}

/// Writes the current values to fresh driver memory, unless they are there. Blocks are never rewritten while a draw may
/// read them: a used-up buffer is given up and the driver keeps it as long as it must.
fn upload_current(ctx: &mut Context) {
    let Context { state, device, pipe, .. } = ctx;
    let vertex = &mut state.vertex;
    let upload = &mut vertex.upload;
    if upload.valid {
        return;
    }
    upload.offset += CURRENT_BLOCK;
    if upload.buffer.is_null() || upload.offset >= CURRENT_BLOCK * CURRENT_BLOCKS {
        if !upload.buffer.is_null() {
            device.screen.destroy_buffer(upload.buffer);
            device.release(upload.buffer);
        }
        upload.buffer = device.mint();
        upload.offset = 0;
        let desc = BufferDesc {
            size: CURRENT_BLOCK * CURRENT_BLOCKS,
            bind: Bind::VERTEX,
            usage: BufferUsage::STREAM,
            flags: BufferFlags::EMPTY,
            reserved: 0,
        };
        device.screen.create_buffer(upload.buffer, &desc);
    }
    let values = vertex.current.map(|value| value.bits);
    let flags = MapFlags::WRITE | MapFlags::UNSYNCHRONIZED;
    pipe.buffer_write(upload.buffer, upload.offset, flags, bytemuck::cast_slice(&values));
    upload.valid = true;
}
