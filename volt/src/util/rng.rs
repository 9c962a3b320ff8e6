//! A small, fast, seedable source of random numbers.

/// Marsaglia's xorshift64 with the shifts 17, 7, 16, its two halves summed.
///
/// It is good enough to choose a victim, but not cryptographically secure. Equal seeds return equal
/// sequences, so a seeded run can be repeated.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    one: u32,
    two: u32,
}

impl Rng {
    /// Starts the sequence of `seed`, which may be any value.
    pub(crate) fn new(seed: u64) -> Self {
        let mixed = mix(seed);
        let one = (mixed >> 32) as u32;
        let two = mixed as u32;
        // Xorshift never leaves the state of all zeros.
        Self {
            one,
            two: if one | two == 0 { 1 } else { two },
        }
    }

    /// Returns the generator of the child with number `index`. It is independent of the other
    /// children, and determined by the parent.
    pub(crate) fn fork(&self, index: u64) -> Self {
        let parent = (u64::from(self.one) << 32) | u64::from(self.two);
        Self::new(parent ^ mix(index.wrapping_add(1)))
    }

    fn next(&mut self) -> u32 {
        let mut one = self.one;
        let two = self.two;
        one ^= one << 17;
        one = one ^ two ^ (one >> 7) ^ (two >> 16);
        self.one = two;
        self.two = one;
        two.wrapping_add(one)
    }

    /// Returns a number below `bound`, by multiplication instead of division (Lemire).
    ///
    /// # Panics
    ///
    /// Panics in debug builds if `bound` is zero.
    #[inline]
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "`bound` is zero");
        ((u64::from(self.next()) * u64::from(bound)) >> 32) as u32
    }
}

/// Spreads the bits of `seed` (the finaliser of SplitMix64).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn equal_seeds_give_equal_sequences() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        for _ in 0..1000 {
            assert_eq!(a.below(1 << 20), b.below(1 << 20));
        }
    }

    #[test]
    fn forks_of_one_parent_differ() {
        let parent = Rng::new(0);
        let draw = |index| {
            let mut child = parent.fork(index);
            (0..8).map(|_| child.below(1 << 30)).collect::<Vec<_>>()
        };
        assert_ne!(draw(0), draw(1));
        assert_eq!(draw(3), draw(3));
    }

    #[test]
    fn below_is_bounded_and_reaches_every_value() {
        let mut rng = Rng::new(0);
        for bound in [1u32, 2, 3, 64, 65, 130] {
            let mut seen = vec![0u32; bound as usize];
            for _ in 0..bound * 200 {
                seen[rng.below(bound) as usize] += 1;
            }
            assert!(
                seen.iter().all(|&n| n > 100 && n < 400),
                "{bound}: {seen:?}"
            );
        }
    }
}
