//! Vertices given one by one between glBegin and glEnd (GL 4.6 compatibility 10.7).

use crate::gl::GLenum;
use crate::objects::vertex_array::VertexArray;
use crate::state::vertex::{CONVENTIONAL, CurrentKind, CurrentValue};

/// The primitive under way. Every recorded vertex is four words for each attribute set since, eight where it was set to
/// doubles, lowest slot first; the position is among them.
#[derive(Debug)]
pub struct Immediate {
    /// The mode glBegin was given; none outside.
    pub mode: Option<GLenum>,
    /// Slots recorded, a bit each. Kept from one primitive to the next, so that alike ones have one layout.
    pub active: u32,
    /// Those of them that were set to doubles.
    pub long: u32,
    /// The vertices.
    pub data: Vec<u32>,
    /// Number of them.
    pub count: u32,
    /// The vertices as client arrays. Takes the place of vertex array 0 while they are drawn.
    pub array: Box<VertexArray>,
}

impl Default for Immediate {
    fn default() -> Self {
        Self {
            mode: None,
            active: 1 << CONVENTIONAL,
            long: 0,
            data: Vec::new(),
            count: 0,
            array: Box::new(VertexArray::new(0)),
        }
    }
}

impl Immediate {
    /// Words of one vertex.
    pub fn stride(&self) -> usize {
        self.place(u32::BITS)
    }

    /// Words before a slot.
    fn place(&self, slot: u32) -> usize {
        let before = |mask: u32| (u64::from(mask) & ((1 << slot) - 1)).count_ones() as usize;
        4 * (before(self.active) + before(self.long))
    }

    /// Begins to record a slot; vertices recorded before have the value it had until now.
    pub fn record(&mut self, slot: usize, before: &CurrentValue, kind: CurrentKind) {
        let bit = 1 << slot;
        let at = self.place(slot as u32);
        if self.active & bit == 0 {
            self.insert(at, &before.bits);
            self.active |= bit;
        }
        if kind == CurrentKind::Double && self.long & bit == 0 {
            self.insert(at + 4, &before.high);
            self.long |= bit;
        }
    }

    /// Makes room for doubles that slots have when a primitive begins.
    pub fn hold_doubles(&mut self, current: &[CurrentValue]) {
        for (slot, _) in current.iter().enumerate().filter(|(_, value)| value.kind == CurrentKind::Double) {
            self.long |= self.active & 1 << slot;
        }
    }

    /// Puts words into every vertex recorded so far.
    fn insert(&mut self, at: usize, words: &[u32; 4]) {
        if self.count == 0 {
            return;
        }
        let mut data = Vec::with_capacity(self.data.len() + 4 * self.count as usize);
        for vertex in self.data.chunks_exact(self.stride()) {
            data.extend_from_slice(&vertex[..at]);
            data.extend_from_slice(words);
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
            if self.long >> slot & 1 != 0 {
                self.data.extend_from_slice(&current[slot].high);
            }
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_vertices_keep_the_earlier_value() {
        let value = |v: u32| CurrentValue::new(CurrentKind::Float, [v; 4]);
        let mut current = [value(0); 32];
        let mut immediate = Immediate::default();
        current[CONVENTIONAL] = value(1);
        immediate.push(&current);
        immediate.record(2, &current[2], CurrentKind::Float);
        current[2] = value(7);
        current[CONVENTIONAL] = value(3);
        immediate.push(&current);
        assert_eq!(immediate.data, [[0; 4], [1; 4], [7; 4], [3; 4]].concat());
        assert_eq!((immediate.count, immediate.stride()), (2, 8));
        immediate.record(2, &current[2], CurrentKind::Double);
        current[2] = CurrentValue { kind: CurrentKind::Double, bits: [8; 4], high: [9; 4] };
        immediate.push(&current);
        let all = [[0; 4], [0; 4], [1; 4], [7; 4], [0; 4], [3; 4], [8; 4], [9; 4], [3; 4]];
        assert_eq!(immediate.data, all.concat());
    }
}
