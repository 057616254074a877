//! Random numbers from a seed, the same on every machine.

/// A xorshift generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// Less than `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number from zero to one, now and then a strange one.
    pub fn float(&mut self) -> f32 {
        match self.below(24) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -1e30,
            3 => -0.5,
            4 => 2.5,
            _ => self.below(1001) as f32 / 1000.0,
        }
    }

    /// A small count or coordinate, now and then one at an edge.
    pub fn small(&mut self, end: usize) -> i32 {
        match self.below(40) {
            0 => -1,
            1 => i32::MIN,
            2 => i32::MAX,
            _ => self.below(end) as i32,
        }
    }
}
