//! The page of the book that shows the table of instructions.

use std::fs;
use std::path::Path;

use crate::table::Table;

const PAGE: &str = "../book/src/sizes.md";
const BEGIN: &str = "<!-- polls: begin -->\n";
const END: &str = "<!-- polls: end -->\n";

/// Puts the table between the markers.
pub(crate) fn write(counts: &Table) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let said = |error| format!("{}: {error}", path.display());
    let page = fs::read_to_string(&path).map_err(said)?;
    let (before, rest) = page
        .split_once(BEGIN)
        .ok_or("the page has lost its markers")?;
    let (_, behind) = rest
        .split_once(END)
        .ok_or("the page has lost its markers")?;
    let page = format!("{before}{BEGIN}\n{counts}\n{END}{behind}");
    fs::write(&path, page).map_err(said)
}
