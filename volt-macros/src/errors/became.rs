//! What became of each function, for whoever asks: one line in a file.
//!
//! When the environment variable `VOLT_STATE_MACHINE_REPORT` names a file, each function is appended to it:
//! file, line, name, layout and reason, with tabs between. It cannot fail: a line that cannot be
//! written is left out, because the build is not about it.

use std::fs::OpenOptions;
use std::io::Write;

use proc_macro2::Ident;

use super::why::Why;
use crate::names;

/// What became of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Became<'a> {
    Explicit,
    Inline(&'a Why),
    Boxed(&'a Why),
    Refused,
}

/// Appends a line about the function, if there is a file for it.
pub(crate) fn report(name: &Ident, became: Became<'_>) {
    let Some(path) = std::env::var_os("VOLT_STATE_MACHINE_REPORT") else {
        return;
    };
    let (layout, reason) = match became {
        Became::Explicit => ("explicit", ""),
        Became::Inline(why) => ("inline", &*why.text),
        Became::Boxed(why) => ("boxed", &*why.text),
        Became::Refused => ("refused", "the macro says why"),
    };
    let (span, name) = (name.span(), names::own_name(name));
    let (file, line) = (span.file(), span.start().line);
    let text = format!("{file}\t{line}\t{name}\t{layout}\t{reason}\n");
    let file = OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
}
