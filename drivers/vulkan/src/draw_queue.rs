//! Draws that follow one another without any change between them, gathered to be one command.
//!
//! A program that draws a scene in many small pieces often changes nothing between some of them. Such draws differ in
//! their ranges alone and go to the device as one multi-draw (VK_EXT_multi_draw), or as single draws where that is
//! missing. Whatever else is recorded into the same command buffer asks for it first
//! ([`Batches::main`](crate::batch::Batches::main)), which records what is gathered here: the order stays that of the
//! program.

use ash::vk;

use crate::ffi::Cmd;

/// Draws gathered at most, besides the device's own limit.
const MOST: usize = 4096;

/// The gathered draws. Only one of the two lists is filled at a time.
#[derive(Default)]
pub(crate) struct DrawQueue {
    arrays: Vec<vk::MultiDrawInfoEXT>,
    indexed: Vec<vk::MultiDrawIndexedInfoEXT>,
    /// Count and first of the instances of all gathered draws.
    instances: (u32, u32),
}

impl DrawQueue {
    /// Adds a draw of vertices in order; false when the queue must be recorded first.
    #[inline]
    pub fn push(&mut self, first: u32, count: u32, instances: (u32, u32)) -> bool {
        if !self.indexed.is_empty() || self.arrays.len() >= MOST {
            return false;
        }
        if !self.arrays.is_empty() && self.instances != instances {
            return false;
        }
        self.instances = instances;
        self.arrays.push(vk::MultiDrawInfoEXT { first_vertex: first, vertex_count: count });
        true
    }

    /// Adds a draw of indices in the index buffer that is bound; false when the queue must be recorded first.
    #[inline]
    pub fn push_indexed(&mut self, first: u32, count: u32, base_vertex: i32, instances: (u32, u32)) -> bool {
        if !self.arrays.is_empty() || self.indexed.len() >= MOST {
            return false;
        }
        if !self.indexed.is_empty() && self.instances != instances {
            return false;
        }
        self.instances = instances;
        self.indexed.push(vk::MultiDrawIndexedInfoEXT {
            first_index: first,
            index_count: count,
            vertex_offset: base_vertex,
        });
        true
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty() && self.indexed.is_empty()
    }

    /// Records what is gathered, in pieces of at most `limit` draws; a limit below 2 means single draws.
    pub fn record(&mut self, cmd: Cmd<'_>, limit: usize) {
        let (count, first) = self.instances;
        for draws in self.arrays.chunks(limit.max(1)) {
            match draws {
                [one] => cmd.draw(one.vertex_count, count, one.first_vertex, first),
                many => cmd.draw_multi(many, count, first),
            }
        }
        for draws in self.indexed.chunks(limit.max(1)) {
            match draws {
                [one] => cmd.draw_indexed(one.index_count, count, one.first_index, one.vertex_offset, first),
                many => cmd.draw_multi_indexed(many, count, first),
            }
        }
        self.arrays.clear();
        self.indexed.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_draws_that_differ_in_range_alone_are_gathered() {
        let mut queue = DrawQueue::default();
        assert!(queue.push(0, 3, (1, 0)));
        assert!(queue.push(9, 6, (1, 0)));
        assert!(!queue.push(0, 3, (2, 0)), "another instance count");
        assert!(!queue.push(0, 3, (1, 5)), "another base instance");
        assert!(!queue.push_indexed(0, 3, 0, (1, 0)), "an indexed draw");
        assert_eq!(queue.arrays.len(), 2);
        let mut queue = DrawQueue::default();
        assert!(queue.push_indexed(0, 3, 0, (1, 0)));
        assert!(queue.push_indexed(0, 3, 7, (1, 0)), "a base vertex is a draw's own");
        assert!(!queue.push(0, 3, (1, 0)));
    }
}
