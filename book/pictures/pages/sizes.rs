//! The chart of sizes.

use std::error::Error;
use std::fs;
use std::num::ParseFloatError;
use std::path::Path;

use crate::charts::bars::{Bar, Chart, Row};
use crate::table;

/// The rows of the chart.
const SIZED: [&str; 6] = [
    "`argument_across_an_await`",
    "`four_questions`",
    "`borrowed_but_dead`",
    "`handle_request`",
    "`read_frame`",
    "`echo`",
];

/// The bytes of some functions: compiled, native, and with the attribute alone.
pub(crate) fn chart(book: &Path) -> Result<String, Box<dyn Error>> {
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
        let bars = bars.collect::<Result<_, ParseFloatError>>()?;
        rows.push(Row {
            title: name.trim_matches('`').to_owned(),
            bars,
        });
    }
    let chart = Chart {
        series: &["compiler", "native", "with the attribute"],
        rows,
        most: 3000.0,
    };
    chart.draw()
}
