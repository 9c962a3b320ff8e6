//! Limits for the instructions of a machine, relative to the compiler's future.

use crate::table::{Line, Table};

/// The limit of subjects that are not in `EXCEPTIONS`.
const LIMIT: f64 = 1.03;

/// Subjects that do not reach the limit yet, with their own limits. The book has the reasons.
const EXCEPTIONS: [(&str, f64); 3] = [
    // Awaits in loops are counted, so that loops over ready futures give way:
    // `docs/decisions/0080`.
    ("branches", 1.25),
    // The instructions of a copy of the page depend on the address of the stack.
    ("1 KiB through states", 1.12),
    ("two strings", 1.07),
];

/// Checks that every line is within its limit. A copy of a local in each iteration would be far
/// above it.
pub(crate) fn check(counts: &Table) -> Result<(), String> {
    let beyond = counts
        .lines
        .iter()
        .filter(|line| line.ratio() > limit(line.name));
    let exceeded: Vec<String> = beyond.map(description).collect();
    if exceeded.is_empty() {
        Ok(())
    } else {
        Err(exceeded.join("\n"))
    }
}

fn limit(name: &str) -> f64 {
    let exception = EXCEPTIONS.iter().find(|(known, _)| *known == name);
    exception.map_or(LIMIT, |&(_, limit)| limit)
}

fn description(line: &Line) -> String {
    let (name, ratio, limit) = (line.name, line.ratio(), limit(line.name));
    format!("{name}: {ratio:.3} times the instructions, where {limit} is the limit")
}
