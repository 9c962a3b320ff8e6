//! The command `places`: the lines that move in one count, and the source that accesses them.

use std::process::{Command, Stdio};

use crate::processors::{Place, Places};

/// Lines to print.
const LINES: usize = 24;
/// Places to print for each line.
const PLACES: usize = 8;

/// Prints the lines with the most transfers, and the places that access them.
pub(crate) fn print(places: &Places) {
    for (sum, places) in places.lines().into_iter().take(LINES) {
        println!("{sum} transfers of line {:#x}", places[0].0.line);
        for (place, transfers) in places.into_iter().take(PLACES) {
            let kind = if place.writes { "write" } else { "read" };
            println!("  {transfers:>6} {kind:<5} {}", source(&place));
        }
    }
}

/// Returns the functions of an instruction, the inlined ones first.
fn source(place: &Place) -> String {
    let program = std::env::current_exe().expect("the program has a path");
    let output = Command::new("addr2line")
        .args([
            "--functions",
            "--demangle",
            "--inlines",
            "--basenames",
            "--pretty-print",
            "--exe",
        ])
        .arg(program)
        .arg(format!("{:#x}", place.code))
        .stderr(Stdio::null())
        .output();
    match output {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            let functions: Vec<_> = text.lines().map(str::trim).take(4).collect();
            functions.join(" < ").replace("(inlined by) ", "")
        }
        Err(_) => format!("{:#x}", place.code),
    }
}
