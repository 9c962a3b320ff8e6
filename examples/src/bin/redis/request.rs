//! The requests of clients: an array of byte strings, or a line of words.
//!
//! ```text
//!   *2\r\n$3\r\nGET\r\n$4\r\nmilk\r\n        GET milk\r\n
//! ```

use std::fmt;

/// The longest word, in bytes.
const LONGEST_WORD: usize = 8 << 20;
/// The longest line, in bytes.
const LONGEST_LINE: usize = 4096;
/// The most words of a request.
const MOST_WORDS: usize = 1024;

/// The words of a request, of which the first is the command.
pub(crate) type Request = Vec<Vec<u8>>;

/// Bytes that are no request. The rest of the stream has no meaning then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(&'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ERR Protocol error: {}", self.0)
    }
}

/// Takes the first request out of what has come, or leaves it all there until more has.
///
/// An incomplete request is parsed again from its beginning when more bytes arrive. The words
/// themselves are skipped by their length.
pub(crate) fn take(input: &mut Vec<u8>) -> Result<Option<Request>, Malformed> {
    let mut rest = Rest(input);
    let Some(words) = rest.request()? else {
        return Ok(None);
    };
    let words = words.into_iter().map(<[u8]>::to_vec).collect();
    let left = rest.0.len();
    input.drain(..input.len() - left);
    Ok(Some(words))
}

/// The bytes that are not parsed yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn request(&mut self) -> Result<Option<Vec<&'a [u8]>>, Malformed> {
        let Some(line) = self.line()? else {
            return Ok(None);
        };
        let Some(count) = line.strip_prefix(b"*") else {
            let words = line.split(u8::is_ascii_whitespace);
            return Ok(Some(words.filter(|word| !word.is_empty()).collect()));
        };
        let count = number(count, MOST_WORDS, "invalid multibulk length")?;
        let mut words = Vec::with_capacity(count);
        for _ in 0..count {
            let Some(word) = self.word()? else {
                return Ok(None);
            };
            words.push(word);
        }
        Ok(Some(words))
    }

    fn word(&mut self) -> Result<Option<&'a [u8]>, Malformed> {
        let Some(line) = self.line()? else {
            return Ok(None);
        };
        let len = line.strip_prefix(b"$").ok_or(Malformed("expected '$'"))?;
        let len = number(len, LONGEST_WORD, "invalid bulk length")?;
        let Some((word, rest)) = self.0.split_at_checked(len) else {
            return Ok(None);
        };
        if rest.len() < 2 {
            return Ok(None);
        }
        self.0 = rest
            .strip_prefix(b"\r\n")
            .ok_or(Malformed("expected a line end"))?;
        Ok(Some(word))
    }

    /// The next line, without its end.
    fn line(&mut self) -> Result<Option<&'a [u8]>, Malformed> {
        let Some(end) = self
            .0
            .iter()
            .take(LONGEST_LINE)
            .position(|&byte| byte == b'\n')
        else {
            return if self.0.len() < LONGEST_LINE {
                Ok(None)
            } else {
                Err(Malformed("too big inline request"))
            };
        };
        let line = &self.0[..end];
        self.0 = &self.0[end + 1..];
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

fn number(digits: &[u8], most: usize, otherwise: &'static str) -> Result<usize, Malformed> {
    let digits = std::str::from_utf8(digits).ok();
    let number = digits.and_then(|digits| digits.parse().ok());
    number
        .filter(|&number| number <= most)
        .ok_or(Malformed(otherwise))
}

#[cfg(test)]
mod tests {
    use super::take;

    #[test]
    fn request_is_found_wherever_the_stream_is_cut() {
        let stream = b"*2\r\n$4\r\nECHO\r\n$6\r\na\r\nb\r\n\r\n  PING  x\n*1\r\n$0\r\n\r\n";
        let expected: [&[&[u8]]; 3] = [&[b"ECHO", b"a\r\nb\r\n"], &[b"PING", b"x"], &[b""]];
        for cut in 0..=stream.len() {
            let mut input = Vec::new();
            let mut found = Vec::new();
            for part in [&stream[..cut], &stream[cut..]] {
                input.extend_from_slice(part);
                while let Some(request) = take(&mut input).expect("well-formed") {
                    found.push(request);
                }
            }
            assert_eq!(found, expected, "cut at {cut}");
            assert!(input.is_empty());
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let long = [b'x'; 5000];
        for bad in [
            &b"*-1\r\n"[..],
            b"*x\r\n",
            b"*99999\r\n",
            b"*1\r\n:3\r\n",
            b"*1\r\n$99999999\r\n",
            b"*1\r\n$1\r\nxy\r\n",
            &long,
        ] {
            assert!(take(&mut bad.to_vec()).is_err(), "{}", bad.escape_ascii());
        }
    }
}
