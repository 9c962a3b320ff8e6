//! Edited snapshots, as in the fuzz target `snapshot`: 10,000 of fixed seeds.

#[path = "../../../fuzz/fuzz_targets/edits.rs"]
mod edits;
#[path = "../../../fuzz/fuzz_targets/stored.rs"]
pub(crate) mod stored;

use edits::{Choices, edited_bytes, edited_text};
use stored::{check_bytes, check_text, corpus};

const COUNT: u64 = if cfg!(miri) { 40 } else { 5_000 };

/// Pseudo-random choices: xorshift.
struct Seeded(u64);

impl Seeded {
    fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Choices for Seeded {
    fn below(&mut self, bound: usize) -> Option<usize> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let bound = u64::try_from(bound.max(1)).ok()?;
        usize::try_from(self.0 % bound).ok()
    }
}

/// Asserts that some of the snapshots were read, and some were not.
fn assert_both(read: usize) {
    let count = usize::try_from(COUNT).unwrap();
    assert!(
        (count / 50..count).contains(&read),
        "{read} of {count} were read"
    );
}

#[test]
fn edited_texts_are_read_or_an_error() {
    let corpus = corpus();
    let texts = (0..COUNT).filter_map(|seed| edited_text(&corpus.texts, &mut Seeded::new(seed)));
    assert_both(texts.filter(|text| check_text(text.as_bytes())).count());
}

#[test]
fn edited_bytes_are_read_or_an_error() {
    let corpus = corpus();
    let bytes = (0..COUNT).filter_map(|seed| edited_bytes(&corpus.bytes, &mut Seeded::new(seed)));
    assert_both(bytes.filter(|bytes| check_bytes(bytes)).count());
}
