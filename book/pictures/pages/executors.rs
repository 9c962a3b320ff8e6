//! The charts of the executors.

use std::error::Error;
use std::fs;
use std::path::Path;

use super::ratios;
use crate::charts::dots::{Dots, Row};
use crate::charts::scale::MULTIPLES;
use crate::table;

const DESCRIPTION: &str = "Each figure of tokio and of async-executor is divided by volt's median. \
    Marks are medians; lines and bands are interquartile ranges. \
    Above one, volt is faster or smaller. The table has the same figures.";

/// The figures of each workload as multiples of volt's. Rows in which volt is behind are first.
pub(crate) fn all(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("src/benchmarks.md"))?;
    let rows = table::rows(&page, 6);
    // The tails have no spread, and the table has them all.
    let rows = rows.iter().filter(|cells| !cells[0].contains("p99"));
    contest("volt compared with other executors", rows)
}

/// The rows of the README.
pub(crate) fn summary(book: &Path) -> Result<String, Box<dyn Error>> {
    let readme = fs::read_to_string(book.join("../README.md"))?;
    let wanted = table::rows(&readme, 5);
    let page = fs::read_to_string(book.join("src/benchmarks.md"))?;
    let rows = table::rows(&page, 6);
    let is_wanted = |cells: &&Vec<&str>| wanted.iter().any(|row| row[0] == cells[0]);
    let rows = rows.iter().filter(is_wanted);
    contest("volt compared with other executors, five rows", rows)
}

/// A chart of rows: workload, volt, tokio, async-executor, others, lead.
fn contest<'a>(
    title: &'static str,
    rows: impl Iterator<Item = &'a Vec<&'a str>>,
) -> Result<String, Box<dyn Error>> {
    let headings = ["volt is behind", "volt is level or ahead"];
    let groups = ratios::groups(headings, rows.filter_map(|cells| row(cells)));
    if groups.is_empty() {
        return Err("the table of executors has no rows".into());
    }
    let chart = Dots {
        title,
        description: DESCRIPTION,
        reference: Some("volt"),
        series: &["tokio", "async-executor"],
        scale: MULTIPLES,
        notes: &[
            "mark: median, line and band: interquartile range",
            "← less than volt · more than volt, in multiples of volt →",
        ],
        groups,
    };
    Ok(chart.draw())
}

/// A row of the chart, and whether volt is behind in it.
fn row(cells: &[&str]) -> Option<(bool, Row)> {
    let lead: f64 = cells[5].strip_suffix('×')?.parse().ok()?;
    let volt = table::figure(cells[1])?;
    let row = ratios::row(cells[0], &volt, &ratios::figures(cells, &[2, 3]))?;
    Some((lead < 1.0, row))
}
