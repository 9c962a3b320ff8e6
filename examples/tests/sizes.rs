//! The book's table of sizes is the one that the tool prints, and no machine is larger.

use std::process::Command;

#[test]
fn printed_table_equals_table_of_the_book() {
    let tool = Command::new(env!("CARGO_BIN_EXE_sizes"))
        .arg("--check")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tool.stderr);
    assert!(tool.status.success(), "{said}");
    let printed = String::from_utf8_lossy(&tool.stdout);
    assert!(printed.contains("larger in 0"), "{printed}");
}

#[test]
fn table_printed_holds_fifty_functions() {
    let tool = Command::new(env!("CARGO_BIN_EXE_sizes")).output().unwrap();
    let printed = String::from_utf8_lossy(&tool.stdout);
    let rows = printed.lines().filter(|line| line.starts_with("| `"));
    assert!(rows.count() >= 50, "{printed}");
}
