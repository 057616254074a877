//! Vertex array objects (GL 4.6 core 10.3). They belong to one context.

use std::sync::Arc;

use gallite_pipe::{Format, Limits, MAX_VERTEX_ATTRIBUTES, MAX_VERTEX_BINDINGS, VertexElementsId};

use crate::client_memory::ClientPtr;
use crate::gl::*;
use crate::objects::buffer::Buffer;
use crate::share::ObjectHeader;
use crate::state::vertex::{CONVENTIONAL, CurrentKind, CurrentValue};

/// How one attribute is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// GL_VERTEX_ATTRIB_ARRAY_ENABLED.
    pub enabled: bool,
    /// GL_VERTEX_ATTRIB_ARRAY_SIZE: 1 to 4 or GL_BGRA.
    pub size: GLint,
    /// GL_VERTEX_ATTRIB_ARRAY_TYPE.
    pub kind: GLenum,
    /// GL_VERTEX_ATTRIB_ARRAY_NORMALIZED.
    pub normalized: bool,
    /// GL_VERTEX_ATTRIB_ARRAY_INTEGER.
    pub integer: bool,
    /// GL_VERTEX_ATTRIB_ARRAY_LONG.
    pub long: bool,
    /// Format of an element in memory, from the fields above.
    pub format: Format,
    /// Bytes of an element.
    pub element_size: u32,
    /// Bytes from the binding's element start.
    pub relative_offset: u32,
    /// Binding it is fetched from.
    pub binding: u8,
}

impl Attribute {
    /// Bytes that the elements' places must be a multiple of for a device to fetch them: those of a component, or of the
    /// whole when it is packed.
    pub fn alignment(&self) -> u32 {
        // Doubles that stay doubles are fetched as words.
        if self.long { 4 } else { type_size(self.kind).unwrap_or(4) }
    }

    /// Whether every element of the attribute lies where a device can fetch it. GL 4.6 core 10.3.9 lets them lie anywhere.
    pub fn is_aligned(&self, binding: &VertexBinding) -> bool {
        let places = binding.offset as u32 | self.relative_offset | binding.stride;
        places & (self.alignment() - 1) == 0
    }
}

/// Where elements of a binding come from.
#[derive(Debug, Clone, Default)]
pub struct VertexBinding {
    /// The buffer; none for client memory or nothing.
    pub buffer: Option<Arc<Buffer>>,
    /// Bytes from the buffer's start, or an address in client memory.
    pub offset: usize,
    /// Bytes between elements; never 0 after glVertexAttribPointer.
    pub stride: u32,
    /// What the program gave as stride, for GL_VERTEX_ATTRIB_ARRAY_STRIDE.
    pub given_stride: GLsizei,
    /// Instances per element; 0 steps per vertex.
    pub divisor: u32,
    /// Client memory, for attributes specified without a buffer.
    pub pointer: ClientPtr<u8>,
}

impl VertexBinding {
    /// Whether more instances share an element than the device can, so that elements are repeated for it.
    pub fn is_repeated(&self, limits: &Limits) -> bool {
        self.divisor > limits.max_vertex_divisor
    }
}

/// A vertex array object.
#[derive(Debug)]
pub struct VertexArray {
    /// Name and label.
    pub header: ObjectHeader,
    /// By attribute index.
    pub attributes: [Attribute; MAX_VERTEX_ATTRIBUTES],
    /// By binding index.
    pub bindings: [VertexBinding; MAX_VERTEX_ATTRIBUTES],
    /// Attributes that are enabled, a bit each.
    pub enabled: u32,
    /// Bindings without a buffer that an attribute was pointed at client memory through.
    pub client_bindings: u32,
    /// GL_ELEMENT_ARRAY_BUFFER.
    pub element_buffer: Option<Arc<Buffer>>,
    /// The driver's layout for the program it was last drawn with.
    pub derived: Option<DerivedLayout>,
}

/// Where a pipe binding's bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingSource {
    /// A binding of the vertex array.
    Array(u8),
    /// The current values.
    Current,
    /// An attribute converted because the device can't fetch its format, or not from where it lies.
    Converted(u8),
}

/// Which part of an attribute a location reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Half {
    /// All of it: it is not of doubles.
    None,
    /// The first two doubles, as words.
    Low,
    /// The third and the fourth.
    High,
}

/// The inputs of a vertex stage: all that a layout depends on beside the vertex array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexInputs {
    /// Locations that are read, a bit each.
    pub read: u32,
    /// Those of signed integers.
    pub sint: u32,
    /// Those of unsigned integers.
    pub uint: u32,
    /// What each location reads: the attribute, and from bit 6 on which half of it.
    sources: [u8; MAX_VERTEX_ATTRIBUTES],
}

impl Default for VertexInputs {
    fn default() -> Self {
        Self::new([0; 3])
    }
}

impl VertexInputs {
    /// Inputs that read the attributes of their own numbers: all, the signed and the unsigned integers.
    pub fn new([read, sint, uint]: [u32; 3]) -> Self {
        Self { read, sint, uint, sources: std::array::from_fn(|location| location as u8) }
    }

    /// Lets a location read another attribute, or half of one.
    pub fn set_source(&mut self, location: usize, attribute: u8, half: Half) {
        if let Some(source) = self.sources.get_mut(location) {
            *source = attribute | (half as u8) << 6;
        }
    }

    /// The attribute that a location reads, and which half of it.
    #[inline]
    pub fn source(&self, location: usize) -> (usize, Half) {
        let source = self.sources[location];
        let half = match source >> 6 {
            0 => Half::None,
            1 => Half::Low,
            _ => Half::High,
        };
        (usize::from(source & 0x3F), half)
    }
}

/// What a vertex array and the inputs of a vertex stage come to in the driver's terms.
#[derive(Debug, Clone, Copy)]
pub struct DerivedLayout {
    /// The inputs it is for.
    pub inputs: VertexInputs,
    /// The driver's object.
    pub id: VertexElementsId,
    /// Removals from the cache of layouts when `id` was got.
    pub removals: u64,
    /// Attributes that must be converted before a draw, a bit each.
    pub converted: u32,
    /// Sources of the layout's bindings, `source_count` of them.
    pub sources: [BindingSource; MAX_VERTEX_BINDINGS],
    /// Number of sources.
    pub source_count: u32,
}

impl DerivedLayout {
    /// Where the bytes of each of the layout's bindings come from.
    #[inline]
    pub fn sources(&self) -> &[BindingSource] {
        &self.sources[..self.source_count as usize]
    }
}

impl VertexArray {
    /// A new object; name 0 is the default one.
    pub fn new(name: GLuint) -> Self {
        let attribute = |index: usize| Attribute {
            enabled: false,
            size: 4,
            kind: GL_FLOAT,
            normalized: false,
            integer: false,
            long: false,
            format: Format::R32G32B32A32_FLOAT,
            element_size: 16,
            relative_offset: 0,
            binding: index as u8,
        };
        // GL 4.6 core table 23.4: a binding's stride starts at 16.
        let binding = VertexBinding { stride: 16, ..VertexBinding::default() };
        Self {
            header: ObjectHeader::new(name),
            attributes: std::array::from_fn(attribute),
            bindings: std::array::from_fn(|_| binding.clone()),
            enabled: 0,
            client_bindings: 0,
            element_buffer: None,
            derived: None,
        }
    }

    /// Whether elements that start at `offset` make an attribute of the binding aligned, or no longer so.
    #[inline]
    pub fn realigns(&self, binding: usize, offset: usize) -> bool {
        let differing = (self.bindings[binding].offset ^ offset) as u32 & 7;
        let affected = |a: &Attribute| usize::from(a.binding) == binding && differing & (a.alignment() - 1) != 0;
        differing != 0 && self.attributes.iter().any(affected)
    }

    /// Makes it the arrays of recorded vertices: `active` slots of four words each, `long` ones of eight, one vertex after
    /// another in `data`.
    pub fn point_at(&mut self, active: u32, long: u32, current: &[CurrentValue], data: &[u32]) {
        let stride = 16 * (active.count_ones() + long.count_ones());
        let mut layout_changed = self.enabled != active;
        self.enabled = active;
        let (mut left, mut at) = (active, 0);
        for attribute in &mut self.attributes {
            attribute.enabled = false;
        }
        while left != 0 {
            let slot = left.trailing_zeros() as usize;
            left &= left - 1;
            let room = if long >> slot & 1 != 0 { 32 } else { 16 };
            let (kind, integer) = match current[slot].kind {
                CurrentKind::Float => (GL_FLOAT, false),
                CurrentKind::Int => (GL_INT, true),
                CurrentKind::Uint => (GL_UNSIGNED_INT, true),
                CurrentKind::Double => (GL_DOUBLE, false),
            };
            let format = attribute_format(4, kind, false, integer);
            let old = &mut self.attributes[slot];
            layout_changed |= old.format != format;
            *old = Attribute {
                enabled: true,
                size: 4,
                kind,
                normalized: false,
                integer,
                long: kind == GL_DOUBLE,
                format,
                element_size: if kind == GL_DOUBLE { 32 } else { 16 },
                relative_offset: 0,
                binding: slot as u8,
            };
            let pointer = ClientPtr::from_slice(data).byte_add(at).cast();
            at += room;
            let binding = &mut self.bindings[slot];
            layout_changed |= binding.stride != stride;
            *binding = VertexBinding { offset: pointer.as_offset(), stride, pointer, ..VertexBinding::default() };
        }
        self.client_bindings = active;
        if layout_changed {
            self.derived = None;
        }
    }

    /// The attribute that feeds a slot. GL 4.6 compatibility 10.3.4: the position and generic attribute 0 are one; the
    /// generic array comes first where both are enabled. In the core profile all slots are generic.
    pub fn feeding(&self, slot: usize, compatibility: bool) -> usize {
        match slot {
            _ if !compatibility => slot,
            CONVENTIONAL if self.attributes[0].enabled => 0,
            0 if !self.attributes[0].enabled && self.attributes[CONVENTIONAL].enabled => CONVENTIONAL,
            _ => slot,
        }
    }

    /// Whether an attribute is read from client memory.
    pub fn is_client(&self, attribute: &Attribute) -> bool {
        let binding = usize::from(attribute.binding);
        self.client_bindings >> binding & 1 != 0 && self.bindings[binding].buffer.is_none()
    }

    /// Whether indexed draws read client memory: for indices, or for an attribute that is enabled.
    pub fn elements_need_client(&self) -> bool {
        let enabled = |index: &usize| self.enabled >> index & 1 != 0;
        self.element_buffer.is_none()
            || self.client_bindings != 0
                && (0..self.attributes.len()).filter(enabled).any(|index| self.is_client(&self.attributes[index]))
    }

    /// Forgets a buffer that was deleted while this array was bound (GL 4.6 core 5.1.2); true when it had it.
    pub fn detach_buffer(&mut self, buffer: &Arc<Buffer>) -> bool {
        let is_it = |bound: &Option<Arc<Buffer>>| bound.as_ref().is_some_and(|b| Arc::ptr_eq(b, buffer));
        let mut found = false;
        for binding in &mut self.bindings {
            if is_it(&binding.buffer) {
                binding.buffer = None;
                found = true;
            }
        }
        if is_it(&self.element_buffer) {
            self.element_buffer = None;
            found = true;
        }
        found
    }
}

/// A type of vertex data with its size in bytes; packed types count all components.
pub fn type_size(kind: GLenum) -> Option<u32> {
    Some(match kind {
        GL_BYTE | GL_UNSIGNED_BYTE => 1,
        GL_SHORT | GL_UNSIGNED_SHORT | GL_HALF_FLOAT => 2,
        GL_INT | GL_UNSIGNED_INT | GL_FLOAT | GL_FIXED => 4,
        GL_DOUBLE => 8,
        GL_INT_2_10_10_10_REV | GL_UNSIGNED_INT_2_10_10_10_REV | GL_UNSIGNED_INT_10F_11F_11F_REV => 4,
        _ => return None,
    })
}

/// Whether one word of the type holds all components.
pub fn is_packed(kind: GLenum) -> bool {
    matches!(kind, GL_INT_2_10_10_10_REV | GL_UNSIGNED_INT_2_10_10_10_REV | GL_UNSIGNED_INT_10F_11F_11F_REV)
}

macro_rules! by_size {
    ($size:expr, $a:ident, $b:ident, $c:ident, $d:ident) => {
        match $size {
            1 => Format::$a,
            2 => Format::$b,
            3 => Format::$c,
            _ => Format::$d,
        }
    };
}

/// The format of checked parameters: `size` 1 to 4 or GL_BGRA.
pub fn attribute_format(size: GLint, kind: GLenum, normalized: bool, integer: bool) -> Format {
    if size == GL_BGRA as GLint {
        return match (kind, normalized) {
            (GL_INT_2_10_10_10_REV, true) => Format::B10G10R10A2_SNORM,
            (GL_INT_2_10_10_10_REV, false) => Format::B10G10R10A2_SSCALED,
            (GL_UNSIGNED_INT_2_10_10_10_REV, true) => Format::B10G10R10A2_UNORM,
            (GL_UNSIGNED_INT_2_10_10_10_REV, false) => Format::B10G10R10A2_USCALED,
            _ => Format::B8G8R8A8_UNORM,
        };
    }
    if integer {
        return match kind {
            GL_BYTE => by_size!(size, R8_SINT, R8G8_SINT, R8G8B8_SINT, R8G8B8A8_SINT),
            GL_UNSIGNED_BYTE => by_size!(size, R8_UINT, R8G8_UINT, R8G8B8_UINT, R8G8B8A8_UINT),
            GL_SHORT => by_size!(size, R16_SINT, R16G16_SINT, R16G16B16_SINT, R16G16B16A16_SINT),
            GL_UNSIGNED_SHORT => by_size!(size, R16_UINT, R16G16_UINT, R16G16B16_UINT, R16G16B16A16_UINT),
            GL_INT => by_size!(size, R32_SINT, R32G32_SINT, R32G32B32_SINT, R32G32B32A32_SINT),
            _ => by_size!(size, R32_UINT, R32G32_UINT, R32G32B32_UINT, R32G32B32A32_UINT),
        };
    }
    match (kind, normalized) {
        (GL_BYTE, true) => by_size!(size, R8_SNORM, R8G8_SNORM, R8G8B8_SNORM, R8G8B8A8_SNORM),
        (GL_BYTE, false) => by_size!(size, R8_SSCALED, R8G8_SSCALED, R8G8B8_SSCALED, R8G8B8A8_SSCALED),
        (GL_UNSIGNED_BYTE, true) => by_size!(size, R8_UNORM, R8G8_UNORM, R8G8B8_UNORM, R8G8B8A8_UNORM),
        (GL_UNSIGNED_BYTE, false) => by_size!(size, R8_USCALED, R8G8_USCALED, R8G8B8_USCALED, R8G8B8A8_USCALED),
        (GL_SHORT, true) => by_size!(size, R16_SNORM, R16G16_SNORM, R16G16B16_SNORM, R16G16B16A16_SNORM),
        (GL_SHORT, false) => by_size!(size, R16_SSCALED, R16G16_SSCALED, R16G16B16_SSCALED, R16G16B16A16_SSCALED),
        (GL_UNSIGNED_SHORT, true) => by_size!(size, R16_UNORM, R16G16_UNORM, R16G16B16_UNORM, R16G16B16A16_UNORM),
        (GL_UNSIGNED_SHORT, false) => {
            by_size!(size, R16_USCALED, R16G16_USCALED, R16G16B16_USCALED, R16G16B16A16_USCALED)
        }
        (GL_INT, true) => by_size!(size, R32_SNORM, R32G32_SNORM, R32G32B32_SNORM, R32G32B32A32_SNORM),
        (GL_INT, false) => by_size!(size, R32_SSCALED, R32G32_SSCALED, R32G32B32_SSCALED, R32G32B32A32_SSCALED),
        (GL_UNSIGNED_INT, true) => by_size!(size, R32_UNORM, R32G32_UNORM, R32G32B32_UNORM, R32G32B32A32_UNORM),
        (GL_UNSIGNED_INT, false) => {
            by_size!(size, R32_USCALED, R32G32_USCALED, R32G32B32_USCALED, R32G32B32A32_USCALED)
        }
        (GL_HALF_FLOAT, _) => by_size!(size, R16_FLOAT, R16G16_FLOAT, R16G16B16_FLOAT, R16G16B16A16_FLOAT),
        (GL_FIXED, _) => by_size!(size, R32_FIXED, R32G32_FIXED, R32G32B32_FIXED, R32G32B32A32_FIXED),
        (GL_DOUBLE, _) => by_size!(size, R64_FLOAT, R64G64_FLOAT, R64G64B64_FLOAT, R64G64B64A64_FLOAT),
        (GL_INT_2_10_10_10_REV, true) => Format::R10G10B10A2_SNORM,
        (GL_INT_2_10_10_10_REV, false) => Format::R10G10B10A2_SSCALED,
        (GL_UNSIGNED_INT_2_10_10_10_REV, true) => Format::R10G10B10A2_UNORM,
        (GL_UNSIGNED_INT_2_10_10_10_REV, false) => Format::R10G10B10A2_USCALED,
        (GL_UNSIGNED_INT_10F_11F_11F_REV, _) => Format::R11G11B10_FLOAT,
        _ => by_size!(size, R32_FLOAT, R32G32_FLOAT, R32G32B32_FLOAT, R32G32B32A32_FLOAT),
    }
}
