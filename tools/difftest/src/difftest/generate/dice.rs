//! Chance that can be repeated.

/// A source of random numbers; the same seed gives the same numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    /// The dice of the `index`-th family below `seed`.
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        let mut dice = Self {
            state: seed.wrapping_mul(0xd134_2543_de82_ef95) ^ index,
        };
        dice.state = dice.next();
        dice
    }

    /// splitmix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }

    /// True `percent` times in a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`.
    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// One of `choices`, if there is any.
    pub(crate) fn any<T: Clone>(&mut self, choices: &[T]) -> Option<T> {
        (!choices.is_empty()).then(|| self.pick(choices))
    }

    /// The index of one of the weights, each as likely as it is heavy.
    pub(crate) fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum::<usize>().max(1));
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        weights.len() - 1
    }
}
