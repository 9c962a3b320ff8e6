//! `IndexedCode`: code with the places of its words.
//!
//! The expansion of each machine looks up a few names in its module. A search through the text
//! takes a time in proportion to the module, so the time for a crate would grow with the square of
//! its size. The index is built once for each module.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::name_context::{NameContext, is_word, uses};

/// Code, and the places of each word in it.
#[derive(Debug)]
pub(super) struct IndexedCode {
    text: String,
    places: OnceCell<HashMap<String, Vec<usize>>>,
}

impl IndexedCode {
    pub(super) fn new(text: String) -> Self {
        Self {
            text,
            places: OnceCell::new(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The uses of a name, in the order of the text.
    pub(super) fn uses<'c>(&'c self, name: &'c str) -> Vec<NameContext<'c>> {
        // A raw name is no word.
        if !name.chars().all(is_word) {
            return uses(&self.text, name).collect();
        }
        let places = self.places.get_or_init(|| places_of_words(&self.text));
        let places = places.get(name).into_iter().flatten();
        let contexts = places.map(|at| NameContext::new(&self.text, *at, name.len()));
        contexts.collect()
    }
}

/// The places at which each word begins.
fn places_of_words(text: &str) -> HashMap<String, Vec<usize>> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    let mut begin = 0;
    while let Some(offset) = text[begin..].find(is_word) {
        let start = begin + offset;
        let length = text[start..].find(|letter| !is_word(letter));
        let end = length.map_or(text.len(), |length| start + length);
        let word = &text[start..end];
        match places.get_mut(word) {
            Some(known) => known.push(start),
            None => {
                places.insert(word.to_owned(), vec![start]);
            }
        }
        begin = end;
    }
    places
}

#[cfg(test)]
mod tests;
