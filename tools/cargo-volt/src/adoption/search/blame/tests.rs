//! Errors at every kind of place.

use std::path::{Path, PathBuf};

use super::{Blame, Compiled};
use crate::diagnostic::{Diagnostic, Span};
use crate::rewrite::{AttributeEdit, LayoutOption, Position};
use crate::scan::scan;
use crate::subjects::{Id, Subjects};
use crate::workspace::{Source, Sources};

const TEXT: &str = "async fn outer() { async fn inner() { wrong(); } late(); }
impl Conn { async fn read(&self) { broken(); } async fn read_line(&self) { cracked(); } }
fn plain() { let x = outer(); }
";

/// Attributes an error at `mark`, when the compiler saw the attribute on the first `inside`
/// functions.
fn blamed(marked: &[Id], spans: impl Fn(&dyn Fn(&str) -> Span) -> Diagnostic) -> Blame {
    let mut blame = None;
    with_compiled(marked, |compiled, span_at| {
        blame = Some(compiled.blame(&spans(span_at)));
    });
    blame.expect("it was looked for")
}

/// Runs a test with sources in which these functions have the attribute, and with what finds a
/// mark in them.
fn with_compiled(marked: &[Id], test: impl FnOnce(&Compiled<'_>, &dyn Fn(&str) -> Span)) {
    let source = Source {
        path: PathBuf::from("/w/src/lib.rs"),
        shown: "src/lib.rs".to_owned(),
        package: 0,
        text: TEXT.to_owned(),
        found: scan(TEXT).expect("it parses"),
    };
    let sources = Sources {
        files: vec![source],
        unread: Vec::new(),
    };
    let subjects = Subjects::new(&sources, None);
    let mark = AttributeEdit {
        option: LayoutOption::Default,
        named: false,
        position: Position::Below,
    };
    let is_marked = |id| marked.contains(&id);
    let edits: Vec<_> = (0..4).map(|id| is_marked(id).then_some(mark)).collect();
    let rewritten = subjects.rewritten(&edits, "");
    let text = &rewritten[0].text;
    let span_at = |mark: &str| Span {
        file: "src/lib.rs".to_owned(),
        start: text.find(mark).expect("it stands there"),
        line: 1,
        primary: true,
        text: mark.to_owned(),
        outer: None,
    };
    let marked = (0..4).map(is_marked).collect();
    let compiled = Compiled::new(&subjects, &rewritten, marked, Path::new("/w"));
    test(&compiled, &span_at);
}

/// The function that hides what an error with the code means at a mark.
fn hiding(code: &str, message: &str, mark: &str) -> Option<Id> {
    let mut hiding = None;
    with_compiled(&[0, 1, 2], |compiled, span_at| {
        let mut error = error(message, vec![span_at(mark)], Vec::new());
        error.code = Some(code.to_owned());
        hiding = compiled.hiding(&error);
    });
    hiding
}

#[test]
fn hiding_machine_is_blamed() {
    let message = "struct `outer::Inner` has no field named `id`";
    assert_eq!(hiding("E0560", message, "broken"), Some(1));
    assert_eq!(hiding("E0382", message, "broken"), None);
    assert_eq!(
        hiding("E0560", "struct `Page` has no field", "broken"),
        None
    );
    // It is in the function itself.
    assert_eq!(hiding("E0560", message, "wrong"), None);
}

#[test]
fn hiding_alias_is_blamed() {
    let message = "cannot find `info` in `outer`";
    assert_eq!(hiding("E0433", message, "late"), Some(0));
    assert_eq!(hiding("E0308", message, "late"), None);
}

fn error(message: &str, spans: Vec<Span>, children: Vec<Diagnostic>) -> Diagnostic {
    Diagnostic {
        message: message.to_owned(),
        code: None,
        spans,
        children,
        package: "p".to_owned(),
    }
}

fn at(marked: &[Id], mark: &str) -> Blame {
    blamed(marked, |span| error("x", vec![span(mark)], Vec::new()))
}

#[test]
fn innermost_function_with_an_attribute_is_blamed() {
    assert_eq!(at(&[0, 1], "wrong"), Blame::Function(1));
    assert_eq!(at(&[0], "wrong"), Blame::Function(0));
    assert_eq!(at(&[0, 1], "late"), Blame::Function(0));
}

#[test]
fn attribute_of_a_function_blames_the_function() {
    assert_eq!(at(&[0, 1], "::volt"), Blame::Function(0));
}

#[test]
fn body_error_blames_method_and_head_error_the_block() {
    let all = [0, 1, 2, 3];
    assert_eq!(at(&all, "cracked"), Blame::Function(3));
    assert_eq!(at(&all, "impl Conn"), Blame::Block((0, 0)));
    assert_eq!(at(&[2], "cracked"), Blame::Block((0, 0)));
}

#[test]
fn macro_call_around_a_foreign_place_leads_home() {
    let blame = blamed(&[0, 1], |span| {
        let outer = Some(Box::new(span("late")));
        let file = "/elsewhere/lib.rs".to_owned();
        error(
            "x",
            vec![Span {
                file,
                outer,
                ..span("wrong")
            }],
            Vec::new(),
        )
    });
    assert_eq!(blame, Blame::Function(0));
}

#[test]
fn error_elsewhere_blames_the_function_in_its_notes() {
    let blame = blamed(&[2], |span| {
        let note = error("required by", vec![span("broken")], Vec::new());
        error("x", vec![span("let x")], vec![note])
    });
    assert_eq!(blame, Blame::Function(2));
}

#[test]
fn name_of_a_function_or_machine_is_heard() {
    assert_eq!(at(&[0], "outer();"), Blame::Function(0));
    let blame = blamed(&[0, 3], |span| {
        error("`ConnReadLine` is not", vec![span("let x")], Vec::new())
    });
    assert_eq!(blame, Blame::Function(3));
}

#[test]
fn several_of_a_name_are_a_group() {
    let blame = blamed(&[0, 2, 3], |span| {
        let text = "outer().read()".to_owned();
        error(
            "x",
            vec![Span {
                text,
                ..span("let x")
            }],
            Vec::new(),
        )
    });
    assert_eq!(blame, Blame::Among(vec![0, 2]));
}

#[test]
fn error_about_no_function_blames_the_package() {
    assert_eq!(at(&[2], "outer();"), Blame::Package("p".to_owned()));
}
