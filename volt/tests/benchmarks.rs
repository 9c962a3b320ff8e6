//! Compares the benchmark rows of the README and the summary of the book with the table.

#[path = "../benches/executors/summary.rs"]
mod summary;

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).unwrap()
}

fn page() -> String {
    read("book/src/benchmarks.md")
}

/// Returns the names in the first column of a block, without its head and its mean.
fn names(block: &str) -> Vec<&str> {
    let rows = block.lines().filter_map(|line| line.strip_prefix("| "));
    let names: Vec<&str> = rows
        .filter_map(|row| Some(row.split_once(" |")?.0))
        .collect();
    let [_workload, _rule, rows @ .., _mean] = names.as_slice() else {
        panic!("no table in {block}");
    };
    rows.to_vec()
}

#[test]
fn readme_table_equals_rows_of_the_page() {
    let (readme, page) = (read("README.md"), page());
    let [_, block, _] = summary::parts(&readme).unwrap();
    let names = names(block);
    assert!((5..=8).contains(&names.len()), "{names:?}");
    let expected = summary::block(&page, &names);
    let command = "cargo bench -p volt-async --bench executors -- --book writes both";
    assert_eq!(Some(block), expected.as_deref(), "{command}");
    assert_eq!(Some(&readme), summary::put(&readme, block).as_ref());
}

#[test]
fn page_names_the_rows_below_one() {
    let page = page();
    let leads = page.lines().filter_map(|line| {
        let mut cells = line.strip_suffix("× |")?.split('|').map(str::trim);
        Some((cells.nth(1)?, cells.next_back()?))
    });
    let behind = leads
        .filter(|(name, lead)| *name != "geometric mean" && lead.parse::<f64>().unwrap() < 1.0);
    let behind: Vec<String> = behind
        .map(|(name, lead)| format!("{name} {lead}×"))
        .collect();
    let expected = match behind.as_slice() {
        [] => "\nBehind: none.\n".to_owned(),
        behind => format!("\nBehind:\n\n- {}\n", behind.join("\n- ")),
    };
    assert!(page.contains(&expected), "expected {expected}");
}

const PAGE: &str = "\
| workload | volt | tokio | others | x | lead |
| --- | ---: | ---: | ---: | --- | ---: |
| a | 1 | 2 | 3 | rayon 4 | 2.00× |
| b | 4 | 3 | 5 |  | 0.75× |
| c | 4 | – | – |  | – |
| geometric mean | | | | | 1.22× |
";

#[test]
fn block_contains_the_named_rows_only() {
    let expected = "
| workload | volt | tokio | others | lead |
| --- | ---: | ---: | ---: | ---: |
| b | 4 | 3 | 5 | 0.75× |
| geometric mean |  |  |  | 1.22× |

Ahead or level in 1 of 2 rows, behind in 1: the page names them.

";
    assert_eq!(summary::block(PAGE, &["b"]).as_deref(), Some(expected));
}

#[test]
fn block_changes_with_its_figures() {
    let other = PAGE.replace("| b | 4 |", "| b | 2 |");
    assert_ne!(summary::block(PAGE, &["b"]), summary::block(&other, &["b"]));
}

#[test]
fn block_with_an_unknown_row_is_rejected() {
    assert_eq!(summary::block(PAGE, &["d"]), None);
}
