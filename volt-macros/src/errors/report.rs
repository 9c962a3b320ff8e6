//! The report: one line for each function, with its layout.
//!
//! The environment variable `VOLT_STATE_MACHINE_REPORT` names the file. A line has the file, the
//! line of the reason, the name, the layout, the reason and the line of the function, with tabs
//! between them. A line that cannot be written is ignored, because the build does not depend on it.

use std::fs::OpenOptions;
use std::io::Write;

use proc_macro2::{Ident, Span};

use crate::names;

/// The result of the attribute for a function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome<'a> {
    Explicit,
    Native(&'a NativeReason),
    Boxed(&'a NativeReason),
    Refused,
}

/// Appends a line for the function, if the variable names a file.
pub(crate) fn report(name: &Ident, outcome: Outcome<'_>) {
    let Some(path) = std::env::var_os("VOLT_STATE_MACHINE_REPORT") else {
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(line(name, outcome).as_bytes()));
}

/// The appended line.
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
        // A reason in the expansion of a macro of another file has no line in this one.
        Outcome::Native(why) | Outcome::Boxed(why) if why.span.file() == file => {
            why.span.start().line
        }
        _ => own,
    };
    format!("{file}\t{line}\t{name}\t{layout}\t{reason}\t{own}\n")
}

/// The reason for which a machine is native.
#[derive(Clone, Debug)]
pub(crate) struct NativeReason {
    /// The reason in one line.
    pub(crate) text: String,
    /// The place of the reason.
    pub(crate) span: Span,
}

impl NativeReason {
    pub(crate) fn new(text: &str, span: Span) -> Self {
        let text = text.to_owned();
        Self { text, span }
    }

    /// The line of the place.
    pub(crate) fn line(&self) -> u32 {
        u32::try_from(self.span.start().line).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests;
