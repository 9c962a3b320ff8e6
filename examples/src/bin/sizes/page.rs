//! The page of the book that shows the table.

use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- sizes: begin -->\n";
const END: &str = "<!-- sizes: end -->\n";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/sizes.md")
}

/// Returns the text before, between and after the markers.
fn parts(page: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (between, behind) = rest.split_once(END)?;
    Some((before, between, behind))
}

fn read() -> Result<String, String> {
    fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))
}

/// Puts the table between the markers.
pub(crate) fn write(table: &str) -> Result<(), String> {
    let page = read()?;
    let (before, _, behind) = parts(&page).ok_or("the page has lost its markers")?;
    let page = format!("{before}{BEGIN}\n{table}\n{END}{behind}");
    fs::write(path(), page).map_err(|error| format!("{}: {error}", path().display()))
}

/// Compares the text between the markers with the table.
pub(crate) fn check(table: &str) -> Result<(), String> {
    let page = read()?;
    let (_, between, _) = parts(&page).ok_or("the page has lost its markers")?;
    if between.trim() == table.trim() {
        Ok(())
    } else {
        Err("the book shows other sizes: run with --write".to_owned())
    }
}
