//! Rule: Markdown has one sentence a line, so that a change of a sentence is a change of a line.
//!
//! Rows of tables are left out.

use crate::prose::Paragraph;
use crate::source::{Source, Violation, Workspace};

const RULE: &str = "sentence a line";

/// Words that end with a period inside a sentence.
const ABBREVIATIONS: [&str; 7] = ["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "St."];

/// Marks that may follow the end of a sentence.
const CLOSING: [char; 7] = [')', ']', '"', '\'', '*', '_', '`'];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let pages = workspace.sources.iter();
    let pages = pages.filter(|source| source.path.ends_with(".md"));
    pages.flat_map(of_page).collect()
}

fn of_page(source: &Source) -> Vec<Violation> {
    let paragraphs = source.paragraphs().iter();
    let prose = paragraphs.filter(|paragraph| !paragraph.text.trim_start().starts_with('|'));
    prose
        .flat_map(|prose| of_paragraph(source, prose))
        .collect()
}

fn of_paragraph(source: &Source, paragraph: &Paragraph) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut lines = (paragraph.number..).zip(paragraph.text.lines()).peekable();
    while let Some((number, text)) = lines.next() {
        if has_two_sentences(text) {
            let said = "a line of two sentences: begin a line for each".to_owned();
            violations.push(source.violation(number, RULE, said));
        }
        if lines.peek().is_some() && !ends_sentence(text) {
            let said = "a sentence of two lines: join them, or shorten it".to_owned();
            violations.push(source.violation(number, RULE, said));
        }
    }
    violations
}

fn has_two_sentences(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    // The number of a list item, `1.`, ends nothing.
    let pairs = words.windows(2).enumerate();
    pairs
        .filter(|(at, pair)| *at > 0 || pair[0].starts_with(char::is_alphabetic))
        .any(|(_, pair)| ends_sentence(pair[0]) && !pair[0].ends_with(':') && begins(pair[1]))
}

fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(CLOSING);
    let is_abbreviation = ABBREVIATIONS.iter().any(|word| text.ends_with(word));
    text.ends_with(['.', '!', '?', ':']) && !text.ends_with("..") && !is_abbreviation
}

/// Returns `true` if a word can begin a sentence.
fn begins(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '[', '"', '*', '_']);
    word.starts_with(|c: char| c.is_uppercase() || c == '`')
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    fn found(page: &str) -> Vec<String> {
        expect::counted(&[("docs/a.md", page)], RULE)
    }

    #[test]
    fn sentence_on_each_line_is_clean() {
        let page =
            "# One\n\nTwo is `a. B` here.\n`three` is (four).\n\n1. Five e.g. Six.\n- seven\n";
        assert!(found(page).is_empty());
    }

    #[test]
    fn two_sentences_on_a_line_are_found() {
        assert_eq!(found("One.\n\nTwo (three). **Four**.\n"), ["docs/a.md:3"]);
        assert_eq!(found("One is `a`. `b` is two.\n"), ["docs/a.md:1"]);
    }

    #[test]
    fn sentence_on_two_lines_is_found() {
        assert_eq!(found("One is\ntwo.\n"), ["docs/a.md:1"]);
        assert_eq!(found("- one is\n  two.\n"), ["docs/a.md:1"]);
    }

    #[test]
    fn tables_and_code_are_clean() {
        assert!(found("| One. Two. |\n\n```text\nOne. Two\nthree\n```\n").is_empty());
    }

    #[test]
    fn ellipsis_and_colon_are_clean() {
        assert!(found("One .. Two and note: Three is four.\n").is_empty());
    }
}
