//! Draws the book's pictures into `src/images`: `cargo run -p book --example pictures`.
//!
//! With `--check` it writes nothing, and compares the charts with the tables.
//!
//! State diagrams come from the machines' own `dot()`, which Graphviz lays out. Charts come from
//! the tables of the benchmarks.

mod benchmarks;
mod charts;
mod diagram;
mod fields;
mod layout;
mod machines;
mod stored;
mod style;
mod table;
mod timeline;
mod timelines;
mod words;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const DIAGRAMS: [(&str, &str); 4] = [
    ("task", include_str!("task.dot")),
    ("scheduler", include_str!("scheduler.dot")),
    ("stages", include_str!("stages.dot")),
    ("wake", include_str!("wake.dot")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR"));
    let images = book.join("src/images");
    let mut drawn = charts(book)?;
    if std::env::args().any(|arg| arg == "--check") {
        return check(&images, &drawn);
    }
    for (name, dot) in machines::all() {
        drawn.push((name, diagram::draw(&dot)?));
    }
    for (name, dot) in DIAGRAMS {
        drawn.push((name, diagram::draw(dot)?));
    }
    drawn.push(("layout", layout::draw(&book.join("pictures/stored.rs"))?));
    fs::create_dir_all(&images)?;
    for (name, svg) in drawn {
        let path = picture(&images, name);
        fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    benchmarks::write_joins(book)
}

/// The pictures that need no other program, by name.
fn charts(book: &Path) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut drawn = vec![
        ("executors", benchmarks::executors(book)?),
        ("executors-summary", benchmarks::summary(book)?),
        ("sizes", benchmarks::sizes(book)?),
        ("joins", benchmarks::joins_of_eight(book)?),
    ];
    drawn.extend(words::all());
    drawn.extend(timelines::all());
    Ok(drawn)
}

/// Compares the files with the pictures as they would be drawn now.
fn check(images: &Path, drawn: &[(&str, String)]) -> Result<(), Box<dyn Error>> {
    let is_stale = |name: &str, svg: &str| {
        let file = fs::read_to_string(picture(images, name));
        file.ok().as_deref() != Some(svg)
    };
    let stale = drawn.iter().filter(|(name, svg)| is_stale(name, svg));
    let stale: Vec<&str> = stale.map(|(name, _)| *name).collect();
    if stale.is_empty() {
        return Ok(());
    }
    let names = stale.join(", ");
    Err(format!("not as drawn now: {names}; run `cargo run -p book --example pictures`").into())
}

fn picture(images: &Path, name: &str) -> PathBuf {
    images.join(name).with_extension("svg")
}
