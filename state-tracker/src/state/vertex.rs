//! Current vertex array and current attribute values.

use gallite_pipe::{BufferId, MAX_VERTEX_ATTRIBUTES};

use crate::context::Context;
use crate::gl::GLuint;
use crate::objects::vertex_array::VertexArray;
use crate::state::immediate::Immediate;

/// The first slot of conventional attributes: those before it are generic. See
/// `gallite_shader::state_uniform::Conventional` for their order.
pub const CONVENTIONAL: usize = 16;

/// How the bits of a current attribute value are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurrentKind {
    /// glVertexAttrib*.
    Float,
    /// glVertexAttribI*i.
    Int,
    /// glVertexAttribI*ui.
    Uint,
    /// glVertexAttribL*: eight words.
    Double,
}

/// The value of an attribute whose array is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentValue {
    /// How `bits` are meant.
    pub kind: CurrentKind,
    /// x, y, z, w; of doubles x and y.
    pub bits: [u32; 4],
    /// z and w of doubles, else 0.
    pub high: [u32; 4],
}

impl CurrentValue {
    /// A value of four words.
    pub const fn new(kind: CurrentKind, bits: [u32; 4]) -> Self {
        Self { kind, bits, high: [0; 4] }
    }

    /// A value of four doubles.
    pub fn doubles(values: [f64; 4]) -> Self {
        let [x, y, z, w] = values.map(|v| v.to_bits());
        let words = |a: u64, b: u64| [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32];
        Self { kind: CurrentKind::Double, bits: words(x, y), high: words(z, w) }
    }

    /// The components as numbers.
    pub fn numbers(&self) -> [f64; 4] {
        let double = |words: &[u32]| f64::from_bits(u64::from(words[0]) | u64::from(words[1]) << 32);
        match self.kind {
            CurrentKind::Float => self.bits.map(|bits| f32::from_bits(bits).into()),
            CurrentKind::Int => self.bits.map(|bits| (bits as i32).into()),
            CurrentKind::Uint => self.bits.map(f64::from),
            CurrentKind::Double => {
                let ([x, y], [z, w]) =
                    ([0, 2].map(|i| double(&self.bits[i..])), [0, 2].map(|i| double(&self.high[i..])));
                [x, y, z, w]
            }
        }
    }
}

/// Where the current values were last written for the driver.
#[derive(Debug, Default)]
pub struct CurrentUpload {
    /// A ring of value blocks.
    pub buffer: BufferId,
    /// Bytes to the block in use.
    pub offset: u64,
    /// Whether that block holds the present values.
    pub valid: bool,
    /// Whether some value may have been of doubles: only then blocks hold their second halves.
    pub doubles: bool,
}

/// Vertex state outside vertex array objects.
#[derive(Debug)]
pub struct VertexState {
    /// GL_VERTEX_ARRAY_BINDING.
    pub bound: GLuint,
    /// GL_PRIMITIVE_RESTART.
    pub primitive_restart: bool,
    /// GL_PRIMITIVE_RESTART_FIXED_INDEX.
    pub primitive_restart_fixed: bool,
    /// GL_PRIMITIVE_RESTART_INDEX.
    pub restart_index: GLuint,
    /// GL_CURRENT_VERTEX_ATTRIB by index.
    pub current: [CurrentValue; MAX_VERTEX_ATTRIBUTES],
    /// The current values in driver memory.
    pub upload: CurrentUpload,
    /// Attributes that must be converted before a draw, a bit each.
    pub converted: u32,
    /// Buffers made for converted attributes, bound until the next draw.
    pub temporary: Vec<BufferId>,
    /// Converted attributes kept for draws to come.
    pub conversions: crate::vertex_convert::Conversions,
    /// The primitive between glBegin and glEnd.
    pub immediate: Box<Immediate>,
}

impl Default for VertexState {
    fn default() -> Self {
        // GL 4.6 core 10.2: current values start as (0, 0, 0, 1).
        let current = CurrentValue::new(CurrentKind::Float, [0, 0, 0, 1f32.to_bits()]);
        Self {
            bound: 0,
            primitive_restart: false,
            primitive_restart_fixed: false,
            restart_index: 0,
            current: [current; MAX_VERTEX_ATTRIBUTES],
            upload: CurrentUpload::default(),
            converted: 0,
            temporary: Vec::new(),
            conversions: Default::default(),
            immediate: Box::default(),
        }
    }
}

impl VertexState {
    /// Makes the attributes after the generic ones conventional (GL 4.6 compatibility table 23.3): normal, colour, colour
    /// index and edge flag don't start as (0, 0, 0, 1).
    pub fn add_conventional(&mut self) {
        let float = |values: [f32; 4]| CurrentValue::new(CurrentKind::Float, values.map(f32::to_bits));
        self.current[CONVENTIONAL + 1] = float([0.0, 0.0, 1.0, 1.0]);
        self.current[CONVENTIONAL + 2] = float([1.0; 4]);
        self.current[CONVENTIONAL + 5] = float([1.0, 0.0, 0.0, 1.0]);
        self.current[CONVENTIONAL + 6] = float([1.0, 0.0, 0.0, 1.0]);
    }
}

impl Context {
    /// The vertex array in use. Name 0 gives the default one, which the core profile forbids to draw with.
    #[inline]
    pub fn vertex_array(&self) -> &VertexArray {
        self.vertex_arrays.get(self.state.vertex.bound).map_or(&self.default_vertex_array, |o| o)
    }

    /// The vertex array in use, for changing it.
    #[inline]
    pub fn vertex_array_mut(&mut self) -> &mut VertexArray {
        match self.vertex_arrays.get_mut(self.state.vertex.bound) {
            Some(object) => object,
            None => &mut self.default_vertex_array,
        }
    }
}
