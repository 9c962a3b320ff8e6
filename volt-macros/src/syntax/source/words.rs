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

#[cfg(test)]
mod tests;
