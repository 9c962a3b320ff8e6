//! Attributes: those of the code, and those quoted in the text of a program, an example, a page.

use proc_macro2::Group;

use crate::tokens::{line, words_of};

/// An attribute, be it in the code, in what a macro is given, or quoted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    /// Of one under a condition that switches off a check, the name of what does so.
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) has_reason: bool,
}

const SWITCHES: [&str; 2] = ["allow", "expect"];

impl Attribute {
    /// Reads the brackets of one.
    pub(crate) fn of(brackets: &Group) -> Self {
        let words = words_of(brackets.stream());
        let mut name = words.first();
        if name.is_some_and(|name| name == "cfg_attr") {
            let switch = |word: &&String| SWITCHES.contains(&word.as_str());
            name = words.iter().find(switch).or(name);
        }
        Self {
            name: name.cloned().unwrap_or_default(),
            line: line(brackets.span()),
            has_reason: words.iter().any(|word| word == "reason"),
        }
    }
}

/// The attributes `allow` and `expect` that a text shows whole; it begins in line `first`.
pub(crate) fn quoted(text: &str, first: usize) -> Vec<Attribute> {
    let openings = ["#[", "#!["].into_iter();
    let starts = openings.flat_map(|opening| {
        let found = text.match_indices(opening);
        found.map(move |(at, _)| at + opening.len())
    });
    let one = |at| {
        let (name, rest) = text[at..].split_once('(')?;
        let (lints, _) = rest.split_once(")]")?;
        SWITCHES.contains(&name).then(|| Attribute {
            name: name.to_owned(),
            line: first + text[..at].matches('\n').count(),
            has_reason: lints.contains("reason"),
        })
    };
    starts.filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::{Attribute, quoted};

    // In halves, so that the rule about reasons does not find them here.
    const ALLOW: &str = concat!("#[", "allow(dead_code)]");
    const EXPECT: &str = concat!("#![", "expect(unused)]");

    #[test]
    fn attributes_are_found_where_they_stand() {
        let found = |name: &str, line| Attribute {
            name: name.to_owned(),
            line,
            has_reason: false,
        };
        let text = format!("\"\n{ALLOW}\nfn f() {{}}\n{EXPECT}\"");
        assert_eq!(quoted(&text, 7), [found("allow", 8), found("expect", 10)]);
    }

    #[test]
    fn reason_is_seen() {
        let text = ALLOW.replace(")]", ", reason = \"shown\")]");
        assert!(quoted(&text, 1)[0].has_reason);
    }

    #[test]
    fn part_of_an_attribute_is_none() {
        assert!(quoted("\"#[allow(\"", 1).is_empty());
        assert!(quoted("\"allow(dead_code)]\"", 1).is_empty());
    }
}
