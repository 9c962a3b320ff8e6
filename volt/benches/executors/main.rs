//! Compares executors: the same workloads in one process and one run.
//!
//! ```text
//! cargo bench -p volt-async --bench executors                       every workload, 31 rounds
//! cargo bench -p volt-async --bench executors -- ping_pong          workloads whose name contains `ping_pong`
//! cargo bench -p volt-async --bench executors -- --rounds 101       more rounds
//! cargo bench -p volt-async --bench executors -- --book             also writes the page of the book and the README
//! ```
//!
//! Each round runs every contestant once, in rotating order, so that a change of the speed of the
//! machine affects all of them. The table has the median and half the interquartile range. It is
//! printed and written to `target/bench/executors.md`, with the rows in which volt is slower and
//! the figures that miss their targets.
//!
//! A workload is a file in `workloads/`, and a contestant is a file in `contestants/`.

mod executor;

mod workload;

mod sample;

mod contestants;
mod child;
mod workloads;

mod contest;
mod line;
mod rows;
mod summary;
mod table;

use std::path::{Path, PathBuf};

use self::contestants::Contestants;
use self::executor::WORKERS;
use self::table::Table;

const ROUNDS: usize = 31;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [option, arguments @ ..] = args.as_slice()
        && option == child::OPTION
    {
        return child::run(arguments);
    }
    let options = Options::from_args(args.into_iter());
    let table = run(&options);
    let text = table.to_string();
    println!("{text}");
    write(&report_path(), &text);
    if options.book {
        let page = include_str!("page.md").replace("{table}", text.trim_end());
        write(&root().join("book/src/benchmarks.md"), &page);
        write_readme(&page, &table.in_readme());
    }
}

fn run(options: &Options) -> Table {
    let contestants = Contestants::start(WORKERS);
    let mut table = Table::new(WORKERS, options.rounds);
    let rows = rows::all().into_iter();
    for (_, prepare) in rows.filter(|(name, _)| name.contains(&options.filter)) {
        let mut row = prepare(&contestants);
        let description = row.description();
        eprintln!("{}: {}", description.name, description.about);
        table.push(&row.run(options.rounds));
    }
    table
}

fn report_path() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    target.join("bench").join("executors.md")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Writes these rows of the page to the README.
fn write_readme(page: &str, rows: &[&str]) {
    let path = root().join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap_or_default();
    let block = summary::block(page, rows);
    match block.and_then(|block| summary::put(&readme, &block)) {
        Some(readme) => write(&path, &readme),
        None => eprintln!("{}: a mark or a row is missing", path.display()),
    }
}

fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("the report has a parent folder");
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
    written.unwrap_or_else(|error| eprintln!("{}: {error}", path.display()));
}

struct Options {
    rounds: usize,
    filter: String,
    book: bool,
}

impl Options {
    /// Without `--bench`, as in `cargo test --benches`, the default is one round.
    fn from_args(mut args: impl Iterator<Item = String>) -> Self {
        let (mut default, mut rounds, mut filter) = (1, None, String::new());
        let mut book = false;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => default = ROUNDS,
                "--rounds" => rounds = args.next().and_then(|count| count.parse().ok()),
                "--book" => book = true,
                _ => filter = arg,
            }
        }
        assert!(!book || filter.is_empty(), "the book shows all workloads");
        Self {
            rounds: rounds.unwrap_or(default).max(1),
            filter,
            book,
        }
    }
}
