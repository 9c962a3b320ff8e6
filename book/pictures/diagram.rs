//! A diagram in the language of Graphviz, as SVG in the colours of the book.

use std::error::Error;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::style;

/// Lays a graph out with the program `dot`.
///
/// # Errors
///
/// Returns an error if `dot` is not installed or rejects the graph.
pub(crate) fn draw(dot: &str) -> Result<String, Box<dyn Error>> {
    let mut program = Command::new("dot")
        .args([
            "-Tsvg",
            "-Nshape=box",
            "-Nstyle=rounded",
            "-Nfontname=sans-serif",
            "-Nfontsize=12",
            "-Efontname=sans-serif",
            "-Efontsize=11",
            "-Gpad=0.15",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("`dot` of Graphviz does not start: {error}"))?;
    let mut input = program.stdin.take().expect("it is piped");
    input.write_all(dot.as_bytes())?;
    drop(input);
    let output = program.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("`dot` rejects the graph:\n{dot}").into());
    }
    Ok(recolour(&String::from_utf8(output.stdout)?))
}

/// Replaces fixed colours by classes of the style sheet, and removes the comments of the program.
fn recolour(svg: &str) -> String {
    let start = svg.find("<svg").unwrap_or(0);
    let mut recoloured = String::new();
    let mut class = "class=\"box\"";
    for line in svg[start..]
        .lines()
        .filter(|line| !line.starts_with("<!--"))
    {
        if line.starts_with("<g id=\"node") {
            class = "class=\"box\"";
        } else if line.starts_with("<g id=\"edge") {
            class = "class=\"line\"";
        }
        recoloured += &line
            .replace("fill=\"white\" stroke=\"none\"", "class=\"page\"")
            .replace("fill=\"white\" stroke=\"transparent\"", "class=\"page\"")
            .replace("fill=\"black\" stroke=\"black\"", "class=\"head\"")
            .replace("fill=\"none\" stroke=\"black\"", class)
            .replace(" font-family=\"sans-serif\"", "");
        recoloured.push('\n');
        if line.starts_with("<g id=\"graph0\"") {
            recoloured += style::SHEET;
            recoloured.push('\n');
        }
    }
    recoloured
}
