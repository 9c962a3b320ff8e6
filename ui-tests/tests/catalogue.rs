//! The catalogue of errors is complete: each error and each fallback reason has a row in the book
//! and a case.

use std::fs;
use std::path::Path;

/// Returns the ids of all errors, and of the fallback reasons, which are errors under `explicit`.
fn all() -> Vec<String> {
    let files = ["errors/rule.rs", "fallback/reason.rs"];
    files.into_iter().flat_map(declared).collect()
}

/// The names in a catalogue of the macro's.
fn declared(file: &str) -> Vec<String> {
    let source = read(&format!("../volt-macros/src/{file}"));
    let (_, table) = source.split_once("\ncatalogue! {").expect("the table");
    let names = table.lines().filter_map(|line| line.split_once(": \""));
    let names: Vec<_> = names.map(|(name, _)| name.trim().to_owned()).collect();
    assert!(!names.is_empty(), "{file} declares nothing");
    names
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// `await-in-guard` for `AwaitInGuard`.
fn anchor(rule: &str) -> String {
    let mut words = String::new();
    for letter in rule.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[test]
fn each_reason_has_a_row_in_the_book() {
    let page = read("../book/src/refusals.md");
    let missing = all()
        .into_iter()
        .filter(|rule| !page.contains(&format!("| <a id=\"{}\"></a>", anchor(rule))));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn each_row_in_the_book_names_a_reason() {
    let page = read("../book/src/refusals.md");
    let anchors = page.split("<a id=\"").skip(1);
    let anchors = anchors.map(|rest| rest.split('"').next().expect("a name"));
    let known: Vec<_> = all().iter().map(|rule| anchor(rule)).collect();
    let unknown = anchors.filter(|anchor| !known.iter().any(|known| known == anchor));
    assert_eq!(unknown.collect::<Vec<_>>(), [""; 0]);
}

/// A fault of the macro's own, and a function that no case would be read of.
const WITHOUT_CASE: [&str; 2] = ["UnreadFunction", "TooLarge"];

#[test]
fn each_reason_has_a_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refuse");
    let files = fs::read_dir(folder).expect("the cases");
    let files = files.map(|file| file.expect("a case").path());
    let said: String = files
        .filter(|path| path.extension().is_some_and(|end| end == "stderr"))
        .map(|path| fs::read_to_string(path).expect("what is said"))
        .collect();
    let missing = all()
        .into_iter()
        .filter(|rule| {
            !said.contains(&format!(
                "= note: see book/src/refusals.md#{}\n",
                anchor(rule)
            ))
        })
        .filter(|rule| !WITHOUT_CASE.contains(&rule.as_str()));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}
