//! The inputs of a function, and the number of times that they were read.

/// A source of answers that are the same for both versions.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    kind: Kind,
    drawn: u32,
    /// For each place of the source, the number of reads or of `true` results.
    counts: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    No,
    Yes,
    Turns,
    Chance(u64),
}

/// How many scripts each function is run with.
pub(crate) const SCRIPTS: u64 = 8;

/// How often a loop is gone through at most, in one run of a function.
const MOST_TURNS: u8 = 3;

impl Script {
    /// The script of that number, below [`SCRIPTS`].
    pub(crate) fn new(number: u64) -> Self {
        let kind = match number {
            0 => Kind::No,
            1 => Kind::Yes,
            2 => Kind::Turns,
            chance => Kind::Chance(chance),
        };
        Self {
            kind,
            drawn: 0,
            counts: Vec::new(),
        }
    }

    /// A number below `bound`.
    pub(crate) fn draw(&mut self, bound: u32) -> u32 {
        self.drawn += 1;
        match self.kind {
            Kind::No => 0,
            Kind::Yes => bound - 1,
            Kind::Turns => self.drawn % bound,
            Kind::Chance(seed) => {
                let mixed = mix(seed.wrapping_mul(0x1_0001) ^ u64::from(self.drawn));
                u32::try_from(mixed % u64::from(bound)).expect("below a small bound")
            }
        }
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.draw(2) == 1
    }

    /// Counts a visit of the place `id`. Returns `true` if the place has been visited as often as
    /// allowed.
    pub(crate) fn is_worn(&mut self, id: u32) -> bool {
        let at = id as usize;
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] = self.counts[at].saturating_add(1);
        self.counts[at] > MOST_TURNS
    }
}

/// The mixing step of splitmix64.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
