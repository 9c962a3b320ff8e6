//! The prose of a file: the comments of Rust code, and the text of a Markdown page.
//!
//! Code is left out: fenced blocks, code spans, and the targets of links.

/// One line of a comment or a page.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) number: usize,
    /// The text after the comment marker.
    pub(crate) text: String,
    /// `true` for a fence and for the lines that it encloses.
    pub(crate) is_code: bool,
    /// `true` if the comment is alone on its line. Lines of pages are.
    pub(crate) is_whole: bool,
}

/// Lines that belong together, with code spans and link targets removed.
#[derive(Debug)]
pub(crate) struct Paragraph {
    /// The number of the first line.
    pub(crate) number: usize,
    /// One line of text for each line of the paragraph.
    pub(crate) text: String,
}

impl Paragraph {
    /// Returns the number of the line that contains the byte at `offset`.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.number + self.text[..offset].matches('\n').count()
    }
}

/// Returns the lines of prose of a Rust file or a page, and none of any other file.
pub(crate) fn lines(path: &str, text: &str) -> Vec<Line> {
    let page = (1..).zip(text.lines());
    let mut lines = match path.rsplit_once('.') {
        Some((_, "rs")) => comments(text),
        Some((_, "md")) => page
            .map(|(number, text)| line(number, text, true))
            .collect(),
        _ => Vec::new(),
    };
    mark_code(&mut lines);
    lines
}

/// Returns the prose of a file in paragraphs.
pub(crate) fn paragraphs(lines: &[Line]) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut is_open = false;
    let mut next = 0;
    for line in lines {
        let text = without_code(&line.text);
        let is_prose = !line.is_code && !text.trim().is_empty() && !is_target(&text);
        is_open &= is_prose && line.is_whole && line.number == next && !begins_item(&text);
        next = line.number + 1;
        match paragraphs.last_mut() {
            Some(last) if is_open => {
                last.text.push('\n');
                last.text.push_str(&text);
            }
            _ if is_prose => paragraphs.push(Paragraph {
                number: line.number,
                text,
            }),
            _ => {}
        }
        is_open = is_prose && !is_alone(&line.text);
    }
    paragraphs
}

fn line(number: usize, text: &str, is_whole: bool) -> Line {
    Line {
        number,
        text: text.to_owned(),
        is_code: false,
        is_whole,
    }
}

/// Marks fenced blocks. A fence ends with its block of comments at the latest.
fn mark_code(lines: &mut [Line]) {
    let mut is_inside = false;
    let mut next = 0;
    for line in lines {
        is_inside &= line.number == next;
        next = line.number + 1;
        let is_fence = line.text.trim_start().starts_with("```");
        line.is_code = is_inside || is_fence;
        is_inside ^= is_fence;
    }
}

/// A definition of a link: `[name]: target`.
fn is_target(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('[') && text.contains("]: ")
}

/// A list item, a heading or a row of a table.
fn begins_item(text: &str) -> bool {
    let text = text.trim_start();
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < text.len() && number.starts_with(". ");
    is_numbered
        || ["- ", "* ", "#", "|", "> "]
            .iter()
            .any(|mark| text.starts_with(mark))
}

/// A heading or a row of a table, which the next line does not continue.
fn is_alone(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('#') || text.starts_with('|')
}

/// Replaces code spans by two backticks, and drops the targets of links and addresses.
fn without_code(text: &str) -> String {
    let mut kept = String::new();
    for (at, part) in text.split('`').enumerate() {
        match at % 2 {
            0 => kept.push_str(part),
            _ => kept.push_str("``"),
        }
    }
    for (opening, closing) in [("](", ')'), ("<http", '>')] {
        while let Some(start) = kept.find(opening) {
            let rest = &kept[start..];
            let end = rest.find(closing).map_or(rest.len(), |end| end + 1);
            let text = if opening == "](" { "]" } else { "" };
            kept.replace_range(start..start + end, text);
        }
    }
    kept
}

/// The comments of Rust code, without their markers. Block comments are not read.
fn comments(text: &str) -> Vec<Line> {
    let mut comments = Vec::new();
    let mut rest = text;
    let mut number = 1;
    let mut is_whole = true;
    let mut before = '\n';
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, before);
        let token = &rest[..length];
        if let Some(comment) = token.strip_prefix("//") {
            let comment = comment.strip_prefix(['/', '!']).unwrap_or(comment);
            let comment = comment.strip_prefix(' ').unwrap_or(comment);
            comments.push(line(number, comment, is_whole));
        }
        is_whole = first == '\n' || (is_whole && first.is_whitespace());
        number += token.matches('\n').count();
        before = token.chars().next_back().unwrap_or(first);
        rest = &rest[length..];
    }
    comments
}

/// Returns the length of the comment, the literal or the character that `text` begins with.
fn token_length(text: &str, before: char) -> usize {
    let is_word = before.is_alphanumeric() || before == '_';
    let first = text.chars().next().map_or(0, char::len_utf8);
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    if text.starts_with('"') {
        return string_length(text);
    }
    if text.starts_with('r') && (!is_word || before == 'b') {
        return raw_string_length(text).unwrap_or(first);
    }
    if text.starts_with('\'') {
        return character_length(text).unwrap_or(first);
    }
    first
}

fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

fn raw_string_length(text: &str) -> Option<usize> {
    let marks = text[1..].chars().take_while(|c| *c == '#').count();
    let body = text[1 + marks..].strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(marks));
    let end = body.find(&closing)?;
    Some(1 + marks + 1 + end + closing.len())
}

/// `None` for a lifetime.
fn character_length(text: &str) -> Option<usize> {
    let mut rest = text.char_indices().skip(1);
    let (_, value) = rest.next()?;
    if value == '\\' {
        rest.next();
        return text.get(3..)?.find('\'').map(|end| 3 + end + 1);
    }
    rest.next()
        .filter(|(_, c)| *c == '\'')
        .map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{lines, paragraphs};

    fn texts(path: &str, text: &str) -> Vec<(usize, String)> {
        let found = paragraphs(&lines(path, text)).into_iter();
        found
            .map(|paragraph| (paragraph.number, paragraph.text))
            .collect()
    }

    fn rust(text: &str) -> Vec<(usize, String)> {
        texts("volt/src/a.rs", text)
    }

    #[test]
    fn comment_lines_form_a_paragraph() {
        let found = rust("//! One\n//! two.\n//!\n//! Three.\nfn f() {} // four\n");
        let expected = [(1, "One\ntwo."), (4, "Three."), (5, "four")];
        let expected = expected.map(|(line, text)| (line, text.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn slashes_in_literals_are_not_comments() {
        let text = "const A: &str = \"// a\\\" // b\";\nconst B: &str = r#\"// \"c\" // d\"#;\n\
                    fn f<'a>(c: char) -> bool { c == '\"' || c == '\\'' } // e\n";
        assert_eq!(rust(text), [(3, "e".to_owned())]);
    }

    #[test]
    fn fenced_code_is_left_out() {
        let text = "/// One.\n/// ```\n/// // two\n/// ```\n/// Three.\nfn f() {}\n";
        let found = rust(text);
        assert_eq!(found, [(1, "One.".to_owned()), (5, "Three.".to_owned())]);
    }

    #[test]
    fn spans_and_targets_are_left_out() {
        let page = "One `two` [three](four.md).\n\n[five]: six.md\n";
        let found = texts("README.md", page);
        assert_eq!(found, [(1, "One `` [three].".to_owned())]);
    }

    #[test]
    fn items_headings_and_rows_are_apart() {
        let page = "# One\nTwo\n- three\n  four\n1. five\n\n| six |\n| seven |\n";
        let numbers: Vec<usize> = texts("README.md", page)
            .into_iter()
            .map(|found| found.0)
            .collect();
        assert_eq!(numbers, [1, 2, 3, 5, 7, 8]);
    }

    #[test]
    fn other_files_have_no_prose() {
        assert!(texts("Cargo.toml", "# One\n").is_empty());
    }
}
