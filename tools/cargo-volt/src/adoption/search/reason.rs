//! The reason why a function has no machine, or no explicit machine.

use crate::diagnostic::Diagnostic;

/// A reason, and its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    /// The first line of the message.
    pub(crate) text: String,
    /// The file and line, if the message has them.
    pub(crate) place: Option<(String, usize)>,
    /// `true` if the message is that of the macro, and not of the compiler.
    pub(crate) of_macro: bool,
}

impl Reason {
    pub(crate) fn of(error: &Diagnostic) -> Self {
        let first = error.message.lines().next().unwrap_or_default();
        let text = match &error.code {
            Some(code) => format!("{code}: {first}"),
            None => first.to_owned(),
        };
        let primary = error.spans.iter().find(|span| span.primary);
        Self {
            text,
            place: primary.map(|span| (span.file.clone(), span.line)),
            of_macro: error.is_of_macro(),
        }
    }

    /// A reason without a place.
    pub(crate) fn without_place(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            place: None,
            of_macro: false,
        }
    }

    /// Returns the text without names, which is the same for similar reasons.
    pub(crate) fn group(&self) -> String {
        let mut parts = self.text.split('`');
        let mut group = parts.next().unwrap_or_default().to_owned();
        for (index, part) in parts.enumerate() {
            group.push_str(if index % 2 == 0 { "`_`" } else { part });
        }
        group
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn group_has_no_names() {
        let group = |text| Reason::without_place(text).group();
        assert_eq!(
            group("E0277: `A` is not `B`, or"),
            "E0277: `_` is not `_`, or"
        );
        assert_eq!(group("no names"), "no names");
        assert_eq!(group("`A`"), "`_`");
    }
}
