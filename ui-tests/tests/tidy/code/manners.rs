//! Rule: no trailing white space, no note to self, no path of somebody's machine, no block of
//! documentation that is not compiled.

use crate::source::{Source, Violation, Workspace};

const WHITE: &str = "white space";
const NOTE: &str = "note";
const PATH: &str = "machine path";
const BLOCK: &str = "ignored block";

// In halves, so that this file keeps the rule that it states.
const NOTES: [&str; 3] = [
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("TO", "DO"),
];
const PATHS: [&str; 6] = [
    concat!("/", "home/"),
    concat!("/", "root/"),
    concat!("/", "Users/"),
    concat!("/", "work/"),
    concat!("/", "tmp/"),
    concat!("C:", "\\"),
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    workspace.sources.iter().flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Violation> {
    let lines = source.numbered_lines();
    let mut violations: Vec<_> = lines
        .flat_map(|(at, text)| of_line(source, at, text))
        .collect();
    violations.extend(bad_end(source));
    violations
}

fn of_line(source: &Source, at: usize, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    if text.trim_end() != text {
        let said = "white space at the end of the line: take it out".to_owned();
        violations.push(source.violation(at, WHITE, said));
    }
    if let Some(note) = NOTES.iter().find(|note| has_word(text, note)) {
        let said = format!("`{note}` speaks to its author: mend it, or file it as an issue");
        violations.push(source.violation(at, NOTE, said));
    }
    if ignores_block(text) {
        let said = "a block that is not compiled grows false: make it run, with hidden lines if \
                    need be, or call it `text` if it is no Rust";
        violations.push(source.violation(at, BLOCK, said.to_owned()));
    }
    if let Some(path) = PATHS.iter().find(|path| begins_path(text, path)) {
        let said = format!("`{path}` is a folder of one machine: build the path at run time");
        violations.push(source.violation(at, PATH, said));
    }
    violations
}

fn bad_end(source: &Source) -> Option<Violation> {
    let last = source.text.lines().count();
    let ends_well =
        source.text.is_empty() || (source.text.ends_with('\n') && !source.text.ends_with("\n\n"));
    let said = "end the file with one line break".to_owned();
    (!ends_well).then(|| source.violation(last, WHITE, said))
}

fn ignores_block(text: &str) -> bool {
    let Some((_, opening)) = text.split_once("```") else {
        return false;
    };
    let language = opening.split([' ', '"', '\\']).next();
    has_word(language.unwrap_or_default(), "ignore")
}

fn has_word(text: &str, word: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|found| found == word)
}

/// Returns `true` if `text` has `path` at the start of a path, not in the middle of a relative one.
fn begins_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || ".-_/*}".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, NOTE, NOTES, PATH, PATHS, WHITE};
    use crate::expect;

    #[test]
    fn plain_text_is_clean() {
        let text = "Relative paths like src/home/a.html and https://a.example/work/ are fine.\n";
        expect::clean(&[("README.md", text)]);
    }

    #[test]
    fn trailing_blank_is_found() {
        expect::one(&[("README.md", "One \ntwo\n")], WHITE, "README.md:1");
    }

    #[test]
    fn carriage_return_is_found() {
        expect::one(&[("README.md", "One\r\ntwo\n")], WHITE, "README.md:1");
    }

    #[test]
    fn missing_last_line_break_is_found() {
        expect::one(&[("README.md", "One\ntwo")], WHITE, "README.md:2");
    }

    #[test]
    fn empty_last_line_is_found() {
        expect::one(&[("README.md", "One\n\n")], WHITE, "README.md:2");
    }

    #[test]
    fn every_note_to_self_is_found() {
        for note in NOTES {
            let text = format!("One\n<!-- {note}: two -->\n");
            expect::one(&[("README.md", &text)], NOTE, "README.md:2");
        }
    }

    #[test]
    fn ignored_block_is_found() {
        let text = concat!("//! .\n\n/// ```", "ignore\n/// f();\n/// ```\nfn f() {}\n");
        expect::one(
            &[("examples/src/server.rs", text)],
            BLOCK,
            "examples/src/server.rs:3",
        );
    }

    #[test]
    fn compile_fail_block_is_clean() {
        expect::clean(&[("README.md", "```rust,compile_fail\nx\n```\n")]);
    }

    #[test]
    fn every_machine_path_is_found() {
        for path in PATHS {
            let text = format!("[build]\ntarget-dir = \"{path}somewhere\"\n");
            expect::one(&[("Cargo.toml", &text)], PATH, "Cargo.toml:2");
        }
    }
}
