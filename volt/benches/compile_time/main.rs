//! Measures the compile time of machines: a library of many functions, in several versions.
//!
//! ```text
//! cargo bench -p volt-async --bench compile_time                      200 functions, 5 runs
//! cargo bench -p volt-async --bench compile_time -- --functions 50    fewer
//! cargo bench -p volt-async --bench compile_time -- --runs 11         more often
//! cargo bench -p volt-async --bench compile_time -- --two-awaits      without the functions of several shapes
//! cargo bench -p volt-async --bench compile_time -- --instructions    instructions of rustc, counted by valgrind
//! cargo bench -p volt-async --bench compile_time -- --code            bytes of machine code, by `size` of binutils
//! cargo bench -p volt-async --bench compile_time -- --code --rt       the same with the feature `rt`
//! cargo bench -p volt-async --bench compile_time -- --microcontroller the same for thumbv7em, with constants and memory
//! cargo bench -p volt-async --bench compile_time -- --project FOLDER  a project with its tests, see below
//! cargo bench -p volt-async --bench compile_time -- --check           and fails if a machine exceeds its limit
//! cargo bench -p volt-async --bench compile_time -- --check-stored    of machines that can be stored only
//! cargo bench -p volt-async --bench compile_time -- --check-code      bytes, and fails beyond a limit
//! ```
//!
//! The benchmark writes the library to a temporary folder of cargo, and checks and builds it
//! without its dependencies. There are two libraries: one has functions of several shapes, and the
//! other one has many functions with two awaits, also under other attributes. The result is the
//! median of the processor time, including the time of cargo. Only Linux reports this time. On
//! other systems the benchmark prints a message and does nothing.
//!
//! `--project FOLDER` measures `cargo check --tests` and `cargo build --tests` of a project:
//! without attributes, with native machines, and with the layouts that the macro chooses. The
//! folder is `WORK/NAME/tree` of `cargo volt try .. --work WORK --name NAME`. With
//! `--instructions` valgrind counts the check.

mod clock;
mod code;
mod counter;
mod microcontroller;
mod source;

mod package;

mod limits;

#[path = "../executors/sample.rs"]
mod sample;

mod repeats;

mod project;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use self::code::Sections;
use self::package::Package;
use self::repeats::{cells, measure};
use self::source::Bodies;

const COMMANDS: [&[&str]; 3] = [&["check"], &["build"], &["build", "--release"]];

fn main() -> io::Result<ExitCode> {
    if let Some(result) = counter::run_as_wrapper() {
        return result;
    }
    let is_given = |name: &str| std::env::args().any(|arg| arg == name);
    let is_counted = ["--instructions", "--check", "--check-stored"]
        .into_iter()
        .any(is_given);
    if is_counted && !counter::can_count() {
        println!("!!! SKIPPED: valgrind, which counts instructions, is not installed");
    } else if is_given("--check") {
        limits::check()?;
    } else if let Some(folder) = value("--project").map(PathBuf::from) {
        if is_counted {
            project::print_instructions(&folder)?;
        } else {
            project::print_times(&folder, option("--runs").unwrap_or(3))?;
        }
    } else if is_given("--check-stored") {
        limits::check_stored()?;
    } else if is_given("--instructions") {
        print_instructions()?;
    } else if ["--code", "--microcontroller", "--check-code"]
        .into_iter()
        .any(is_given)
        && !code::can_measure()
    {
        println!("!!! SKIPPED: `size` of binutils, which reads the sections, is not installed");
    } else if is_given("--check-code") {
        limits::check_code()?;
    } else if is_given("--code") {
        print_code(Package::code, &[("`.text`", |bytes| bytes.text)])?;
    } else if is_given("--microcontroller") {
        let parts: [Part; 3] = [
            ("`.text`", |bytes| bytes.text),
            ("constants", |bytes| bytes.constants),
            ("static memory", |bytes| bytes.memory),
        ];
        print_code(Package::code_of_microcontroller, &parts)?;
    } else {
        print_times()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_times() -> io::Result<()> {
    // `cargo test --benches` only tests that the benchmark runs.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let (functions, runs) = if is_bench { (200, 5) } else { (8, 1) };
    let functions = option("--functions").unwrap_or(functions);
    let runs = option("--runs").unwrap_or(runs);
    if clock::children_seconds().is_err() {
        println!("!!! SKIPPED: this system does not report the processor time of child processes");
        return Ok(());
    }
    println!("{functions} functions, median of {runs} runs: seconds of processor time");
    let tables = [
        (Bodies::Shapes, "Functions of several shapes"),
        (Bodies::TwoAwaits, "Functions with two awaits"),
    ];
    let only_last = std::env::args().any(|arg| arg == "--two-awaits");
    for (bodies, title) in tables.into_iter().skip(usize::from(only_last)) {
        println!("\n{title}:\n");
        let mut packages = packages(bodies, functions)?;
        print_head(bodies);
        for command in COMMANDS {
            let samples = measure(&mut packages, runs, |package| package.compile(command))?;
            println!("| `cargo {}` |{} |", command.join(" "), cells(&samples));
        }
    }
    Ok(())
}

/// Counts the instructions of rustc for functions with two awaits.
fn print_instructions() -> io::Result<()> {
    let functions = option("--functions").unwrap_or(50);
    println!(
        "{functions} functions with two awaits, `cargo check`: millions of instructions of rustc\n"
    );
    print_head(Bodies::TwoAwaits);
    let mut row = String::from("| instructions |");
    for mut package in packages(Bodies::TwoAwaits, functions)? {
        let instructions = package.instructions()?;
        row += &format!(" {} |", instructions / 1_000_000);
    }
    println!("{row}");
    Ok(())
}

/// The parts of a program whose bytes are printed.
type Part = (&'static str, fn(&Sections) -> u64);

/// Prints the bytes of programs with functions of several shapes.
fn print_code(measure: fn(&mut Package) -> io::Result<Sections>, parts: &[Part]) -> io::Result<()> {
    let functions = option("--functions").unwrap_or(50);
    println!("{functions} functions, `cargo build --release`: bytes");
    for bodies in [Bodies::Shapes, Bodies::ExplicitShapes] {
        println!("\n{bodies:?}:\n");
        print_head(bodies);
        let empty = measure(&mut packages(bodies, 0)?[0])?;
        let mut programs = Vec::new();
        for mut package in packages(bodies, functions)? {
            programs.push(measure(&mut package)?.without(empty));
        }
        for (name, part) in parts {
            let plain = part(&programs[0]) as f64;
            let cells = programs.iter().map(part);
            let cells = cells.map(|bytes| format!(" {bytes} ({:.2}×) |", bytes as f64 / plain));
            println!("| {name} |{}", cells.collect::<String>());
        }
    }
    Ok(())
}

fn packages(bodies: Bodies, functions: usize) -> io::Result<Vec<Package>> {
    let versions = bodies.versions().iter();
    versions
        .map(|version| Package::new(bodies, *version, functions))
        .collect()
}

fn print_head(bodies: Bodies) {
    repeats::print_head(bodies.versions().iter().map(|version| version.name));
}

/// Returns the number after an option of the command line.
fn option(name: &str) -> Option<usize> {
    value(name)?.parse().ok()
}

/// Returns the word after an option of the command line.
fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != name).nth(1)
}
