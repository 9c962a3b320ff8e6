//! What became of each function, for whoever asks: one line in a file.
//!
//! When the environment variable `VOLT_STATE_MACHINE_REPORT` names a file, each function is appended to it:
//! file, line of the reason, name, layout, reason and line of the function, with tabs between. It cannot fail: a line that
//! cannot be written is left out, because the build is not about it.

use std::fs::OpenOptions;
use std::io::Write;

use proc_macro2::{Ident, Span};

use crate::names;

/// What became of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome<'a> {
    Explicit,
    Native(&'a NativeReason),
    Boxed(&'a NativeReason),
    Refused,
}

/// Appends a line about the function, if there is a file for it.
pub(crate) fn report(name: &Ident, outcome: Outcome<'_>) {
    let Some(path) = std::env::var_os("VOLT_STATE_MACHINE_REPORT") else {
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(line(name, outcome).as_bytes()));
}

/// What is appended.
fn line(name: &Ident, outcome: Outcome<'_>) -> String {
    let (layout, reason) = match outcome {
        Outcome::Explicit => ("explicit", ""),
        Outcome::Native(why) => ("native", &*why.text),
        Outcome::Boxed(why) => ("boxed", &*why.text),
        Outcome::Refused => ("refused", "the attribute reports an error"),
    };
    let (span, name) = (name.span(), names::own_name(name));
    let (file, own) = (span.file(), span.start().line);
    let line = match outcome {
        // What a macro of another file has written says nothing of a line here.
        Outcome::Native(why) | Outcome::Boxed(why) if why.span.file() == file => {
            why.span.start().line
        }
        _ => own,
    };
    format!("{file}\t{line}\t{name}\t{layout}\t{reason}\t{own}\n")
}

/// What keeps a machine from being explicit.
#[derive(Clone, Debug)]
pub(crate) struct NativeReason {
    /// In one line.
    pub(crate) text: String,
    /// Where.
    pub(crate) span: Span,
}

impl NativeReason {
    pub(crate) fn new(text: &str, span: Span) -> Self {
        let text = text.to_owned();
        Self { text, span }
    }

    /// The line of the source.
    pub(crate) fn line(&self) -> u32 {
        u32::try_from(self.span.start().line).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests;
