//! Rule: comments and pages leave out forty words that replace a noun or a verb of the code.

use crate::source::{Source, Violation, Workspace};

const RULE: &str = "words";

/// The words and phrases, each with a plain alternative.
const WORDS: [(&str, &str); 40] = [
    ("nobody", "name the worker, thread, caller or task"),
    ("somebody", "name the worker, thread, caller or task"),
    ("everybody", "name the workers, threads, callers or tasks"),
    ("whoever", "name the worker, thread, caller or task"),
    ("told", "notified, reported, passed"),
    ("tell", "report, notify, distinguish"),
    ("tells", "reports, notifies, shows"),
    ("asked", "called, polled, queried, requested"),
    ("ask", "query, request, call"),
    ("asks", "queries, requests, calls"),
    ("hear", "receive, be notified"),
    ("hears", "receives, is notified"),
    ("heard", "received, was notified"),
    ("say", "report, state"),
    ("says", "reports, states, returns"),
    ("said", "reported, stated"),
    ("speak", "report, use"),
    ("speaks", "reports, uses"),
    ("lend", "borrow"),
    ("lends", "borrows out, passes a reference"),
    ("lent", "borrowed"),
    ("handed", "passed, moved"),
    ("stand", "be, be stored"),
    ("stands", "is, is stored"),
    ("lie", "be stored, be placed"),
    ("lies", "is stored, is placed"),
    ("renewed", "created again"),
    ("twin", "reference function"),
    ("doubt", "fallback reason"),
    ("doubts", "fallback reasons"),
    ("doomed", "force-cancelled"),
    ("hurry", "urgency, an external hint"),
    ("guest", "the future of `block_on`"),
    ("affair", "name what it concerns"),
    ("wants", "requires"),
    ("given back", "returned"),
    ("gives back", "returns"),
    ("give back", "return"),
    ("behind an await", "after an await"),
    ("behind the await", "after the await"),
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let ours = workspace
        .sources
        .iter()
        .filter(|source| !source.is_ui_case());
    ours.flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Violation> {
    let mut violations = Vec::new();
    for paragraph in source.paragraphs() {
        for (offset, word, instead) in found_in(&paragraph.text) {
            let said = format!("`{word}`: write instead, for example, {instead}");
            violations.push(source.violation(paragraph.line_of(offset), RULE, said));
        }
    }
    violations
}

/// Returns the listed words of a text, with their offsets and alternatives.
pub(crate) fn found_in(text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let words = split(text);
    let mut found = Vec::new();
    for at in 0..words.len() {
        let listed = WORDS.iter().find(|(listed, _)| {
            let mut parts = listed.split(' ').enumerate();
            parts.all(|(next, part)| words.get(at + next).is_some_and(|word| word.1 == part))
        });
        found.extend(listed.map(|(word, instead)| (words[at].0, *word, *instead)));
    }
    found
}

/// Splits a text into lower-case words. Hyphens, apostrophes and underscores belong to a word.
fn split(text: &str) -> Vec<(usize, String)> {
    let is_inside = |c: char| c.is_alphanumeric() || "-_'’".contains(c);
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_inside) {
        rest = &rest[start..];
        let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        words.push((text.len() - rest.len(), rest[..length].to_lowercase()));
        rest = &rest[length..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{RULE, WORDS};
    use crate::expect;

    fn found(text: &str) -> Vec<String> {
        expect::counted(&[("volt/src/a.rs", text)], RULE)
    }

    #[test]
    fn every_word_is_found() {
        for (word, _) in WORDS {
            let text = format!("//! One.\n//! Two {word} three.\n");
            assert_eq!(found(&text), ["volt/src/a.rs:2"], "{word}");
        }
    }

    #[test]
    fn phrase_across_lines_is_found() {
        assert_eq!(found("//! It gives\n//! back one.\n"), ["volt/src/a.rs:1"]);
    }

    #[test]
    fn word_on_a_page_is_found() {
        let found = expect::counted(&[("book/src/a.md", "One.\n\nNobody waits.\n")], RULE);
        assert_eq!(found, ["book/src/a.md:3"]);
    }

    #[test]
    fn code_and_longer_words_are_clean() {
        let text = "//! A `twin` for a stand-in, `told()` and untold.\n\nfn tell() {}\n";
        assert!(found(text).is_empty());
    }

    #[test]
    fn programs_of_users_are_clean() {
        let text = "// Nobody.\n";
        assert!(expect::counted(&[("ui-tests/tests/pass/a.rs", text)], RULE).is_empty());
    }
}
