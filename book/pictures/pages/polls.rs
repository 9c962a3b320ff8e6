//! The chart of polls of machines.

use std::error::Error;
use std::fs;
use std::path::Path;

use super::ratios;
use crate::charts::dots::{Dots, Row};
use crate::charts::scale::Scale;
use crate::table;

const DESCRIPTION: &str = "The instructions of a machine, divided by those of the compiler's future \
    of the same function. They are exact, so they have no range. Below one, the machine takes \
    less. The table has the same figures.";

/// The instructions of each machine as a multiple of those of the compiler's future.
pub(crate) fn chart(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("src/sizes.md"))?;
    let text = table::marked(&page, "polls").ok_or("the table of polls is missing")?;
    let rows = table::rows(text, 4);
    let rows = rows.iter().filter_map(|cells| {
        let compiler = table::figure(cells[1])?;
        ratios::row(cells[0], &compiler, &ratios::figures(cells, &[2]))
    });
    let is_behind = |row: &Row| row.dots.iter().any(|dot| dot.value > 1.0);
    let rows = rows.map(|row| (is_behind(&row), row));
    let groups = ratios::groups(
        [
            "the machine takes more",
            "the machine takes as many or fewer",
        ],
        rows,
    );
    if groups.is_empty() {
        return Err("the table of polls has no rows".into());
    }
    let chart = Dots {
        title: "Instructions of machines compared with the compiler's futures",
        description: DESCRIPTION,
        reference: Some("compiler's future"),
        series: &["machine"],
        scale: Scale {
            least: 0.4,
            most: 1.6,
            ticks: &[0.5, 0.75, 1.0, 1.25, 1.5],
        },
        notes: &["← fewer instructions · more, in multiples of the compiler's future →"],
        groups,
    };
    Ok(chart.draw())
}
