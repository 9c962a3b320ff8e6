//! Measures the compile time of machines: a library of many functions, in several versions.
//!
//! ```text
//! cargo bench -p volt-async --bench compile_time                      200 functions, 5 runs
//! cargo bench -p volt-async --bench compile_time -- --functions 50    fewer
//! cargo bench -p volt-async --bench compile_time -- --runs 11         more often
//! ```
//!
//! The benchmark writes the library to a temporary folder of cargo, and checks and builds it
//! without its dependencies. The result is the median of the processor time, including the time of
//! cargo. Only Linux reports this time. On other systems the benchmark prints a message and does
//! nothing.

mod clock;
mod source;

mod package;

#[path = "../executors/sample.rs"]
mod sample;

use std::io;

use self::package::Package;
use self::sample::Sample;
use self::source::VERSIONS;

const COMMANDS: [&[&str]; 3] = [&["check"], &["build"], &["build", "--release"]];

fn main() -> io::Result<()> {
    // `cargo test --benches` only tests that the benchmark runs.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let (functions, runs) = if is_bench { (200, 5) } else { (8, 1) };
    let functions = option("--functions").unwrap_or(functions);
    let runs = option("--runs").unwrap_or(runs);
    if clock::children_seconds().is_err() {
        println!("!!! SKIPPED: this system does not report the processor time of child processes");
        return Ok(());
    }
    let mut packages = VERSIONS
        .into_iter()
        .map(|version| Package::new(version, functions))
        .collect::<io::Result<Vec<_>>>()?;
    println!("{functions} functions, median of {runs} runs: seconds of processor time\n");
    println!("| command |{} |", columns(|version| version.to_owned()));
    println!("| --- |{} |", columns(|_| "---:".to_owned()));
    for command in COMMANDS {
        let samples = measure(&mut packages, command, runs)?;
        println!("| `cargo {}` |{} |", command.join(" "), cells(&samples));
    }
    Ok(())
}

/// Compiles the versions in alternating order.
fn measure(packages: &mut [Package], command: &[&str], runs: usize) -> io::Result<Vec<Sample>> {
    for package in &mut *packages {
        package.compile(command)?;
    }
    let mut samples = vec![Sample::default(); packages.len()];
    for _ in 0..runs {
        for (package, sample) in packages.iter_mut().zip(&mut samples) {
            sample.push(package.compile(command)?);
        }
    }
    Ok(samples)
}

/// Returns the seconds of each version, and their ratio to the first version.
fn cells(samples: &[Sample]) -> String {
    let first = samples[0].median();
    let cell = |sample: &Sample| {
        let (median, spread) = (sample.median(), 100.0 * sample.spread());
        format!(" {median:.2} ±{spread:.0} % ({:.1}×)", median / first)
    };
    samples.iter().map(cell).collect::<Vec<_>>().join(" |")
}

fn columns(cell: impl Fn(&str) -> String) -> String {
    let cells = VERSIONS.map(|version| format!(" {}", cell(version.name)));
    cells.join(" |")
}

/// Returns the number after an option of the command line.
fn option(name: &str) -> Option<usize> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.nth(1)?.parse().ok()
}
