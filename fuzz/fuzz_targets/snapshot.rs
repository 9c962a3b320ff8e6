//! Snapshots of machines, edited as `libFuzzer` chooses.
//!
//! `cargo +nightly fuzz run snapshot`, with `cargo install cargo-fuzz` before it.
//!
//! The first byte chooses JSON or postcard, and plain input or edits of a valid snapshot. A
//! snapshot that is read is written again, which must give the same machine, and both are polled.
#![no_main]

mod edits;
mod stored;

use std::sync::LazyLock;

use edits::{Choices, edited_bytes, edited_text};
use libfuzzer_sys::fuzz_target;
use stored::{Corpus, check_bytes, check_text, corpus};

/// The bytes that the fuzzer gives, two a choice.
struct Bytes<'a>(&'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: usize) -> Option<usize> {
        let (pair, rest) = self.0.split_first_chunk::<2>()?;
        self.0 = rest;
        Some(usize::from(u16::from_le_bytes(*pair)) % bound.max(1))
    }
}

static CORPUS: LazyLock<Corpus> = LazyLock::new(corpus);

fuzz_target!(|input: &[u8]| {
    let Some((kind, input)) = input.split_first() else {
        return;
    };
    let mut choices = Bytes(input);
    match kind % 4 {
        0 => drop(edited_text(&CORPUS.texts, &mut choices).map(|text| check_text(text.as_bytes()))),
        1 => drop(edited_bytes(&CORPUS.bytes, &mut choices).map(|bytes| check_bytes(&bytes))),
        2 => drop(check_text(input)),
        _ => drop(check_bytes(input)),
    }
});
