//! `IndexedCode`: code with the places of its words.
//!
//! The expansion of each machine looks up a few names in its module. A search through the text
//! takes a time in proportion to the module, so the time for a crate would grow with the square of
//! its size. The index is built once for each module.

use std::cell::OnceCell;

use super::name_context::{NameContext, uses};
use super::words::{is_word_byte, next_word};

/// Code, and the places of each word in it.
#[derive(Debug)]
pub(super) struct IndexedCode {
    text: String,
    index: OnceCell<WordIndex>,
}

impl IndexedCode {
    pub(super) fn new(text: String) -> Self {
        Self {
            text,
            index: OnceCell::new(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The uses of a name, in the order of the text.
    pub(super) fn uses<'c>(&'c self, name: &'c str) -> Vec<NameContext<'c>> {
        // A raw name is no word.
        if !name.bytes().all(is_word_byte) {
            return uses(&self.text, name).collect();
        }
        let index = self.index.get_or_init(|| WordIndex::new(&self.text));
        let places = index.places(&self.text, name).into_iter();
        let contexts = places.map(|at| NameContext::new(&self.text, at, name.len()));
        contexts.collect()
    }
}

/// The words of a text in a table of hashes. Its own hash is much cheaper than that of a `HashMap`
/// in a macro that is not optimised.
#[derive(Debug)]
struct WordIndex {
    /// For each remainder of a hash: the number of the last word with it, or zero. Words are
    /// numbered from one.
    last: Vec<usize>,
    words: Vec<IndexedWord>,
}

#[derive(Debug)]
struct IndexedWord {
    start: usize,
    end: usize,
    hash: usize,
    /// The number of the word before with the same remainder, or zero.
    previous: usize,
}

impl WordIndex {
    fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut last = vec![0; (bytes.len() / 8).next_power_of_two()];
        let (mut words, mut from, mask) = (Vec::new(), 0, last.len() - 1);
        while let Some((start, end)) = next_word(bytes, from) {
            let hash = hash(&bytes[start..end]);
            let previous = last[hash & mask];
            words.push(IndexedWord {
                start,
                end,
                hash,
                previous,
            });
            last[hash & mask] = words.len();
            from = end;
        }
        Self { last, words }
    }

    /// The places at which a word begins, in their order.
    fn places(&self, text: &str, word: &str) -> Vec<usize> {
        let (hash, mut places) = (hash(word.as_bytes()), Vec::new());
        let mut number = self.last[hash & (self.last.len() - 1)];
        while number != 0 {
            let found = &self.words[number - 1];
            if found.hash == hash && &text[found.start..found.end] == word {
                places.push(found.start);
            }
            number = found.previous;
        }
        places.reverse();
        places
    }
}

/// The hash of a word (FNV-1a).
fn hash(word: &[u8]) -> usize {
    let (mut hash, mut at, length) = (0x811c_9dc5_u32, 0, word.len());
    while at < length {
        hash = (hash ^ word[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash as usize
}

#[cfg(test)]
mod tests;
