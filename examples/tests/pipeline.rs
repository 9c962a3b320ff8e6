//! Counts words beside the pipeline.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::process::Command;

fn pipeline(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pipeline"))
        .args(arguments)
        .output();
    let output = output.expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn words_are_counted() {
    // More than a pipe holds.
    let sentence = "the cat and the dog and the other cat\n";
    let file = std::env::temp_dir().join(format!("volt-pipeline-{}", std::process::id()));
    std::fs::write(&file, sentence.repeat(20_000)).expect("written");
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for word in sentence.split_whitespace() {
        *counts.entry(word).or_default() += 20_000;
    }
    let mut expected: Vec<_> = counts.into_iter().collect();
    expected.sort_by_key(|&(word, count)| (std::cmp::Reverse(count), word));
    let expected: Vec<String> = expected[..3]
        .iter()
        .map(|(word, count)| format!("{count} {word}\n"))
        .collect();
    let (success, text, error) = pipeline(&["--top", "3", file.to_str().expect("text")]);
    std::fs::remove_file(&file).expect("removed");
    assert!(success, "{error}");
    assert_eq!(text, expected.concat());
}

#[test]
fn limit_ends_all_programs() {
    let (success, _, error) = pipeline(&["--limit", "0"]);
    assert!(!success);
    assert!(error.contains("pipeline: "), "{error}");
}
