//! The words of a text, found byte by byte.
//!
//! Development builds do not optimise a macro. There a loop over bytes takes about a tenth of the
//! instructions of a search by characters, which calls several functions for each of them.

/// `true` for the bytes of words. All letters that are not ASCII count as parts of words: code
/// without comments and literals has them only in names.
static IS_WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut byte = 0;
    while byte < is_word.len() {
        let letter = byte as u8;
        is_word[byte] = letter.is_ascii_alphanumeric() || letter == b'_' || letter >= 0x80;
        byte += 1;
    }
    is_word
};

/// Returns `true` if a byte belongs to a word.
pub(super) fn is_word_byte(byte: u8) -> bool {
    IS_WORD[usize::from(byte)]
}

/// Returns the ends of the first word at or after a place.
pub(crate) fn next_word(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let (mut start, length) = (from, text.len());
    while start < length && !IS_WORD[text[start] as usize] {
        start += 1;
    }
    let mut end = start;
    while end < length && IS_WORD[text[end] as usize] {
        end += 1;
    }
    if start < end {
        Some((start, end))
    } else {
        None
    }
}

/// Returns the place of the first of two bytes, or the length of the text.
pub(super) fn find_byte(text: &[u8], from: usize, bytes: [u8; 2]) -> usize {
    let (mut at, length, [one, other]) = (from, text.len(), bytes);
    while at < length {
        let byte = text[at];
        if byte == one || byte == other {
            return at;
        }
        at += 1;
    }
    length
}

/// The limit of a list of arguments, which bounds the time of a search for its end.
const MAX_ARGUMENTS: usize = 4096;

/// Returns `true` if an await follows the arguments with which a text begins.
pub(crate) fn is_awaited(text: &str) -> bool {
    let (mut depth, bytes) = (0_usize, text.as_bytes());
    let end = bytes.iter().take(MAX_ARGUMENTS).position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let rest = end.map_or("", |end| text[end + 1..].trim_start());
    let rest = rest.strip_prefix('.').map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with("await"))
}

#[cfg(test)]
mod tests;
