//! Why a function has no machine, or none that is explicit.

use crate::diagnostic::Diagnostic;

/// A reason, and where it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    /// The first line of what was said.
    pub(crate) text: String,
    /// The file and line, if it was said of any.
    pub(crate) place: Option<(String, usize)>,
    /// Whether the macro said it and not the compiler.
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

    /// What only one function of a group can be blamed for.
    pub(crate) fn said(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            place: None,
            of_macro: false,
        }
    }

    /// What it has in common with other reasons: what it says without the names.
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
        let group = |text| Reason::said(text).group();
        assert_eq!(
            group("E0277: `A` is not `B`, or"),
            "E0277: `_` is not `_`, or"
        );
        assert_eq!(group("no names"), "no names");
        assert_eq!(group("`A`"), "`_`");
    }
}
