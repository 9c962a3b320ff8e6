//! Texts that are built at compile time.

/// A text of at most `N` bytes. A part that does not fit is omitted.
pub(super) struct ConstText<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> ConstText<N> {
    pub(super) const EMPTY: Self = Self {
        bytes: [0; N],
        len: 0,
    };

    pub(super) const fn add(&mut self, text: &str) {
        let text = text.as_bytes();
        if self.len + text.len() > self.bytes.len() {
            return;
        }
        let mut index = 0;
        while index < text.len() {
            self.bytes[self.len] = text[index];
            self.len += 1;
            index += 1;
        }
    }

    pub(super) const fn add_number(&mut self, number: usize) {
        if number >= 10 {
            self.add_number(number / 10);
        }
        let digit = [b'0' + (number % 10) as u8];
        if let Ok(digit) = core::str::from_utf8(&digit) {
            self.add(digit);
        }
    }

    pub(super) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "the text is not UTF-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_written_in_decimal() {
        let mut text = ConstText::<100>::EMPTY;
        text.add_number(usize::MAX);
        text.add(" ");
        text.add_number(0);
        assert_eq!(text.as_str(), format!("{} 0", usize::MAX));
    }

    #[test]
    fn long_text_is_cut() {
        let mut text = ConstText::<1000>::EMPTY;
        text.add(&"a".repeat(999));
        text.add("bc");
        text.add("d");
        assert_eq!(text.as_str().len(), 1000);
        assert!(text.as_str().ends_with("ad"));
    }
}
