//! The chart of durable steps.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::charts::dots::{Dot, Dots, Group, Row};
use crate::charts::scale::Scale;
use crate::table;

const DESCRIPTION: &str = "Steps per second of volt-durable, dbos and durare on one PostgreSQL \
    server. More is better. With a load of 3 to 7, marks are medians of three rounds, and lines \
    are their ranges. With a load of 20 and 22, lines join two runs. \
    The tables have the same figures.";

/// Steps per second of each engine.
pub(crate) fn chart(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("../docs/performance/durable-steps.md"))?;
    let group = |heading, rows: Vec<Row>| Group { heading, rows };
    let loaded = table::rows(&page, 5);
    let loaded = loaded.iter().filter_map(|cells| row(cells, 1, two_runs));
    let quiet = table::rows(&page, 6);
    let quiet = quiet.iter().filter_map(|cells| row(cells, 2, three_rounds));
    let groups = vec![
        group("load 20 and 22: two runs", loaded.collect()),
        group(
            "load 3 to 7: median and range of three rounds",
            quiet.collect(),
        ),
    ];
    if groups.iter().any(|group| group.rows.is_empty()) {
        return Err("a table of durable steps has no rows".into());
    }
    let chart = Dots {
        title: "Steps per second of durable engines",
        description: DESCRIPTION,
        reference: None,
        series: &["dbos 0.5.0", "durare 0.5.0", "volt-durable"],
        scale: Scale {
            least: 50.0,
            most: 50_000.0,
            ticks: &[100.0, 1000.0, 10_000.0],
        },
        notes: &["steps per second; more is better →"],
        groups,
    };
    Ok(chart.draw())
}

/// A row whose first engine, volt-durable, is in the column `first`.
fn row(cells: &[&str], first: usize, read: fn(&str) -> Option<[f64; 3]>) -> Option<Row> {
    let series = [(0, first + 1), (1, first + 2), (2, first)];
    let dots = series.into_iter().map(|(series, column)| {
        let [value, low, high] = read(cells[column])?;
        Some(Dot {
            series,
            value,
            low,
            high,
        })
    });
    let noun = if cells[0] == "1" {
        "workflow"
    } else {
        "workflows"
    };
    Some(Row {
        title: format!("{} {noun}", cells[0]),
        band: 0.0,
        dots: dots.collect::<Option<_>>()?,
    })
}

/// Reads `2,337 (2,220 to 2,393)`: median, least, most.
fn three_rounds(cell: &str) -> Option<[f64; 3]> {
    let (median, range) = cell.strip_suffix(')')?.split_once(" (")?;
    let (low, high) = range.split_once(" to ")?;
    Some([number(median)?, number(low)?, number(high)?])
}

/// Reads `138 and 76`: the mean, the less, the more.
fn two_runs(cell: &str) -> Option<[f64; 3]> {
    let (one, other) = cell.split_once(" and ")?;
    let (one, other) = (number(one)?, number(other)?);
    Some([f64::midpoint(one, other), one.min(other), one.max(other)])
}

fn number(text: &str) -> Option<f64> {
    text.replace(',', "").parse().ok()
}
