//! Rule: a sentence begins with its subject, not with a question word or a verb without a subject.
//!
//! Questions, which end with a question mark, are left out.

use crate::prose::Paragraph;
use crate::source::{Source, Violation, Workspace};

const RULE: &str = "openings";

/// Words that open no sentence.
const WORDS: [&str; 7] = [
    "What", "Who", "Whoever", "Whether", "Those", "Tells", "Says",
];

/// A word that opens no paragraph. Elsewhere it refers to the sentence before it.
const OF_PARAGRAPHS: &str = "That";

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let ours = workspace
        .sources
        .iter()
        .filter(|source| !source.is_ui_case());
    ours.flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Violation> {
    let violation = |paragraph: &Paragraph, offset, word: &str| {
        let said = format!(
            "a sentence opens with `{word}`: begin with the noun that it is about, and write \
             `Returns `true` if ..` for a function that returns a `bool`"
        );
        source.violation(paragraph.line_of(offset), RULE, said)
    };
    let of_paragraph = |paragraph: &Paragraph| -> Vec<Violation> {
        let starts = sentence_starts(&paragraph.text);
        let starts = starts.iter().enumerate();
        starts
            .filter_map(|(at, &(offset, word))| {
                let is_opening = WORDS.contains(&word) || (at == 0 && word == OF_PARAGRAPHS);
                let is_counted = is_opening && !is_question(&paragraph.text[offset..]);
                is_counted.then(|| violation(paragraph, offset, word))
            })
            .collect()
    };
    source.paragraphs().iter().flat_map(of_paragraph).collect()
}

/// Returns the first word of each sentence, with its offset.
fn sentence_starts(text: &str) -> Vec<(usize, &str)> {
    let mut starts = Vec::new();
    let mut is_start = true;
    let mut before = ' ';
    for (offset, c) in text.char_indices() {
        if c.is_alphanumeric() {
            let length = text[offset..].find(|c: char| !c.is_alphanumeric());
            let word = &text[offset..offset + length.unwrap_or(text.len() - offset)];
            // The number of a list item precedes its first sentence.
            if is_start && !word.starts_with(|c: char| c.is_ascii_digit()) {
                starts.push((offset, word));
                is_start = false;
            }
        } else if c == '`' || c == '"' {
            is_start = false;
        } else if c == '|' || (c.is_whitespace() && ['.', '!', '?', ':'].contains(&before)) {
            is_start = true;
        }
        before = c;
    }
    starts
}

fn is_question(sentence: &str) -> bool {
    let ends = sentence
        .char_indices()
        .zip(sentence.chars().skip(1).chain([' ']));
    let mut ends =
        ends.filter(|((_, c), next)| ['.', '!', '?'].contains(c) && next.is_whitespace());
    ends.next().is_some_and(|((_, c), _)| c == '?')
}

#[cfg(test)]
mod tests {
    use super::{RULE, WORDS};
    use crate::expect;

    fn found(text: &str) -> Vec<String> {
        expect::counted(&[("volt/src/a.rs", text)], RULE)
    }

    #[test]
    fn every_opening_is_found() {
        for word in WORDS {
            let text = format!("//! One.\n\n/// {word} is two.\nfn f() {{}}\n");
            assert_eq!(found(&text), ["volt/src/a.rs:3"], "{word}");
        }
    }

    #[test]
    fn opening_inside_a_paragraph_is_found() {
        let text = "//! One line\n//! of two. What is three\n//! is found.\n";
        assert_eq!(found(text), ["volt/src/a.rs:2"]);
    }

    #[test]
    fn opening_in_a_heading_and_a_cell_is_found() {
        let page = "# What it is\n\nOne.\n\n| Two | Who is three |\n";
        let found = expect::counted(&[("README.md", page)], RULE);
        assert_eq!(found, ["README.md:1", "README.md:5"]);
    }

    #[test]
    fn pronoun_is_found_at_start_of_paragraph() {
        assert_eq!(found("//! That it is one.\n"), ["volt/src/a.rs:1"]);
        assert!(found("//! One. That is two.\n").is_empty());
    }

    #[test]
    fn questions_and_inner_words_are_clean() {
        let text = "//! What is one? The one whose `a.b` shows What. It is `What`.\n";
        assert!(found(text).is_empty());
    }

    #[test]
    fn code_and_names_are_clean() {
        let text = "//! `What` is a type.\n\nstruct What; // Whatever\n";
        assert!(found(text).is_empty());
    }
}
