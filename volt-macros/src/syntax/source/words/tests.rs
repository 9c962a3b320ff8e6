//! Words and bytes of short texts.

use super::{find_byte, next_word};

#[test]
fn words_are_found_in_their_order() {
    let text = "a_1.é(bé, 2u8)é";
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some((start, end)) = next_word(text.as_bytes(), from) {
        found.push(&text[start..end]);
        from = end;
    }
    assert_eq!(found, ["a_1", "é", "bé", "2u8", "é"]);
    assert_eq!(next_word(b" .", 0), None);
}

#[test]
fn missing_byte_has_the_length() {
    assert_eq!(find_byte(b"a\"b\\", 0, [b'\\', b'"']), 1);
    assert_eq!(find_byte(b"a\"b\\", 2, [b'\\', b'"']), 3);
    assert_eq!(find_byte(b"a\"", 2, [b'\\', b'"']), 2);
    assert_eq!(find_byte(b"a\"", 5, [b'\\', b'"']), 2);
}
