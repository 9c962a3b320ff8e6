//! The code that is written, with its open braces.

use std::mem;

use proc_macro2::TokenStream;

/// Code as lists of pieces, because concatenating token streams costs as much as writing them.
#[derive(Default)]
pub(crate) struct Code {
    /// The code before each open label, from the outermost label inwards.
    before_labels: Vec<Vec<TokenStream>>,
    /// The code before the open braces of the function's tail.
    before_tail: Option<Vec<TokenStream>>,
    /// The code after the last open brace.
    pieces: Vec<TokenStream>,
}

impl Code {
    pub(crate) fn write(&mut self, tokens: TokenStream) {
        self.pieces.push(tokens);
    }

    pub(crate) fn open_label(&mut self) {
        self.before_labels.push(mem::take(&mut self.pieces));
    }

    /// Closes the innermost label, and returns the code within.
    pub(crate) fn close_label(&mut self) -> TokenStream {
        let before = self.before_labels.pop().expect("a label is open");
        mem::replace(&mut self.pieces, before).into_iter().collect()
    }

    pub(crate) fn open_tail(&mut self) {
        self.before_tail = Some(mem::take(&mut self.pieces));
    }

    pub(crate) fn is_tail_open(&self) -> bool {
        self.before_tail.is_some()
    }

    /// Closes the braces of the tail if they are open, and returns the code within.
    pub(crate) fn close_tail(&mut self) -> Option<TokenStream> {
        let before = self.before_tail.take()?;
        Some(mem::replace(&mut self.pieces, before).into_iter().collect())
    }

    /// Returns the number of open braces.
    pub(crate) fn open_count(&self) -> usize {
        self.before_labels.len() + usize::from(self.before_tail.is_some())
    }

    /// Returns the code, which has no open braces, as one token stream.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.pieces.into_iter().collect()
    }
}
