//! UTF-8 text that arrives in pieces.

use std::io;
use std::mem;
use std::str;

/// Appends bytes to a string as they arrive, as far as they are complete UTF-8 characters.
///
/// Text belongs to the string as soon as it arrives. So a future that fails or is dropped leaves it
/// there, and the next call continues. Only the first bytes of an incomplete character are stored
/// here, because a string cannot contain them.
#[derive(Debug, Default)]
pub(super) struct Utf8Appender {
    /// The bytes that are not in the string yet.
    pub(super) pending: Vec<u8>,
    appended: usize,
    is_invalid: bool,
}

impl Utf8Appender {
    /// Appends bytes that were read after all previous bytes.
    pub(super) fn append(&mut self, string: &mut String, bytes: &[u8]) {
        if self.is_invalid {
            return;
        }
        if !self.pending.is_empty() {
            self.pending.extend_from_slice(bytes);
            return self.append_pending(string);
        }
        match str::from_utf8(bytes) {
            Ok(text) => self.push(string, text),
            Err(error) => self.append_part(string, bytes, error),
        }
    }

    /// Appends the bytes in `pending`.
    pub(super) fn append_pending(&mut self, string: &mut String) {
        let bytes = mem::take(&mut self.pending);
        if self.is_invalid {
            return;
        }
        match String::from_utf8(bytes) {
            // No byte is copied.
            Ok(text) if string.is_empty() => {
                self.appended = text.len();
                *string = text;
            }
            Ok(text) => self.push(string, &text),
            Err(error) => self.append_part(string, error.as_bytes(), error.utf8_error()),
        }
    }

    fn push(&mut self, string: &mut String, text: &str) {
        string.push_str(text);
        self.appended += text.len();
    }

    fn append_part(&mut self, string: &mut String, bytes: &[u8], error: str::Utf8Error) {
        if error.error_len().is_some() {
            return self.reject(string);
        }
        let (text, pending) = bytes.split_at(error.valid_up_to());
        self.push(string, str::from_utf8(text).unwrap_or_default());
        self.pending = pending.to_vec();
    }

    /// Restores the former content of the string, because the bytes are not UTF-8.
    fn reject(&mut self, string: &mut String) {
        self.is_invalid = true;
        self.pending = Vec::new();
        string.truncate(string.len().saturating_sub(self.appended));
        self.appended = 0;
    }

    /// Ends the text, and returns the number of bytes that were appended.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not UTF-8. The string then has its former content.
    pub(super) fn finish(&mut self, string: &mut String) -> io::Result<usize> {
        if !self.pending.is_empty() {
            self.reject(string);
        }
        let Self {
            appended,
            is_invalid,
            ..
        } = mem::take(self);
        if is_invalid {
            return Err(invalid_utf8());
        }
        Ok(appended)
    }
}

/// The error of bytes that are not UTF-8.
#[cold]
pub(super) fn invalid_utf8() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the stream is not valid UTF-8")
}
