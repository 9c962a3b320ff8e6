//! The chart of the combinators, and the rows of their page in the book.

use std::error::Error;
use std::path::Path;
use std::{fs, io};

use super::ratios;
use crate::charts::dots::{Dots, Row};
use crate::charts::scale::Scale;
use crate::table;

/// The contestants of the book's table.
const JOINED: [&str; 5] = [
    "volt array",
    "volt Vec",
    "tokio join!",
    "futures join_all",
    "futures FuturesUnordered",
];

/// The series of the chart, and their names in the sections of joins and of races.
const SERIES: [(&str, [&str; 2]); 4] = [
    ("tokio join!, select!", ["tokio join!", "tokio select!"]),
    (
        "futures join_all, select_all",
        ["futures join_all", "futures select_all"],
    ),
    ("FuturesUnordered", ["futures FuturesUnordered"; 2]),
    (
        "futures-buffered",
        ["futures-buffered join_all", "futures-buffered Unordered"],
    ),
];

/// The rows of the chart: section and number of children.
const ROWS: [(&str, &str); 9] = [
    ("Joins, one by one", "8"),
    ("Joins, one by one", "64"),
    ("Joins, one by one", "1024"),
    ("Joins, all woken at once", "8"),
    ("Joins, all woken at once", "1024"),
    ("Joins, ready from the start", "8"),
    ("Joins, ready from the start", "64"),
    ("Races, the first one woken wins", "8"),
    ("Races, the last one woken wins", "8"),
];

const DESCRIPTION: &str = "Times of combinators, divided by the median of volt's array or, from 64 \
    children on, of volt's Vec. Marks are medians; lines and bands are interquartile ranges. \
    Above one, volt is faster. docs/performance/combinators.md has all rows.";

/// The times of the peers as multiples of volt's.
pub(crate) fn chart(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("../docs/performance/combinators.md"))?;
    let mut rows = Vec::new();
    for (section, children) in ROWS {
        let row = row(&page, section, children);
        rows.push(row.ok_or_else(|| format!("{section}, {children}: a figure is missing"))?);
    }
    let is_behind = |row: &Row| row.dots.iter().any(|dot| dot.value < 1.0);
    let rows = rows.into_iter().map(|row| (is_behind(&row), row));
    let chart = Dots {
        title: "Combinators of volt compared with others",
        description: DESCRIPTION,
        reference: Some("volt"),
        series: &SERIES.map(|(name, _)| name),
        scale: Scale {
            least: 0.3,
            most: 50.0,
            ticks: &[0.5, 1.0, 2.0, 5.0, 10.0, 20.0],
        },
        notes: &[
            "mark: median, line and band: interquartile range",
            "← less time than volt · more time than volt, in multiples →",
        ],
        groups: ratios::groups(["volt is behind a peer", "volt is ahead of all"], rows),
    };
    Ok(chart.draw())
}

fn row(page: &str, title: &str, children: &str) -> Option<Row> {
    let rows = section(page, title);
    let figure = |name: &str| {
        let cells = rows
            .iter()
            .find(|cells| cells[0] == children && cells[1] == name)?;
        table::figure(cells[2])
    };
    let kind = usize::from(title.starts_with("Races"));
    let volt = figure("volt array").or_else(|| figure("volt Vec"))?;
    let peers = SERIES.map(|(_, names)| figure(names[kind]));
    ratios::row(&format!("{title}: {children}"), &volt, &peers)
}

/// The rows of a section: number of children, contestant, time and the other cells.
fn section<'a>(page: &'a str, title: &str) -> Vec<Vec<&'a str>> {
    let section = page.split("\n## ").find(|part| part.starts_with(title));
    table::rows(section.unwrap_or_default(), 7)
}

/// Writes some rows of the joins into the book.
pub(crate) fn write_joins(book: &Path) -> Result<(), Box<dyn Error>> {
    let path = book.join("src/combinator-costs.md");
    let page = fs::read_to_string(&path)?;
    fs::write(path, with_joins(book, &page)?)?;
    Ok(())
}

/// The page of the book with the rows of the joins as the table has them.
pub(crate) fn with_joins(book: &Path, page: &str) -> Result<String, Box<dyn Error>> {
    let data = fs::read_to_string(book.join("../docs/performance/combinators.md"))?;
    let mut text = String::from(
        "| n | contestant | time | polls | allocations | peak bytes | size |\n\
         | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let is_wanted =
        |cells: &Vec<&str>| ["8", "1024"].contains(&cells[0]) && JOINED.contains(&cells[1]);
    for cells in section(&data, "Joins, one by one")
        .into_iter()
        .filter(is_wanted)
    {
        text += &format!("| {} |\n", cells.join(" | "));
    }
    let page = table::between(page, "joins", &text);
    Ok(page.ok_or_else(|| io::Error::other("the page of joins has lost its marks"))?)
}
