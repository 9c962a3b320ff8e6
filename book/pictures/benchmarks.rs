//! The charts of the benchmark pages.

use std::error::Error;
use std::path::Path;
use std::{fs, io};

use crate::charts::bars::{Bar, Chart, Row, Scale};
use crate::charts::dots::{self, Dot, Dots, Group};
use crate::table;

/// The rows of the chart of sizes.
const SIZED: [&str; 6] = [
    "`argument_across_an_await`",
    "`four_questions`",
    "`borrowed_but_dead`",
    "`handle_request`",
    "`read_frame`",
    "`echo`",
];

/// The contestants in a table of joins, next to volt's.
const JOINED: [&str; 5] = [
    "volt array",
    "volt Vec",
    "tokio join!",
    "futures join_all",
    "futures FuturesUnordered",
];

const DESCRIPTION: &str = "Each figure of tokio and of async-executor is divided by volt's median. \
    Marks are medians; lines and bands are interquartile ranges. \
    Above one, volt is faster or smaller. The table has the same figures.";

/// The figures of each workload as multiples of volt's. Rows in which volt is behind are first.
pub(crate) fn executors(book: &Path) -> Result<String, Box<dyn Error>> {
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
    let rows = rows
        .iter()
        .filter(|cells| wanted.iter().any(|row| row[0] == cells[0]));
    contest("volt compared with other executors, five rows", rows)
}

/// A chart of rows: workload, volt, tokio, async-executor, others, lead.
fn contest<'a>(
    title: &'static str,
    rows: impl Iterator<Item = &'a Vec<&'a str>>,
) -> Result<String, Box<dyn Error>> {
    let (mut behind, mut ahead) = (Vec::new(), Vec::new());
    for cells in rows {
        let lead = cells[5]
            .strip_suffix('×')
            .and_then(|lead| lead.parse().ok());
        let (Some(lead), Some(row)) = (lead, ratios(cells)) else {
            continue;
        };
        let lead: f64 = lead;
        let group = if lead < 1.0 { &mut behind } else { &mut ahead };
        group.push(row);
    }
    if behind.len() + ahead.len() == 0 {
        return Err("the table of executors has no rows".into());
    }
    let groups = [
        ("volt is behind", behind),
        ("volt is level or ahead", ahead),
    ];
    let groups = groups.into_iter().filter(|(_, rows)| !rows.is_empty());
    let chart = Dots {
        title,
        description: DESCRIPTION,
        reference: "volt",
        series: ["tokio", "async-executor"],
        groups: groups
            .map(|(heading, rows)| Group { heading, rows })
            .collect(),
    };
    Ok(chart.draw())
}

/// A row of the chart, if the line has figures of volt and of another contestant.
fn ratios(cells: &[&str]) -> Option<dots::Row> {
    let volt = table::figure(cells[1])?;
    let dots = [2, 3].into_iter().filter_map(|column| {
        let figure = table::figure(cells[column])?;
        let value = figure.value / volt.value;
        Some(Dot {
            series: column - 2,
            value,
            spread: value * figure.spread,
        })
    });
    let dots: Vec<Dot> = dots.collect();
    (!dots.is_empty()).then(|| dots::Row {
        title: cells[0].to_owned(),
        band: volt.spread,
        dots,
    })
}

/// The bytes of some functions: compiled, native, and with the attribute alone.
pub(crate) fn sizes(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("src/sizes.md"))?;
    let table = table::rows(&page, 4);
    let mut rows = Vec::new();
    for name in SIZED {
        let cells = table.iter().find(|cells| cells[0] == name);
        let cells = cells.ok_or_else(|| format!("the page of sizes lacks {name}"))?;
        let bars = (0..3).map(|series| {
            let bytes: f64 = cells[series + 1].parse()?;
            Ok(Bar {
                series,
                value: bytes,
                label: format!("{bytes}"),
            })
        });
        let bars = bars.collect::<Result<_, std::num::ParseFloatError>>()?;
        rows.push(Row {
            title: name.trim_matches('`').to_owned(),
            bars,
        });
    }
    let chart = Chart {
        series: &["compiler", "native", "with the attribute"],
        rows,
        scale: Scale::Linear(3000.0),
    };
    chart.draw()
}

/// The rows of joins one by one: number of children, contestant, nanoseconds and the other cells.
fn joins(page: &str) -> Vec<Vec<&str>> {
    let section = page
        .split("\n## ")
        .find(|part| part.starts_with("Joins, one by one"));
    table::rows(section.unwrap_or_default(), 7)
}

/// The time of joins of eight, as a multiple of volt's array.
pub(crate) fn joins_of_eight(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("../docs/performance/combinators.md"))?;
    let eight: Vec<_> = joins(&page)
        .into_iter()
        .filter(|cells| cells[0] == "8")
        .collect();
    let nanos = |cells: &[&str]| cells[2].parse::<f64>();
    let volt = eight.iter().find(|cells| cells[1] == "volt array");
    let volt = nanos(volt.ok_or("the table lacks `volt array`")?)?;
    let mut rows = Vec::new();
    for cells in &eight {
        let value = nanos(cells)? / volt;
        let series = usize::from(!cells[1].starts_with("volt"));
        let label = format!("{value:.2}");
        let bars = vec![Bar {
            series,
            value,
            label,
        }];
        rows.push(Row {
            title: cells[1].to_owned(),
            bars,
        });
    }
    let scale = Scale::Ratio(0.5, 12.0);
    Chart {
        series: &["volt", "others"],
        rows,
        scale,
    }
    .draw()
}

/// Writes ten rows of the joins into the book.
pub(crate) fn write_joins(book: &Path) -> Result<(), Box<dyn Error>> {
    let data = fs::read_to_string(book.join("../docs/performance/combinators.md"))?;
    let path = book.join("src/combinator-costs.md");
    let page = fs::read_to_string(&path)?;
    let mut text = String::from(
        "| n | contestant | ns | polls | allocations | peak bytes | size |\n\
         | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let wanted = joins(&data)
        .into_iter()
        .filter(|cells| ["8", "1024"].contains(&cells[0]) && JOINED.contains(&cells[1]));
    for cells in wanted {
        text += &format!("| {} |\n", cells.join(" | "));
    }
    let page = table::between(&page, "joins", &text);
    let page = page.ok_or_else(|| io::Error::other("the page of joins has lost its marks"))?;
    fs::write(path, page)?;
    Ok(())
}
