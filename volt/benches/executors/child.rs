//! Processes of their own: for what must not be disturbed, and for what valgrind watches.

use std::future::pending;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::contestants::{OnAsyncExecutor, OnTokio, OnVolt};
use crate::executor::Executor;

/// The option under which the program is such a process.
pub(crate) const OPTION: &str = "--child";

/// Counts are taken of so many spawns, and of twice as many: the difference is theirs alone.
const SPAWNS: usize = 1_000;
const IDLE: usize = 1_000_000;

/// What one of them measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Resident,
    Instructions,
    Allocations,
}

impl Measure {
    /// Whether this machine has what it takes.
    pub(crate) fn is_possible(self) -> bool {
        match self {
            Self::Resident => Path::new("/proc/self/statm").exists(),
            _ => Command::new("valgrind")
                .arg("--version")
                .output()
                .is_ok_and(|version| version.status.success()),
        }
    }
}

/// The figure for one contestant, by another process.
pub(crate) fn measure(measure: Measure, contestant: &str) -> Option<f64> {
    let counted = |spawns: usize| {
        let arguments = [OPTION, "spawns", contestant, &spawns.to_string()];
        count(measure, &arguments)
    };
    match measure {
        Measure::Resident => {
            let mut child = Command::new(std::env::current_exe().ok()?);
            let output = child.args([OPTION, "idle", contestant, &IDLE.to_string()]);
            let said = output.output().ok()?.stdout;
            String::from_utf8(said).ok()?.trim().parse().ok()
        }
        _ => Some((counted(2 * SPAWNS)? - counted(SPAWNS)?) / SPAWNS as f64),
    }
}

/// Instructions or allocations of the whole of a process.
fn count(measure: Measure, arguments: &[&str]) -> Option<f64> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("executors.callgrind");
    let mut valgrind = Command::new("valgrind");
    let mark = match measure {
        Measure::Instructions => {
            let scratch = format!("--callgrind-out-file={}", scratch.display());
            valgrind.args(["--tool=callgrind", &scratch]);
            "Collected :"
        }
        _ => "total heap usage:",
    };
    valgrind.arg(std::env::current_exe().ok()?);
    let output = valgrind
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let (_, figures) = said.lines().find_map(|line| line.split_once(mark))?;
    let figure = figures.split_whitespace().next()?;
    figure.replace(',', "").parse().ok()
}

/// What the process does that was started with these arguments after [`OPTION`].
pub(crate) fn run(arguments: &[String]) {
    let [work, contestant, count] = arguments else {
        panic!("what, on what, how often");
    };
    let count = count.parse().expect("a number");
    match contestant.as_str() {
        OnVolt::NAME => run_on::<OnVolt>(work, count),
        OnTokio::NAME => run_on::<OnTokio>(work, count),
        _ => run_on::<OnAsyncExecutor>(work, count),
    }
}

fn run_on<E: Executor>(work: &str, count: usize) {
    let executor = E::start(1);
    match work {
        "idle" => println!("{}", resident_bytes(&executor, count)),
        _ => spawn_and_await(&executor, count),
    }
}

fn spawn_and_await<E: Executor>(executor: &E, count: usize) {
    let task = executor.spawn(async move {
        for _ in 0..count {
            E::join(E::spawn_here(async {})).await;
        }
    });
    executor.block_on(E::join(task));
}

fn resident_bytes<E: Executor>(executor: &E, count: usize) -> f64 {
    let settle = || executor.block_on(E::join(executor.spawn(async {})));
    settle();
    let before = resident();
    for n in 1..=count {
        // A task that nobody can wake or join might be freed.
        std::mem::forget(executor.spawn(pending::<()>()));
        // One after the other, on one worker: the last comes after all. How far the worker is behind is a
        // matter of chance, and the queue keeps the memory that it has taken by then.
        if n % 1_000 == 0 || n == count {
            settle();
        }
    }
    (resident() - before) / count as f64
}

fn resident() -> f64 {
    let said = std::fs::read_to_string("/proc/self/statm").expect("it was there before");
    let pages = said
        .split_whitespace()
        .nth(1)
        .and_then(|it| it.parse().ok());
    let pages: f64 = pages.expect("a number of pages");
    pages * 4096.0
}
