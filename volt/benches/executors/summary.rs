//! The rows of the table in the README, between two marks.

const BEGIN: &str = "<!-- executors: begin -->\n";
const END: &str = "<!-- executors: end -->\n";
const MEAN: &str = "geometric mean";

/// Returns the text before, between and after the marks.
pub(crate) fn parts(readme: &str) -> Option<[&str; 3]> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (between, after) = rest.split_once(END)?;
    Some([before, between, after])
}

/// Returns the README with this block between its marks.
pub(crate) fn put(readme: &str, block: &str) -> Option<String> {
    let [before, _, after] = parts(readme)?;
    Some(format!("{before}{BEGIN}{block}{END}{after}"))
}

/// Returns a block with these rows of the page, the mean, and the number of rows in which volt is
/// slower. Returns `None` if the page lacks one of the rows.
pub(crate) fn block(page: &str, names: &[&str]) -> Option<String> {
    let rows: Vec<Vec<&str>> = page.lines().filter_map(cells).collect();
    let named = |name: &str| rows.iter().find(|row| row[0] == name);
    let names = ["workload", "---"].iter().chain(names).chain([&MEAN]);
    let lines: Option<Vec<String>> = names.map(|name| Some(line(named(name)?))).collect();
    let leads = rows.iter().filter(|row| row[0] != MEAN);
    let leads: Vec<f64> = leads.filter_map(|row| lead(row)).collect();
    let behind = leads.iter().filter(|lead| **lead < 1.0).count();
    let all = leads.len();
    Some(format!(
        "\n{}\n\nAhead or level in {} of {all} rows, behind in {behind}: the page names them.\n\n",
        lines?.join("\n"),
        all - behind
    ))
}

/// Returns the cells of a row: workload, three contestants, the others, lead.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
    (cells.len() == 6).then_some(cells)
}

fn lead(row: &[&str]) -> Option<f64> {
    row[5].strip_suffix('×')?.parse().ok()
}

/// Returns a row without the column of the other contestants, which is wide.
fn line(row: &[&str]) -> String {
    let cells = row.iter().enumerate().filter(|(at, _)| *at != 4);
    let cells: Vec<&str> = cells.map(|(_, cell)| *cell).collect();
    format!("| {} |", cells.join(" | "))
}
