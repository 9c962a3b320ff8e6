//! The bound that `max_size` is for a machine.

/// Compares the size of a machine with its `max_size`, at compile time.
///
/// # Panics
///
/// If it is larger. The message has both numbers.
#[track_caller]
pub const fn at_most(size: usize, max_size: usize) {
    if size > max_size {
        let mut text = Text::EMPTY;
        text.add("the state machine takes ");
        text.add_number(size);
        text.add(" bytes, and its `max_size` is ");
        text.add_number(max_size);
        panic!("{}", text.as_str());
    }
}

/// A text that is put together at compile time.
struct Text {
    bytes: [u8; 100],
    len: usize,
}

impl Text {
    const EMPTY: Self = Self {
        bytes: [0; 100],
        len: 0,
    };

    const fn add(&mut self, text: &str) {
        let mut index = 0;
        while index < text.len() {
            self.bytes[self.len] = text.as_bytes()[index];
            self.len += 1;
            index += 1;
        }
    }

    const fn add_number(&mut self, number: usize) {
        if number >= 10 {
            self.add_number(number / 10);
        }
        self.bytes[self.len] = b'0' + (number % 10) as u8;
        self.len += 1;
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "the state machine is larger than its `max_size`",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn numbers_are_written_as_people_do() {
        let mut text = Text::EMPTY;
        text.add_number(usize::MAX);
        text.add(" ");
        text.add_number(0);
        assert_eq!(text.as_str(), format!("{} 0", usize::MAX));
    }
}
