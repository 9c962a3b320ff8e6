//! The page of the book with the table of instructions.

use std::fs;
use std::path::Path;

use crate::table::Table;

const PAGE: &str = "../book/src/sizes.md";
const BEGIN: &str = "<!-- polls: begin -->\n";
const END: &str = "<!-- polls: end -->\n";

/// Writes the table between the markers of the page.
pub(crate) fn write(counts: &Table) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let describe = |error| format!("{}: {error}", path.display());
    let page = fs::read_to_string(&path).map_err(describe)?;
    let (before, rest) = page
        .split_once(BEGIN)
        .ok_or("the page has lost its markers")?;
    let (_, after) = rest
        .split_once(END)
        .ok_or("the page has lost its markers")?;
    let page = format!("{before}{BEGIN}\n{counts}\n{END}{after}");
    fs::write(&path, page).map_err(describe)
}
