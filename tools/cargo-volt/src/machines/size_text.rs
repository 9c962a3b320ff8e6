//! Sizes of machines, as text.

use std::fmt::Write;

use anstyle::Style;

use super::bars::{contents, difference};
use super::sizes::CrateSizes;
use crate::macro_reports::sizes::MachineSizes;
use crate::terminal::{Align, EMPHASIS, FAINT, GOOD, NOTICE, TextTable, styled};

/// Returns a table with a line for each machine.
pub(super) fn summary(sizes: &CrateSizes) -> String {
    let mut table = TextTable::new(&[
        ("bytes", Align::Right),
        ("compiler's", Align::Right),
        ("layout", Align::Left),
        ("machine", Align::Left),
        ("place", Align::Left),
        ("largest state", Align::Left),
    ]);
    for machine in &sizes.machines {
        let largest = machine.largest_state().map(|state| {
            let values = contents(state);
            format!("{}: {values}", state.name)
        });
        table.push(vec![
            (EMPHASIS, machine.size.to_string()),
            (Style::new(), compiler_size(machine)),
            (style(machine), machine.layout.clone()),
            (EMPHASIS, machine.name.clone()),
            (FAINT, place(machine)),
            (Style::new(), largest.unwrap_or_default()),
        ]);
    }
    table.page() + &unmeasured(sizes)
}

/// Returns the machines with a table of the states of each.
pub(super) fn page(sizes: &CrateSizes) -> String {
    let mut page = String::new();
    for machine in &sizes.machines {
        page.push_str(&head(machine));
        let mut table = TextTable::new(&[
            ("  state", Align::Left),
            ("line", Align::Right),
            ("bytes", Align::Right),
            ("contents", Align::Left),
        ]);
        let largest = machine.largest_state();
        let has_bytes = largest.is_some();
        for state in &machine.states {
            let is_largest = largest == Some(state);
            let style = if is_largest { NOTICE } else { Style::new() };
            let bytes = if has_bytes {
                state.stored().to_string()
            } else {
                "-".to_owned()
            };
            table.push(vec![
                (style, format!("  {}", state.name)),
                (FAINT, state.line.to_string()),
                (style, bytes),
                (Style::new(), contents(state)),
            ]);
        }
        page.push_str(&table.page());
        page.push('\n');
    }
    page + &unmeasured(sizes)
}

fn head(machine: &MachineSizes) -> String {
    let mut head = format!(
        "{}  {} bytes",
        styled(EMPHASIS, &machine.name),
        styled(EMPHASIS, &machine.size.to_string())
    );
    if let (Some(compiler), Some(difference)) = (machine.compiler_size, difference(machine)) {
        // Writing to a string does not fail.
        let _ = write!(
            head,
            ", the compiler's future {compiler} ({difference:+} %)"
        );
    }
    let layout = styled(style(machine), &machine.layout);
    let place = styled(FAINT, &place(machine));
    let _ = writeln!(head, ", {layout}, {place}");
    if let Some((reason, line)) = &machine.reason {
        let _ = writeln!(head, "  {}: {reason}, line {line}", machine.layout);
    }
    if machine.is_cut {
        head.push_str("  the report is too long: states are missing\n");
    }
    head
}

fn style(machine: &MachineSizes) -> Style {
    if machine.layout == "explicit" {
        GOOD
    } else {
        NOTICE
    }
}

fn compiler_size(machine: &MachineSizes) -> String {
    let size = machine.compiler_size.map(|size| size.to_string());
    size.unwrap_or_else(|| "-".to_owned())
}

fn place(machine: &MachineSizes) -> String {
    format!("{}:{}", machine.file, machine.line)
}

fn unmeasured(sizes: &CrateSizes) -> String {
    if sizes.unmeasured.is_empty() {
        return String::new();
    }
    let mut text = "Without a size of their own, because they have type parameters:\n".to_owned();
    for (file, line, name) in &sizes.unmeasured {
        let place = styled(FAINT, &format!("{file}:{line}"));
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {name}  {place}");
    }
    text
}
