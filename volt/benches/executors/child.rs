//! Measurements in separate processes, some of them under valgrind.

use std::future::pending;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::contestants::{OnAsyncExecutor, OnTokio, OnVolt};
use crate::executor::Executor;

/// The option of such a process.
pub(crate) const OPTION: &str = "--child";

/// The number of spawns of one run. A second run has twice as many, and the difference is the cost
/// of the spawns alone.
const SPAWNS: usize = 1_000;
const IDLE: usize = 1_000_000;

/// The quantity that a process measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Resident,
    Instructions,
    Allocations,
}

impl Measure {
    /// Returns `true` if this machine can measure the quantity.
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

/// Measures one contestant in another process.
pub(crate) fn measure(measure: Measure, contestant: &str) -> Option<f64> {
    let counted = |spawns: usize| {
        let arguments = [OPTION, "spawns", contestant, &spawns.to_string()];
        count(measure, &arguments)
    };
    match measure {
        Measure::Resident => {
            let mut child = Command::new(std::env::current_exe().ok()?);
            let output = child.args([OPTION, "idle", contestant, &IDLE.to_string()]);
            let stdout = output.output().ok()?.stdout;
            String::from_utf8(stdout).ok()?.trim().parse().ok()
        }
        _ => Some((counted(2 * SPAWNS)? - counted(SPAWNS)?) / SPAWNS as f64),
    }
}

/// Returns the instructions or allocations of a whole process.
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
    let stderr = String::from_utf8_lossy(&output.stderr);
    let (_, figures) = stderr.lines().find_map(|line| line.split_once(mark))?;
    let figure = figures.split_whitespace().next()?;
    figure.replace(',', "").parse().ok()
}

/// Runs a process with these arguments after [`OPTION`].
pub(crate) fn run(arguments: &[String]) {
    let [work, contestant, count] = arguments else {
        panic!("arguments: work, contestant, count");
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
        // The handles are leaked, because a task without a waker and a handle might be freed.
        std::mem::forget(executor.spawn(pending::<()>()));
        // One worker runs the tasks in order, so this task runs after all others. The wait bounds
        // the length of the queue, which keeps its memory.
        if n % 1_000 == 0 || n == count {
            settle();
        }
    }
    (resident() - before) / count as f64
}

fn resident() -> f64 {
    let statm =
        std::fs::read_to_string("/proc/self/statm").expect("`is_possible` has found the file");
    let pages = statm
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse().ok());
    let pages: f64 = pages.expect("a number of pages");
    pages * 4096.0
}
