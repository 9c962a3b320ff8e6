//! Rule: a test is named `<subject>_<verb>_<result>`, in at most 50 characters, without a person
//! and without a relative clause.

use crate::definitions::{Definition, Definitions};
use crate::source::{Source, Violation, Workspace};

const RULE: &str = "test names";

const MOST_CHARACTERS: usize = 50;

/// Words that begin a relative clause or name a person.
const WORDS: [&str; 13] = [
    "what",
    "who",
    "whose",
    "whom",
    "which",
    "that",
    "those",
    "whoever",
    "nobody",
    "somebody",
    "everybody",
    "told",
    "asked",
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let ours = workspace.sources.iter();
    let ours = ours.filter(|source| source.is_rust() && !source.is_ui_case());
    ours.flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Violation> {
    if !source.text.contains("test") {
        return Vec::new();
    }
    let tests = Definitions::of(&source.text).tests.into_iter();
    tests
        .filter_map(|test| Some(source.violation(test.line, RULE, fault(&test)?)))
        .collect()
}

fn fault(test: &Definition) -> Option<String> {
    let length = test.name.chars().count();
    if length > MOST_CHARACTERS {
        return Some(format!("{length} characters, {MOST_CHARACTERS} at most"));
    }
    let word = test.name.split('_').find(|word| WORDS.contains(word))?;
    Some(format!(
        "`{word}` in the name of a test: name the subject, its verb and the result"
    ))
}

#[cfg(test)]
mod tests {
    use super::{RULE, WORDS};
    use crate::expect;

    fn found(name: &str) -> Vec<String> {
        let text = format!("//! .\n#[test]\nfn {name}() {{}}\n");
        expect::counted(&[("volt/tests/a.rs", &text)], RULE)
    }

    #[test]
    fn name_of_50_characters_is_clean() {
        assert!(found(&"a".repeat(50)).is_empty());
    }

    #[test]
    fn name_of_51_characters_is_found() {
        assert_eq!(found(&"a".repeat(51)), ["volt/tests/a.rs:3"]);
    }

    #[test]
    fn every_word_is_found() {
        for word in WORDS {
            assert_eq!(found(&format!("one_{word}_two")), ["volt/tests/a.rs:3"]);
        }
    }

    #[test]
    fn longer_words_are_clean() {
        assert!(found("whatever_thatch_does_untold_things").is_empty());
    }

    #[test]
    fn other_functions_are_clean() {
        let text = "//! .\nfn who_is_that() {}\n";
        assert!(expect::counted(&[("volt/tests/a.rs", text)], RULE).is_empty());
    }
}
