//! Executors side by side: the same workloads, one process, one run.
//!
//! ```text
//! cargo bench -p volt                       every workload, 31 rounds
//! cargo bench -p volt -- ping_pong          those whose name holds `ping_pong`
//! cargo bench -p volt -- --rounds 101       more rounds
//! ```
//!
//! Each round runs every contestant once, in an order that turns from round to round, so that a
//! machine that slows down or speeds up does so for all of them. What counts is the median; the
//! spread beside it is half the distance between the quartiles. The table is printed, and written
//! to `target/bench/executors.md`.
//!
//! A workload is a file in `workloads/`, a contestant one in `contestants/`.

mod executor;

mod workload;

mod sample;

mod contestants;
mod workloads;

mod contest;
mod table;

use std::path::{Path, PathBuf};

use self::contest::Row;
use self::contestants::Contestants;
use self::table::Table;
use self::workload::Workload;

const ROUNDS: usize = 31;
const WORKERS: usize = 4;

fn main() {
    let options = Options::from_args(std::env::args().skip(1));
    let contestants = Contestants::start(WORKERS);
    let mut table = Table::new(WORKERS, options.rounds);
    for mut row in rows(&contestants) {
        if row.name().contains(&options.filter) {
            eprintln!("{}: {}", row.name(), row.about());
            table.push(row.run(options.rounds));
        }
    }
    let text = table.to_string();
    println!("{text}");
    let path = report_path();
    write_report(&path, &text).unwrap_or_else(|error| eprintln!("{}: {error}", path.display()));
}

fn rows(contestants: &Contestants) -> Vec<Row> {
    vec![
        row::<workloads::SpawnManyLocal>(contestants),
        row::<workloads::YieldMany>(contestants),
        row::<workloads::PingPong>(contestants),
        row::<workloads::ChainedSpawn>(contestants),
        row::<workloads::SpawnManyRemoteIdle>(contestants),
        row::<workloads::SpawnManyRemoteBusy1>(contestants),
        row::<workloads::SpawnManyRemoteBusy2>(contestants),
    ]
}

fn row<W: Workload>(contestants: &Contestants) -> Row {
    Row::new(W::NAME, W::ABOUT, contestants.prepare::<W>())
}

fn report_path() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    target.join("bench").join("executors.md")
}

fn write_report(path: &Path, text: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(path.parent().expect("the report lies in a folder"))?;
    std::fs::write(path, text)
}

struct Options {
    rounds: usize,
    filter: String,
}

impl Options {
    /// Without `--bench`, as `cargo test --benches` runs it, one round shows that it works.
    fn from_args(mut args: impl Iterator<Item = String>) -> Self {
        let (mut usual, mut wanted, mut filter) = (1, None, String::new());
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => usual = ROUNDS,
                "--rounds" => wanted = args.next().and_then(|count| count.parse().ok()),
                _ => filter = arg,
            }
        }
        Self {
            rounds: wanted.unwrap_or(usual).max(1),
            filter,
        }
    }
}
