//! Rows of the benchmarks' tables, as the pages have them.

/// The cells of each row with `count` cells, without the head and the rule.
pub(crate) fn rows(page: &str, count: usize) -> Vec<Vec<&str>> {
    let lines = page
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let cells = lines.map(|line| line.split('|').map(str::trim).collect());
    let rows = cells.filter(|cells: &Vec<&str>| cells.len() == count);
    rows.filter(|cells| !cells[1].contains("---") && !cells[0].contains("---"))
        .collect()
}

/// A figure of a table, in the basic unit.
pub(crate) struct Figure {
    pub(crate) value: f64,
    /// Half the interquartile range divided by the median, or 0 if the cell has none.
    pub(crate) spread: f64,
}

/// Reads a cell: `1.51 ms ±7 %`, `26.3 µs`, `88.1 B`, `1255`, `0.35 ±2 % (1.0×)`.
pub(crate) fn figure(cell: &str) -> Option<Figure> {
    let cell = cell.split(" (").next()?;
    let (number, spread) = match cell.split_once('±') {
        Some((number, spread)) => (number, spread.strip_suffix('%')?.trim().parse().ok()?),
        None => (cell, 0.0),
    };
    let mut words = number.split_whitespace();
    let number: f64 = words.next()?.parse().ok()?;
    let unit = match words.next() {
        Some("ns") => 1e-9,
        Some("µs") => 1e-6,
        Some("ms") => 1e-3,
        Some("s" | "B") | None => 1.0,
        Some(_) => return None,
    };
    Some(Figure {
        value: number * unit,
        spread: spread / 100.0,
    })
}

/// The text between two marks of a page.
pub(crate) fn marked<'a>(page: &'a str, mark: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("<!-- {mark}: begin -->\n"))?;
    let (text, _) = rest.split_once(&format!("<!-- {mark}: end -->"))?;
    Some(text)
}

/// The page with another text between two marks.
pub(crate) fn between(page: &str, mark: &str, text: &str) -> Option<String> {
    let (begin, end) = (
        format!("<!-- {mark}: begin -->\n"),
        format!("<!-- {mark}: end -->"),
    );
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{text}\n{end}{after}"))
}
