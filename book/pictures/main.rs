//! Draws the book's pictures into `src/images`: `cargo run -p book --example pictures`.
//!
//! With `--charts` it draws the charts only, which need no other program. With `--check` it writes
//! nothing, and compares the charts with the tables.
//!
//! State diagrams come from the machines' own `dot()`, which Graphviz lays out. Charts come from
//! the tables of the benchmarks.

mod charts;
mod diagram;
mod fields;
mod layout;
mod machines;
mod stored;
mod style;
mod table;
mod pages;
mod timeline;
mod timelines;
mod words;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use self::pages::{combinators, compile_time, executors, polls, sizes, steps};

const DIAGRAMS: [(&str, &str); 4] = [
    ("task", include_str!("task.dot")),
    ("scheduler", include_str!("scheduler.dot")),
    ("stages", include_str!("stages.dot")),
    ("wake", include_str!("wake.dot")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_given = |option: &str| std::env::args().any(|arg| arg == option);
    if is_given("--check") {
        return check(book);
    }
    write(book, charts(book)?)?;
    combinators::write_joins(book)?;
    if is_given("--charts") {
        return Ok(());
    }
    write(book, diagrams(book)?)
}

fn write(book: &Path, drawn: Vec<(&str, String)>) -> Result<(), Box<dyn Error>> {
    let images = book.join("src/images");
    fs::create_dir_all(&images)?;
    for (name, svg) in drawn {
        let path = picture(&images, name);
        fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The pictures that Graphviz or rustc help to draw, by name.
fn diagrams(book: &Path) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut drawn = Vec::new();
    for (name, dot) in machines::all() {
        drawn.push((name, diagram::draw(&dot)?));
    }
    for (name, dot) in DIAGRAMS {
        drawn.push((name, diagram::draw(dot)?));
    }
    drawn.push(("layout", layout::draw(&book.join("pictures/stored.rs"))?));
    Ok(drawn)
}

/// The pictures that need no other program, by name.
fn charts(book: &Path) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut drawn = vec![
        ("executors", executors::all(book)?),
        ("executors-summary", executors::summary(book)?),
        ("combinators", combinators::chart(book)?),
        ("polls", polls::chart(book)?),
        ("compile-time", compile_time::chart(book)?),
        ("durable-steps", steps::chart(book)?),
        ("sizes", sizes::chart(book)?),
    ];
    drawn.extend(words::all());
    drawn.extend(timelines::all());
    Ok(drawn)
}

/// Compares the files with the pictures and the rows as they would be written now.
fn check(book: &Path) -> Result<(), Box<dyn Error>> {
    let images = book.join("src/images");
    let is_stale = |name: &str, svg: &str| {
        let file = fs::read_to_string(picture(&images, name));
        file.ok().as_deref() != Some(svg)
    };
    let drawn = charts(book)?;
    let stale = drawn.iter().filter(|(name, svg)| is_stale(name, svg));
    let mut stale: Vec<&str> = stale.map(|(name, _)| *name).collect();
    let page = fs::read_to_string(book.join("src/combinator-costs.md"))?;
    if combinators::with_joins(book, &page)? != page {
        stale.push("combinator-costs.md");
    }
    if stale.is_empty() {
        return Ok(());
    }
    let names = stale.join(", ");
    Err(format!(
        "not as drawn now: {names}; run `cargo run -p book --example pictures -- --charts`"
    )
    .into())
}

fn picture(images: &Path, name: &str) -> PathBuf {
    images.join(name).with_extension("svg")
}

#[cfg(test)]
mod tests;
