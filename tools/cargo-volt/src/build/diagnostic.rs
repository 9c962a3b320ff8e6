//! Errors of the compiler, read from cargo's messages.

use serde_json::Value;

/// A place in the source, and where it was expanded from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// As the compiler names it.
    pub(crate) file: String,
    /// Bytes from the beginning of the file.
    pub(crate) start: usize,
    pub(crate) line: usize,
    pub(crate) primary: bool,
    /// The source that is meant, or the first line of it.
    pub(crate) text: String,
    /// The place of the macro call that this one came out of.
    pub(crate) outer: Option<Box<Span>>,
}

/// The change of the attribute that an error suggests, in ascending priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SuggestedFix {
    None,
    /// The option `native`.
    Native,
    /// Another name, because the name of the machine is taken.
    Name,
}

/// An error, or a note of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    pub(crate) message: String,
    /// `E0277`, or the name of a lint.
    pub(crate) code: Option<String>,
    pub(crate) spans: Vec<Span>,
    pub(crate) children: Vec<Diagnostic>,
    /// The identifier of the package that was compiled.
    pub(crate) package: String,
}

impl Diagnostic {
    /// The error in a message of cargo's, if there is one.
    pub(crate) fn read(message: &Value) -> Option<Self> {
        let said = &message["message"];
        let is_error = said["level"].as_str()?.starts_with("error");
        let mut diagnostic = Self::of(said);
        diagnostic.package = string(&message["package_id"]);
        (is_error && !diagnostic.is_summary()).then_some(diagnostic)
    }

    fn of(said: &Value) -> Self {
        Self {
            message: string(&said["message"]),
            code: said["code"]["code"].as_str().map(str::to_owned),
            spans: list(&said["spans"], Span::of),
            children: list(&said["children"], Self::of),
            package: String::new(),
        }
    }

    /// Returns `true` if it only counts other errors.
    fn is_summary(&self) -> bool {
        self.spans.is_empty() && self.code.is_none() && self.message.starts_with("aborting due to")
    }

    /// Returns `true` if the error is that of a macro, and not of the compiler.
    pub(crate) fn is_of_macro(&self) -> bool {
        // The beginnings of compiler errors without a code.
        const WITHOUT_CODE: [&str; 12] = [
            "lifetime may not live",
            "implementation of",
            "higher-ranked",
            "future cannot be",
            "future returned by",
            "the parameter type",
            "expected",
            "cannot find",
            "captured variable",
            "reached the recursion limit",
            "queries overflow",
            "internal compiler error",
        ];
        let is_compilers = WITHOUT_CODE
            .iter()
            .any(|start| self.message.starts_with(start));
        self.code.is_none() && !self.spans.is_empty() && !is_compilers
    }

    /// Returns the change of the attribute that the error suggests.
    pub(crate) fn suggested_fix(&self) -> SuggestedFix {
        match self.code.as_deref() {
            Some("E0255" | "E0428") => SuggestedFix::Name,
            _ if self.suggests_native() => SuggestedFix::Native,
            _ => SuggestedFix::None,
        }
    }

    /// Returns `true` if the error may mean that a name is another item's: a machine or its alias
    /// takes precedence over
    /// what a glob imports, and over a crate.
    pub(crate) fn may_be_hidden(&self) -> bool {
        const CODES: [&str; 14] = [
            "E0164", "E0308", "E0404", "E0423", "E0425", "E0433", "E0532", "E0559", "E0560",
            "E0574", "E0599", "E0609", "E0618", "E0659",
        ];
        let code = self.code.as_deref();
        code.is_some_and(|code| CODES.contains(&code))
    }

    /// Returns `true` if it suggests `native`: in its text, or by a code that means that an
    /// explicit machine awaits a function which is no machine, or has parameters.
    fn suggests_native(&self) -> bool {
        const CODES: [&str; 7] = [
            "E0106", "E0107", "E0282", "E0283", "E0412", "E0573", "E0747",
        ];
        let asks = |text: &str| text.contains("`native`") || text.contains("(native");
        let code = self.code.as_deref();
        asks(&self.message)
            || code.is_some_and(|code| CODES.contains(&code))
            || self.children.iter().any(Self::suggests_native)
    }

    /// All places, those of the error itself first, main ones before others.
    pub(crate) fn all_spans(&self) -> Vec<&Span> {
        let mut spans: Vec<_> = self.spans.iter().collect();
        spans.sort_by_key(|span| !span.primary);
        spans.extend(self.children.iter().flat_map(Self::all_spans));
        spans
    }
}

impl Span {
    fn of(value: &Value) -> Self {
        let outer = &value["expansion"]["span"];
        let text = value["text"].as_array().and_then(|lines| lines.first());
        Self {
            file: string(&value["file_name"]),
            start: number(&value["byte_start"]),
            line: number(&value["line_start"]),
            primary: value["is_primary"].as_bool().unwrap_or(false),
            text: text.map(highlighted).unwrap_or_default(),
            outer: outer.is_object().then(|| Box::new(Self::of(outer))),
        }
    }

    /// The place, then those of the macro calls around it.
    pub(crate) fn outwards(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |span| span.outer.as_deref())
    }
}

fn highlighted(line: &Value) -> String {
    let text = string(&line["text"]);
    let from = number(&line["highlight_start"]).saturating_sub(1);
    let to = number(&line["highlight_end"]).saturating_sub(1);
    text.chars()
        .skip(from)
        .take(to.saturating_sub(from))
        .collect()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> usize {
    let number = value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    number.unwrap_or(0)
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().into_iter().flatten().map(read).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Diagnostic, SuggestedFix};

    fn span(start: usize, primary: bool) -> Value {
        json!({
            "file_name": "src/lib.rs", "byte_start": start, "line_start": 1, "is_primary": primary,
            "text": [{ "text": "let x = f();", "highlight_start": 9, "highlight_end": 10 }],
            "expansion": { "span": { "file_name": "src/b.rs", "byte_start": 7 } },
        })
    }

    fn message(text: &str, code: &Value) -> Value {
        let said = json!({
            "message": text, "level": "error", "code": code,
            "spans": [span(1, false), span(2, true)],
            "children": [{ "message": "below", "spans": [span(3, true)], "children": [] }],
        });
        json!({ "package_id": "a", "message": said })
    }

    #[test]
    fn spans_are_given_main_ones_first() {
        let read = Diagnostic::read(&message("x", &Value::Null)).expect("an error");
        let starts: Vec<_> = read.all_spans().iter().map(|span| span.start).collect();
        assert_eq!(starts, [2, 1, 3]);
        let outwards: Vec<_> = read.spans[0].outwards().map(|span| span.start).collect();
        assert_eq!(outwards, [1, 7]);
        assert_eq!(read.spans[0].text, "f");
    }

    #[test]
    fn warnings_and_sums_are_no_errors() {
        let mut warning = message("x", &Value::Null);
        warning["message"]["level"] = "warning".into();
        assert_eq!(Diagnostic::read(&warning), None);
        let mut sum = message("aborting due to 2 previous errors", &Value::Null);
        sum["message"]["spans"] = json!([]);
        assert_eq!(Diagnostic::read(&sum), None);
    }

    #[test]
    fn compiler_errors_differ_from_macro_errors() {
        let own = |text, code: &Value| {
            Diagnostic::read(&message(text, code))
                .expect("an error")
                .is_of_macro()
        };
        assert!(own("the type of this local is not visible", &Value::Null));
        assert!(!own("mismatched types", &json!({ "code": "E0308" })));
        assert!(!own("lifetime may not live long enough", &Value::Null));
    }

    #[test]
    fn wish_for_native_is_heard_below_too() {
        let asks = |text| {
            Diagnostic::read(&message(text, &Value::Null))
                .expect("an error")
                .suggests_native()
        };
        assert!(asks("write `#[volt::state_machine(native)]`"));
        assert!(!asks("a native speaker"));
        let coded = |code| Diagnostic::read(&message("x", &json!({ "code": code })));
        assert!(coded("E0573").expect("an error").suggests_native());
        assert!(!coded("E0308").expect("an error").suggests_native());
        assert_eq!(
            coded("E0255").expect("an error").suggested_fix(),
            SuggestedFix::Name
        );
        let mut below = message("x", &Value::Null);
        below["message"]["children"][0]["message"] = "add the word `native`".into();
        assert!(
            Diagnostic::read(&below)
                .expect("an error")
                .suggests_native()
        );
    }
}
