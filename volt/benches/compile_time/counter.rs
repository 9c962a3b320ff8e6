//! The instructions of rustc, counted by valgrind. The load of the machine does not change them.
//!
//! Cargo runs this program in place of rustc. It runs rustc under valgrind for the measured
//! package, and rustc alone for all others.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The environment variable with the file for valgrind's report.
const REPORT: &str = "VOLT_COMPILE_TIME_REPORT";

/// Returns `true` if valgrind is installed.
pub(crate) fn can_count() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|version| version.status.success())
}

/// Lets cargo count the instructions of rustc for the measured package.
pub(crate) fn count_in(cargo: &mut Command, report: &Path) {
    // A report of an earlier run must not be read again.
    let _ = fs::remove_file(report);
    let program = std::env::current_exe().unwrap_or_default();
    cargo.env("RUSTC_WRAPPER", program).env(REPORT, report);
}

/// Reads the number of instructions.
pub(crate) fn read(report: &Path) -> io::Result<u64> {
    let text = fs::read_to_string(report)?;
    let number = text.lines().find_map(|line| line.split_once("Collected :"));
    let number = number.and_then(|(_, number)| number.trim().parse().ok());
    number.ok_or_else(|| io::Error::other("valgrind reports no instructions"))
}

/// Runs the compiler if cargo runs this program as its wrapper.
pub(crate) fn run_as_wrapper() -> Option<io::Result<ExitCode>> {
    let report = std::env::var_os(REPORT)?;
    Some(run_compiler(Path::new(&report)))
}

fn run_compiler(report: &Path) -> io::Result<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let compiler = PathBuf::from(arguments.next().unwrap_or_else(|| "rustc".into()));
    let arguments: Vec<_> = arguments.collect();
    let is_measured = arguments
        .windows(2)
        .any(|pair| pair[0] == "--crate-name" && pair[1] == "measured");
    let mut command = if is_measured {
        under_valgrind(&compiler, report)?
    } else {
        Command::new(compiler)
    };
    let status = command.args(arguments).status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn under_valgrind(compiler: &Path, report: &Path) -> io::Result<Command> {
    // The compiler may be a program that starts another one, which valgrind would not count.
    let sysroot = Command::new(compiler)
        .args(["--print", "sysroot"])
        .output()?;
    let sysroot = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
    let mut command = Command::new("valgrind");
    let mut log = std::ffi::OsString::from("--log-file=");
    log.push(report);
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(log)
        .arg(Path::new(&sysroot).join("bin/rustc"));
    Ok(command)
}
