//! Rule: a message names the fault in lower case, without a final period, with a noun as its
//! subject; and an error of the macro has the labels of the compiler, `note` and `help`.
//!
//! Messages are the texts of `panic!`, `unreachable!`, `expect` and `Error::new`, and of the
//! implementations of `Display` for errors.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::source::{Source, Violation, Workspace};
use crate::tokens::{is_mark, line};
use crate::words::found_in;

const RULE: &str = "messages";

const MACROS: [&str; 2] = ["panic", "unreachable"];
const METHODS: [&str; 5] = ["expect", "new", "new_spanned", "other", "custom"];

/// Words that open no message.
const OPENINGS: [&str; 7] = [
    "what", "who", "whoever", "whether", "those", "tells", "says",
];

/// Labels of an error that only this project has.
const LABELS: [&str; 3] = ["= reason:", "= instead:", "= book:"];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    workspace.sources.iter().flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Violation> {
    let found = match source.path.rsplit_once('.') {
        Some((_, "stderr")) => of_expected_errors(source),
        Some((_, "rs")) if !is_test(source) => {
            let tokens = TokenStream::from_str(&source.text).unwrap_or_default();
            let mut texts = Vec::new();
            collect(tokens, &mut texts);
            let faulty = texts.into_iter();
            faulty
                .filter_map(|(line, text)| Some((line, fault(&text)?)))
                .collect()
        }
        _ => Vec::new(),
    };
    found
        .into_iter()
        .map(|(line, said)| source.violation(line, RULE, said))
        .collect()
}

fn is_test(source: &Source) -> bool {
    let mut parts = source.path.split(['/', '.']);
    source.is_ui_case()
        || parts.any(|part| {
            let is_target = ["benches", "examples"].contains(&part);
            is_target || part.ends_with("tests") || part.ends_with("models")
        })
}

/// The errors that trybuild expects.
fn of_expected_errors(source: &Source) -> Vec<(usize, String)> {
    let lines = source.numbered_lines();
    lines
        .filter_map(|(number, text)| {
            let label = LABELS.iter().find(|label| text.contains(**label));
            let labelled = label.map(|label| format!("`{label}`: write `note` or `help`"));
            let is_empty = text.contains("`` ``") || text.contains(" ``");
            let empty = is_empty.then(|| "a message quotes empty code".to_owned());
            Some((number, labelled.or(empty)?))
        })
        .collect()
}

/// Collects the texts of messages, with their lines. Modules of tests are left out.
fn collect(stream: TokenStream, texts: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let before = &tokens[..at];
        if is_message(before) {
            texts.extend(first_text(group));
        } else if is_error_display(before, group) {
            all_texts(group.stream(), texts);
        }
        if !is_test_module(before) {
            collect(group.stream(), texts);
        }
    }
}

/// Returns `true` behind `panic!`, `.expect` and `Error::new`.
fn is_message(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(name), bang] if is_mark(bang, '!') => {
            MACROS.contains(&name.to_string().as_str())
        }
        [.., dot, TokenTree::Ident(name)] if is_mark(dot, '.') => name == "expect",
        [
            ..,
            TokenTree::Ident(of),
            first,
            second,
            TokenTree::Ident(name),
        ] if is_mark(first, ':') && is_mark(second, ':') => {
            of == "Error" && METHODS.contains(&name.to_string().as_str())
        }
        _ => false,
    }
}

/// Returns `true` for the body of `impl Display for ..Error`.
fn is_error_display(before: &[TokenTree], group: &Group) -> bool {
    let start = before.iter().rposition(|token| {
        is_mark(token, ';')
            || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    });
    let item = &before[start.map_or(0, |start| start + 1)..];
    let words: Vec<String> = item
        .iter()
        .filter_map(|token| match token {
            TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        })
        .collect();
    let is_display = ["impl", "Display", "for"]
        .iter()
        .all(|part| words.iter().any(|word| word == part));
    group.delimiter() == Delimiter::Brace
        && is_display
        && words.iter().any(|word| word.ends_with("Error"))
}

/// Returns `true` for the body of a module of tests.
fn is_test_module(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Ident(module), TokenTree::Ident(name)]
        if module == "mod" && name.to_string().ends_with("tests"))
}

/// Returns the first string among the arguments, or in a `format!` that is the first of them.
fn first_text(group: &Group) -> Option<(usize, String)> {
    let mut inner = None;
    for token in group.stream() {
        match token {
            TokenTree::Literal(literal) => {
                if let Some(text) = string(&literal.to_string()) {
                    return Some((line(literal.span()), text));
                }
            }
            TokenTree::Group(group) if inner.is_none() => inner = first_text(&group),
            _ => {}
        }
    }
    inner
}

fn all_texts(stream: TokenStream, texts: &mut Vec<(usize, String)>) {
    for token in stream {
        match token {
            TokenTree::Literal(literal) => {
                let text = string(&literal.to_string());
                texts.extend(text.map(|text| (line(literal.span()), text)));
            }
            TokenTree::Group(group) => all_texts(group.stream(), texts),
            _ => {}
        }
    }
}

fn string(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    Some(inner.to_owned())
}

fn fault(text: &str) -> Option<String> {
    let prose = without_code(text);
    let first = prose
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .next()?;
    if text.is_empty() {
        Some("an empty message: name the fault".to_owned())
    } else if OPENINGS.contains(&first.to_lowercase().as_str()) {
        Some(format!("a message opens with `{first}`: begin with a noun"))
    } else if is_capitalised(first) {
        Some(format!("a message begins with a capital, `{first}`"))
    } else if prose.ends_with('.') && !prose.ends_with("..") {
        Some("a message ends with a period".to_owned())
    } else {
        let (_, word, instead) = *found_in(&prose).first()?;
        Some(format!(
            "`{word}` in a message: write, for example, {instead}"
        ))
    }
}

fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(at, part)| if at % 2 == 0 { part } else { "``" })
        .collect()
}

/// Returns `true` for `Cannot`, and not for `UTF-8`, `OS` or `Ctrl-C`.
fn is_capitalised(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_uppercase)
        && word.len() > 1
        && characters.all(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    fn found(body: &str) -> Vec<String> {
        let text = format!("//! .\nfn f() {{\n    {body};\n}}\n");
        expect::counted(&[("volt/src/a.rs", &text)], RULE)
    }

    const PLACE: [&str; 1] = ["volt/src/a.rs:3"];

    #[test]
    fn plain_messages_are_clean() {
        for body in [
            "panic!(\"the task was cancelled\")",
            "a.expect(\"`Queue` has a slot\")",
            "io::Error::new(kind, \"UTF-8 expected ..\")",
            "String::new(\"Told\")",
            "println!(\"What is this.\")",
        ] {
            assert!(found(body).is_empty(), "{body}");
        }
    }

    #[test]
    fn every_fault_is_found() {
        for text in [
            "",
            "What a task does",
            "Cannot wait",
            "no task.",
            "nobody waits",
        ] {
            for body in [
                format!("panic!(\"{text}\")"),
                format!("a.expect(\"{text}\")"),
                format!("io::Error::other(format!(\"{text}\"))"),
            ] {
                assert_eq!(found(&body), PLACE, "{body}");
            }
        }
    }

    #[test]
    fn message_of_an_error_type_is_found() {
        let text = "//! .\nimpl fmt::Display for JoinError {\n    fn fmt(&self) {\n        \
                    f.write_str(\"Task panicked\")\n    }\n}\n";
        let found = expect::counted(&[("volt/src/a.rs", text)], RULE);
        assert_eq!(found, ["volt/src/a.rs:4"]);
    }

    #[test]
    fn messages_of_tests_are_clean() {
        let text = "//! .\nmod tests {\n    fn f() {\n        panic!(\"What.\");\n    }\n}\n";
        assert!(expect::counted(&[("volt/src/a.rs", text)], RULE).is_empty());
        let text = "//! .\nfn f() {\n    panic!(\"What.\");\n}\n";
        assert!(expect::counted(&[("volt/tests/a.rs", text)], RULE).is_empty());
    }

    #[test]
    fn private_labels_and_empty_code_are_found() {
        let text = "error: a\n  = reason: b\n  = help: c\nerror: of this kind: ``\n";
        let path = "ui-tests/tests/refuse/a.stderr";
        let found = expect::counted(&[(path, text)], RULE);
        assert_eq!(found, [format!("{path}:2"), format!("{path}:4")]);
    }
}
