//! Draws the book's pictures into `src/images`: `cargo run -p book --example pictures`.
//!
//! State diagrams come from the machines' own `dot()`, which Graphviz lays out. Charts come from
//! the tables of the benchmarks.

mod benchmarks;
mod chart;
mod diagram;
mod fields;
mod layout;
mod machines;
mod stored;
mod style;
mod table;
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
    let images = book().join("src/images");
    fs::create_dir_all(&images)?;
    for (name, dot) in machines::all() {
        write(&images, name, &diagram::draw(&dot)?)?;
    }
    for (name, dot) in DIAGRAMS {
        write(&images, name, &diagram::draw(dot)?)?;
    }
    for (name, picture) in words::all() {
        write(&images, name, &picture)?;
    }
    let book = book();
    write(
        &images,
        "layout",
        &layout::draw(&book.join("pictures/stored.rs"))?,
    )?;
    write(&images, "executors", &benchmarks::executors(&book)?)?;
    write(&images, "sizes", &benchmarks::sizes(&book)?)?;
    write(&images, "joins", &benchmarks::joins_of_eight(&book)?)?;
    benchmarks::write_joins(&book)
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn write(folder: &Path, name: &str, svg: &str) -> Result<(), Box<dyn Error>> {
    let path = folder.join(name).with_extension("svg");
    fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}
