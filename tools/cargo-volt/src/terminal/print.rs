//! The standard output.

use std::io::{self, Write};

use crate::context::Outcome;

/// Prints a text. A closed pipe, as that of `head`, is no error.
pub(crate) fn print(text: &str) -> Outcome<()> {
    let mut output = anstream::stdout();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
