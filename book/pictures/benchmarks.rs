//! The charts of the benchmark pages.

use std::error::Error;
use std::path::Path;
use std::{fs, io};

use crate::chart::{Bar, Chart, Row, Scale};
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

/// The time of each workload, as a multiple of volt's.
pub(crate) fn executors(book: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(book.join("src/benchmarks.md"))?;
    let table = table::rows(&page, 6);
    let rows = table.iter().filter(|cells| !cells[0].contains("p99"));
    let rows = rows.filter_map(|cells| {
        let volt = table::seconds(cells[1])?;
        let ratio = |series: usize, cell: &str| {
            let value = table::seconds(cell)? / volt;
            let label = format!("{value:.2}");
            Some(Bar {
                series,
                value,
                label,
            })
        };
        let bars: Vec<Bar> = [ratio(0, cells[2]), ratio(1, cells[3])]
            .into_iter()
            .flatten()
            .collect();
        (!bars.is_empty()).then(|| Row {
            title: cells[0].to_owned(),
            bars,
        })
    });
    let chart = Chart {
        series: &["tokio / volt", "async-executor / volt"],
        rows: rows.collect(),
        scale: Scale::Ratio(0.15, 20.0),
    };
    chart.draw()
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
