//! Vertices given one by one between glBegin and glEnd (GL 4.6 compatibility 10.7).

use crate::gl::GLenum;
use crate::objects::vertex_array::VertexArray;
use crate::state::vertex::{CONVENTIONAL, CurrentValue};

/// The primitive under way. Every recorded vertex is four words for each attribute set since, lowest slot first; the
/// position is among them.
#[derive(Debug)]
pub struct Immediate {
    /// The mode glBegin was given; none outside.
    pub mode: Option<GLenum>,
    /// Slots recorded, a bit each. Kept from one primitive to the next, so that alike ones have one layout.
    pub active: u32,
    /// The vertices.
    pub data: Vec<u32>,
    /// Number of them.
    pub count: u32,
    /// The vertices as client arrays. Takes the place of vertex array 0 while they are drawn.
    pub array: Box<VertexArray>,
}

impl Default for Immediate {
    fn default() -> Self {
        Self { mode: None, active: 1 << CONVENTIONAL, data: Vec::new(), count: 0, array: Box::new(VertexArray::new(0)) }
    }
}

impl Immediate {
    /// Words of one vertex.
    pub fn stride(&self) -> usize {
        4 * self.active.count_ones() as usize
    }

    /// Begins to record a slot; vertices recorded before have the value it had until now.
    pub fn record(&mut self, slot: usize, before: &CurrentValue) {
        let bit = 1 << slot;
        if self.active & bit != 0 {
            return;
        }
        let old = self.stride();
        let at = 4 * (self.active & (bit - 1)).count_ones() as usize;
        self.active |= bit;
        if self.count == 0 {
            return;
        }
        let mut data = Vec::with_capacity(self.data.len() + 4 * self.count as usize);
        for vertex in self.data.chunks_exact(old) {
            data.extend_from_slice(&vertex[..at]);
            data.extend_from_slice(&before.bits);
            data.extend_from_slice(&vertex[at..]);
        }
        self.data = data;
    }

    /// Records a vertex with the current values.
    pub fn push(&mut self, current: &[CurrentValue]) {
        let mut left = self.active;
        while left != 0 {
            let slot = left.trailing_zeros() as usize;
            left &= left - 1;
            self.data.extend_from_slice(&current[slot].bits);
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::vertex::CurrentKind;

    #[test]
    fn earlier_vertices_keep_the_earlier_value() {
        let value = |v: u32| CurrentValue { kind: CurrentKind::Float, bits: [v; 4] };
        let mut current = [value(0); 32];
        let mut immediate = Immediate::default();
        current[CONVENTIONAL] = value(1);
        immediate.push(&current);
        immediate.record(2, &current[2]);
        current[2] = value(7);
        current[CONVENTIONAL] = value(3);
        immediate.push(&current);
        assert_eq!(immediate.data, [[0; 4], [1; 4], [7; 4], [3; 4]].concat());
        assert_eq!((immediate.count, immediate.stride()), (2, 8));
    }
}
