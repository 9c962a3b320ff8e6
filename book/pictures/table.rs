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

/// A time in seconds: `1.51 ms ±7 %`, `26.3 ns`.
pub(crate) fn seconds(cell: &str) -> Option<f64> {
    let mut words = cell.split_whitespace();
    let number: f64 = words.next()?.parse().ok()?;
    let unit = match words.next()? {
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    };
    Some(number * unit)
}

/// The text between two marks of a page, replaced.
pub(crate) fn between(page: &str, mark: &str, text: &str) -> Option<String> {
    let (begin, end) = (
        format!("<!-- {mark}: begin -->\n"),
        format!("<!-- {mark}: end -->"),
    );
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{text}\n{end}{after}"))
}
