//! A random number generator for tests with random operations.

use std::io::SeekFrom;

/// A random number generator with a seed.
pub(crate) struct SeededRng(pub(crate) u64);

impl SeededRng {
    /// Returns a number below the limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // The finalizer of SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((number ^ (number >> 31)) % limit as u64).expect("small")
    }

    /// Returns `true` once in `count` calls on average.
    pub(crate) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns up to 11 lower-case letters.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let len = self.below(12);
        (0..len).map(|_| b'a' + self.below(26) as u8).collect()
    }

    /// Returns a position, which may be out of range.
    pub(crate) fn seek_from(&mut self) -> SeekFrom {
        let by = self.below(40) as i64 - 20;
        match self.below(3) {
            0 => SeekFrom::Start(self.below(40) as u64),
            1 => SeekFrom::End(by),
            _ => SeekFrom::Current(by),
        }
    }
}
