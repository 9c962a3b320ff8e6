//! The catalogue of refusals is whole: each rule has its row in the book and its case.

use std::fs;
use std::path::Path;

/// The rules, as the macro declares them.
fn rules() -> Vec<String> {
    let source = read("../volt-macros/src/state_machine/rule.rs");
    let file = syn::parse_file(&source).expect("Rust");
    let found = file.items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == "Rule" => Some(item),
        _ => None,
    });
    let variants = &found.expect("the enum of rules").variants;
    variants.iter().map(|rule| rule.ident.to_string()).collect()
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// `await-in-for` for `AwaitInFor`.
fn words(rule: &str, between: char) -> String {
    let mut words = String::new();
    for letter in rule.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(between);
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[test]
fn each_rule_has_a_row_in_the_book() {
    let page = read("../book/src/refusals.md");
    let missing = rules().into_iter().filter(|rule| {
        let anchor = words(rule, '-');
        !page.contains(&format!("| <a id=\"{anchor}\"></a>"))
    });
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn each_row_in_the_book_is_that_of_a_rule() {
    let page = read("../book/src/refusals.md");
    let anchors = page.split("<a id=\"").skip(1);
    let anchors = anchors.map(|rest| rest.split('"').next().unwrap());
    let known: Vec<_> = rules().iter().map(|rule| words(rule, '-')).collect();
    let unknown = anchors.filter(|anchor| !known.iter().any(|known| known == anchor));
    assert_eq!(unknown.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn each_rule_has_a_case_that_breaks_it() {
    // Doubts have tests of the macro itself, which ask which rule is broken.
    let doubts = read("../volt-macros/src/tests/doubt.rs");
    for rule in rules() {
        if doubts.contains(&format!("Rule::{rule}")) {
            continue;
        }
        let said = read(&format!("tests/refuse/{}.stderr", words(&rule, '_')));
        let link = format!("= book: refusals.md#{}\n", words(&rule, '-'));
        assert!(said.contains(&link), "{rule}");
    }
}
