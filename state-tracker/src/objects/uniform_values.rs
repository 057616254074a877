//! The values of a program's default block. Every context of the group may set and read them at any time.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::cast;

/// Words of 32 bits, two to a cell: arrays and vectors then take half the stores.
#[derive(Debug)]
pub struct Values {
    cells: Box<[AtomicU64]>,
    count: u32,
}

impl Values {
    /// So many words, all zero.
    pub fn new(count: u32) -> Self {
        Self { cells: (0..count.div_ceil(2)).map(|_| AtomicU64::new(0)).collect(), count }
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One word; zero where there is none.
    #[inline]
    pub fn word(&self, word: u32) -> u32 {
        let cell = self.cells.get(word as usize / 2).map_or(0, |cell| cell.load(Ordering::Relaxed));
        cast::<u64, [u32; 2]>(cell)[word as usize % 2]
    }

    /// Stores one word; true when that changed it. `alone`: no other context is there to set the other word of its cell
    /// meanwhile.
    #[inline(always)]
    pub fn set(&self, word: u32, value: u32, alone: bool) -> bool {
        let Some(cell) = self.cells.get(word as usize / 2).filter(|_| word < self.count) else { return false };
        let old = cell.load(Ordering::Relaxed);
        let mut words: [u32; 2] = cast(old);
        if words[word as usize % 2] == value {
            return false;
        }
        words[word as usize % 2] = value;
        let new = cast::<[u32; 2], u64>(words);
        if alone {
            cell.store(new, Ordering::Relaxed);
        } else {
            cell.fetch_xor(old ^ new, Ordering::Relaxed);
        }
        true
    }

    /// Stores words that follow one another, on the same terms.
    #[inline]
    pub fn set_all(&self, first: u32, words: &[u32], alone: bool) -> bool {
        let Some(end) = u32::try_from(words.len()).ok().and_then(|count| first.checked_add(count)) else {
            return false;
        };
        if end > self.count || words.is_empty() {
            return false;
        }
        let (head, rest) = words.split_at(first as usize % 2);
        let (pairs, tail) = rest.as_chunks::<2>();
        let mut changed = head.first().is_some_and(|value| self.set(first, *value, alone));
        changed |= tail.first().is_some_and(|value| self.set(end - 1, *value, alone));
        let cells = &self.cells[first.div_ceil(2) as usize..][..pairs.len()];
        let differs =
            |(cell, pair): (&AtomicU64, &[u32; 2])| cell.load(Ordering::Relaxed) != cast::<[u32; 2], u64>(*pair);
        let Some(at) = cells.iter().zip(pairs).position(differs) else { return changed };
        // From the first difference on, storing is cheaper than looking. Atomic loops are not unrolled by the compiler.
        let (cells, last_cells) = cells[at..].as_chunks::<4>();
        let (pairs, last_pairs) = pairs[at..].as_chunks::<4>();
        for (cells, pairs) in cells.iter().zip(pairs) {
            for (cell, pair) in cells.iter().zip(pairs) {
                cell.store(cast(*pair), Ordering::Relaxed);
            }
        }
        for (cell, pair) in last_cells.iter().zip(last_pairs) {
            cell.store(cast(*pair), Ordering::Relaxed);
        }
        true
    }

    /// Copies all words to the beginning of `to`, which is made large enough.
    #[inline]
    pub fn copy(&self, to: &mut Vec<u64>) {
        to.clear();
        to.extend(self.cells.iter().map(|cell| cell.load(Ordering::Relaxed)));
    }

    /// Bytes of all words.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.count as usize * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stored_where_they_belong() {
        for (count, first, length) in [(7, 0, 7), (7, 1, 5), (7, 1, 6), (8, 2, 3), (8, 3, 1), (8, 4, 1), (8, 0, 8)] {
            let values = Values::new(count);
            (0..count).for_each(|word| _ = values.set(word, 100 + word, word % 3 == 0));
            let given: Vec<u32> = (0..length).map(|i| 200 + i).collect();
            assert!(values.set_all(first, &given, count == 7));
            assert!(!values.set_all(first, &given, false), "they are there");
            let expected =
                |word: u32| if (first..first + length).contains(&word) { 200 + word - first } else { 100 + word };
            assert_eq!(
                (0..count).map(|word| values.word(word)).collect::<Vec<_>>(),
                (0..count).map(expected).collect::<Vec<_>>()
            );
            let mut copy = Vec::new();
            values.copy(&mut copy);
            let bytes = &bytemuck::cast_slice::<u64, u8>(&copy)[..values.bytes()];
            assert_eq!(bytes, bytemuck::cast_slice::<u32, u8>(&(0..count).map(expected).collect::<Vec<_>>()));
        }
    }

    #[test]
    fn nothing_is_stored_past_the_end() {
        let values = Values::new(3);
        for alone in [false, true] {
            assert!(!values.set(3, 1, alone) && !values.set(4, 1, alone) && !values.set_all(2, &[1, 1], alone));
            assert!(!values.set_all(u32::MAX, &[1, 1], alone) && !values.set_all(3, &[], alone));
            assert!(values.set(2, 7, alone) && !values.set(2, 7, alone) && values.set(2, 0, alone));
        }
        assert_eq!([0, 1, 2, 3, 4].map(|word| values.word(word)), [0; 5]);
        assert!(Values::new(0).is_empty());
    }
}
