//! A value of JSON, which is described by closures and written without a copy.
//!
//! One description serves two writers: the text of this crate, and the `Serialize` of serde.

use std::fmt::{self, Display, Write};

/// Receives the elements of a list.
pub(super) type Elements<'a> = &'a mut dyn FnMut(Value<'_>);

/// Receives the entries of an object.
pub(super) type Entries<'a> = &'a mut dyn FnMut(&'static str, Value<'_>);

/// A value of JSON. The closure of a list or object passes its parts to its argument.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Null,
    Number(u64),
    Text(&'a str),
    /// A text that is formatted.
    Shown(&'a dyn Display),
    List(&'a dyn Fn(Elements<'_>)),
    Object(&'a dyn Fn(Entries<'_>)),
}

impl Value<'_> {
    /// Returns the number, or null.
    pub(super) fn number_or_null(number: Option<u64>) -> Self {
        number.map_or(Self::Null, Self::Number)
    }
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, *self)
    }
}

fn write_value(out: &mut dyn Write, value: Value<'_>) -> fmt::Result {
    match value {
        Value::Null => out.write_str("null"),
        Value::Number(number) => write!(out, "{number}"),
        Value::Text(text) => write_string(out, &text),
        Value::Shown(text) => write_string(out, text),
        Value::List(list) => {
            out.write_char('[')?;
            let mut separator = Separator::new();
            list(&mut |value| {
                separator.write_before(out, |out| write_value(out, value));
            });
            separator.result?;
            out.write_char(']')
        }
        Value::Object(object) => {
            out.write_char('{')?;
            let mut separator = Separator::new();
            object(&mut |key, value| {
                separator.write_before(out, |out| {
                    write_string(out, &key)?;
                    out.write_char(':')?;
                    write_value(out, value)
                });
            });
            separator.result?;
            out.write_char('}')
        }
    }
}

/// Writes commas between parts, and keeps the first error.
struct Separator {
    has_parts: bool,
    result: fmt::Result,
}

impl Separator {
    fn new() -> Self {
        Self {
            has_parts: false,
            result: Ok(()),
        }
    }

    fn write_before(
        &mut self,
        out: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> fmt::Result,
    ) {
        if self.result.is_err() {
            return;
        }
        let comma = if self.has_parts { "," } else { "" };
        self.has_parts = true;
        self.result = out.write_str(comma).and_then(|()| write(out));
    }
}

fn write_string(out: &mut dyn Write, text: &dyn Display) -> fmt::Result {
    out.write_char('"')?;
    write!(Escaped(out), "{text}")?;
    out.write_char('"')
}

/// Escapes the text that is written to it.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // A `<` is escaped so that the text can be part of an HTML page.
        let is_special = |c: char| c < ' ' || matches!(c, '"' | '\\' | '<');
        let mut rest = text;
        while let Some(at) = rest.find(is_special) {
            self.0.write_str(&rest[..at])?;
            let special = rest.as_bytes()[at];
            match special {
                b'"' | b'\\' => write!(self.0, "\\{}", char::from(special))?,
                _ => write!(self.0, "\\u{special:04x}")?,
            }
            rest = &rest[at + 1..];
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn special_characters_are_escaped() {
        let text = Value::Text("a\"b\\c\nd<e\u{1}é");
        assert_eq!(text.to_string(), r#""a\"b\\c\u000ad\u003ce\u0001é""#);
    }

    #[test]
    fn parts_are_separated_by_commas() {
        let list = Value::List(&|put| {
            put(Value::Null);
            put(Value::List(&|_| {}));
            put(Value::Object(&|put| {
                put("one", Value::Number(1));
                put("two", Value::Shown(&2));
            }));
        });
        assert_eq!(list.to_string(), r#"[null,[],{"one":1,"two":"2"}]"#);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serde_writes_the_same_text() {
        let list = Value::List(&|put| {
            put(Value::Null);
            put(Value::Text("a\"b"));
            put(Value::Object(&|put| put("one", Value::Shown(&1))));
        });
        assert_eq!(serde_json::to_string(&list).unwrap(), list.to_string());
    }
}
