//! Vertex fetch: the layout object and the buffers behind its bindings.

use gallite_pipe::{
    Bind, BufferDesc, BufferFlags, BufferId, BufferUsage, ChannelKind, Format, FormatUses, MAX_VERTEX_BINDINGS,
    MapFlags, VertexBindingLayout, VertexBuffer, VertexElement, VertexElements, VertexElementsId,
};

use smallvec::SmallVec;

use crate::context::Context;
use crate::objects::vertex_array::{Attribute, BindingSource, DerivedLayout, Half, VertexInputs};

/// Bytes of the values of all attributes, 16 for each.
const CURRENT_VALUES: u64 = 16 * gallite_pipe::MAX_VERTEX_ATTRIBUTES as u64;
/// Bytes of one block of current values: behind those of all attributes come the second halves of doubles.
const CURRENT_BLOCK: u64 = 2 * CURRENT_VALUES;
/// Blocks in a buffer of current values.
const CURRENT_BLOCKS: u64 = 64;

/// Numeric class a shader input wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Float,
    Sint,
    Uint,
}

pub(crate) fn wanted_class(inputs: VertexInputs, location: usize) -> Class {
    if inputs.sint >> location & 1 != 0 {
        Class::Sint
    } else if inputs.uint >> location & 1 != 0 {
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
pub(crate) fn wide_format(inputs: VertexInputs, location: usize) -> Format {
    match wanted_class(inputs, location) {
        Class::Float => Format::R32G32B32A32_FLOAT,
        Class::Sint => Format::R32G32B32A32_SINT,
        Class::Uint => Format::R32G32B32A32_UINT,
    }
}

/// Derives and binds the layout, and notes where the bytes of each binding come from.
pub fn push_elements(ctx: &mut Context) {
    let inputs = ctx.executable().map_or_else(VertexInputs::default, |e| e.vertex_inputs);
    let removals = ctx.cso.vertex_layouts.removals();
    let known = ctx.vertex_array().derived.as_ref();
    let known = known.filter(|derived| derived.inputs == inputs && derived.removals == removals);
    let (id, converted) = match known {
        Some(derived) => (derived.id, derived.converted),
        None => derive(ctx, inputs),
    };
    ctx.state.vertex.converted = converted;
    if id != ctx.cso.bound_vertex_layout {
        ctx.cso.bound_vertex_layout = id;
        ctx.pipe.bind_vertex_elements(id);
    }
}

/// Whether elements in client memory reach the device as they are: it fetches the format, and elements laid one after
/// another are aligned.
pub(crate) fn can_copy(ctx: &Context, attribute: &Attribute, wanted: Class) -> bool {
    format_class(attribute.format) == wanted
        && attribute.element_size.is_multiple_of(4)
        && ctx.device.format_caps(attribute.format).uses.contains(FormatUses::VERTEX)
}

/// How half of an element of doubles is fetched as words: format, and bytes from the binding's element start. `None` where
/// the device can't reach it.
fn words_of(attribute: &Attribute, half: Half, most_offset: u32) -> Option<(Format, u32)> {
    let count = attribute.size.clamp(1, 4);
    let (format, offset) = match (half, count) {
        (Half::High, 4) => (Format::R32G32B32A32_UINT, 16),
        (Half::High, 3) => (Format::R32G32_UINT, 16),
        // What is not given is undefined (GL 4.6 core 10.3.2), and lies in the buffer all the same.
        (_, 1) => (Format::R32G32_UINT, 0),
        _ => (Format::R32G32B32A32_UINT, 0),
    };
    let offset = attribute.relative_offset + offset;
    (offset <= most_offset).then_some((format, offset))
}

/// Makes the layout of the array for the inputs and keeps it with the array.
#[inline(never)]
fn derive(ctx: &mut Context, inputs: VertexInputs) -> (VertexElementsId, u32) {
    let mut layout = VertexElements::default();
    let mut sources = [BindingSource::Current; MAX_VERTEX_BINDINGS];
    let mut source_count = 0;
    let mut converted = 0;
    let array = ctx.vertex_array();
    // Pipe binding of each binding of the array.
    let mut binding_of = [u8::MAX; MAX_VERTEX_BINDINGS];
    let mut current_binding = u8::MAX;
    let mut left = inputs.read;
    while left != 0 {
        let location = left.trailing_zeros() as usize;
        left &= left - 1;
        let (slot, half) = inputs.source(location);
        let attribute = &array.attributes[array.feeding(slot, ctx.is_compatibility())];
        let source_binding = &array.bindings[usize::from(attribute.binding)];
        // Where the device can't share elements among that many instances, they are repeated.
        let repeated = source_binding.is_repeated(&ctx.device.caps.limits);
        let divisor = if repeated { 1 } else { source_binding.divisor };
        let stepping = VertexBindingLayout { stride: source_binding.stride, divisor };
        let mut add = |source, stepping| {
            sources[source_count] = source;
            layout.bindings[source_count] = stepping;
            source_count += 1;
            source_count as u8 - 1
        };
        let fetched = match half {
            Half::None => Some((attribute.format, attribute.relative_offset)),
            half => words_of(attribute, half, ctx.device.caps.limits.max_vertex_attribute_offset),
        };
        // Arrays of other numbers behind an input of doubles give undefined values (GL 4.6 core 10.3.2): those that are
        // current will do.
        let (format, binding, offset) = if !attribute.enabled || half != Half::None && !attribute.long {
            if current_binding == u8::MAX {
                current_binding = add(BindingSource::Current, VertexBindingLayout::default());
            }
            let values = if half == Half::High { CURRENT_VALUES as u32 } else { 0 };
            (wide_format(inputs, location), current_binding, values + slot as u32 * 16)
        } else if half == Half::None
            && array.is_client(attribute)
            && !repeated
            && can_copy(ctx, attribute, wanted_class(inputs, location))
        {
            converted |= 1 << location;
            let stepping = VertexBindingLayout { stride: attribute.element_size, ..stepping };
            (attribute.format, add(BindingSource::Converted(location as u8), stepping), 0)
        } else if fetched.is_none_or(|(format, _)| {
            format_class(format) != wanted_class(inputs, location)
                || !ctx.device.format_caps(format).uses.contains(FormatUses::VERTEX)
        }) || !attribute.is_aligned(source_binding)
            || repeated
            || array.is_client(attribute)
        {
            converted |= 1 << location;
            let stepping = VertexBindingLayout { stride: 16, ..stepping };
            (wide_format(inputs, location), add(BindingSource::Converted(location as u8), stepping), 0)
        } else {
            let known = &mut binding_of[usize::from(attribute.binding)];
            if *known == u8::MAX {
                *known = add(BindingSource::Array(attribute.binding), stepping);
            }
            let (format, offset) = fetched.unwrap_or((attribute.format, attribute.relative_offset));
            (format, *known, offset)
        };
        layout.elements[location] = VertexElement { format, binding, reserved: 0, offset };
        layout.element_count = location as u32 + 1;
    }
    layout.binding_count = source_count as u32;
    let Context { cso, device, .. } = ctx;
    let bound = cso.bound_vertex_layout;
    let id = cso.vertex_layouts.get(device, &layout, |id| id == bound);
    // Getting one may have removed another.
    let removals = cso.vertex_layouts.removals();
    let source_count = layout.binding_count;
    ctx.vertex_array_mut().derived = Some(DerivedLayout { inputs, id, removals, converted, sources, source_count });
    (id, converted)
}

/// Pushes the buffers behind the layout's bindings.
pub fn push_buffers(ctx: &mut Context) {
    push_buffers_with(ctx, &[]);
}

/// Pushes them with buffers of converted attributes, `(location, buffer)`.
pub(crate) fn push_buffers_with(ctx: &mut Context, converted: &[(u8, VertexBuffer)]) {
    let uses_current = |derived: &DerivedLayout| derived.sources().contains(&BindingSource::Current);
    if ctx.vertex_array().derived.as_ref().is_some_and(uses_current) {
        upload_current(ctx);
    }
    let mut buffers = SmallVec::<[VertexBuffer; MAX_VERTEX_BINDINGS]>::new();
    let upload = &ctx.state.vertex.upload;
    let array = ctx.vertex_array();
    for source in array.derived.iter().flat_map(DerivedLayout::sources) {
        buffers.push(match source {
            BindingSource::Array(index) => {
                let binding = &array.bindings[usize::from(*index)];
                let buffer = binding.buffer.as_ref().map_or(BufferId::NULL, |b| b.id());
                VertexBuffer { buffer, offset: binding.offset as u64 }
            }
            BindingSource::Current => VertexBuffer { buffer: upload.buffer, offset: upload.offset },
            BindingSource::Converted(location) => {
                converted.iter().find(|(l, _)| l == location).map(|(_, b)| *b).unwrap_or_default()
            }
        });
    }
    ctx.pipe.set_vertex_buffers(&buffers);
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
    let high = upload.doubles.then(|| vertex.current.map(|value| value.high));
    let flags = MapFlags::WRITE | MapFlags::UNSYNCHRONIZED;
    pipe.buffer_write(upload.buffer, upload.offset, flags, bytemuck::cast_slice(&values));
    if let Some(high) = high {
        pipe.buffer_write(upload.buffer, upload.offset + CURRENT_VALUES, flags, bytemuck::cast_slice(&high));
    }
    upload.valid = true;
}
