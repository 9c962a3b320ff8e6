//! The chart of compile time.

use std::error::Error;
use std::fs;
use std::path::Path;

use super::ratios;
use crate::charts::dots::{Dots, Group};
use crate::charts::scale::Scale;
use crate::table;

const DESCRIPTION: &str = "Processor time to compile a library of functions with an attribute, \
    divided by that of plain async functions. Marks are medians; lines and bands are \
    interquartile ranges. The table has the same figures.";

/// The time of each command as a multiple of that of plain functions.
pub(crate) fn chart(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("src/sizes.md"))?;
    let text = table::marked(&page, "compile time").ok_or("the table of times is missing")?;
    let rows = table::rows(text, 7);
    let rows = rows.iter().filter_map(|cells| {
        let plain = table::figure(cells[1])?;
        ratios::row(cells[0], &plain, &ratios::figures(cells, &[2, 3, 4, 5]))
    });
    let group = Group {
        heading: "functions with two awaits",
        rows: rows.collect(),
    };
    if group.rows.is_empty() {
        return Err("the table of compile time has no rows".into());
    }
    let chart = Dots {
        title: "Compile time of functions with attributes",
        description: DESCRIPTION,
        reference: Some("plain"),
        series: &["async_trait", "tracing::instrument", "native", "machine"],
        scale: Scale {
            least: 0.7,
            most: 40.0,
            ticks: &[1.0, 2.0, 5.0, 10.0, 20.0],
        },
        notes: &[
            "mark: median, line and band: interquartile range",
            "processor time, in multiples of that of plain functions →",
        ],
        groups: vec![group],
    };
    Ok(chart.draw())
}
