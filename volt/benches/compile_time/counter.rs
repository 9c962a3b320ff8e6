//! The instructions of rustc, counted by valgrind. The load of the machine does not change them.
//!
//! Cargo runs this program in place of rustc. It runs rustc under valgrind for the packages that
//! the command line selects, and rustc alone for their dependencies and for build scripts.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The environment variable with the folder of valgrind's reports.
const REPORTS: &str = "VOLT_COMPILE_TIME_REPORTS";

/// The variable that cargo sets for the selected packages.
const SELECTED: &str = "CARGO_PRIMARY_PACKAGE";

/// The name of the log of a compilation. Its profile has another extension.
const LOG: &str = "log";

/// Returns `true` if valgrind is installed.
pub(crate) fn can_count() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|version| version.status.success())
}

/// Lets cargo count the instructions of rustc for the selected packages.
pub(crate) fn count_in(cargo: &mut Command, reports: &Path) {
    // Reports of an earlier run must not be read again.
    let _ = fs::remove_dir_all(reports);
    let program = std::env::current_exe().unwrap_or_default();
    cargo.env("RUSTC_WRAPPER", program).env(REPORTS, reports);
}

/// Returns the sum of the instructions in all reports.
pub(crate) fn read(reports: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(reports)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == LOG) {
            let text = fs::read_to_string(path)?;
            let number = text.lines().find_map(|line| line.split_once("Collected :"));
            let number = number.and_then(|(_, number)| number.trim().parse::<u64>().ok());
            let absent = || io::Error::other("valgrind reports no instructions");
            sum += number.ok_or_else(absent)?;
        }
    }
    match sum {
        0 => Err(io::Error::other("cargo compiled no selected package")),
        _ => Ok(sum),
    }
}

/// Runs the compiler if cargo runs this program as its wrapper.
pub(crate) fn run_as_wrapper() -> Option<io::Result<ExitCode>> {
    let reports = std::env::var_os(REPORTS)?;
    Some(run_compiler(Path::new(&reports)))
}

fn run_compiler(reports: &Path) -> io::Result<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let compiler = PathBuf::from(arguments.next().unwrap_or_else(|| "rustc".into()));
    let arguments: Vec<_> = arguments.collect();
    let is_script = arguments
        .windows(2)
        .any(|pair| pair[0] == "--crate-name" && pair[1] == "build_script_build");
    let is_selected = std::env::var_os(SELECTED).is_some();
    let mut command = if is_selected && !is_script {
        under_valgrind(&compiler, reports)?
    } else {
        Command::new(compiler)
    };
    let status = command.args(arguments).status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn under_valgrind(compiler: &Path, reports: &Path) -> io::Result<Command> {
    // The compiler may be a program that starts another one, which valgrind would not count.
    let sysroot = Command::new(compiler)
        .args(["--print", "sysroot"])
        .output()?;
    let sysroot = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
    fs::create_dir_all(reports)?;
    let report = reports.join(std::process::id().to_string());
    let option = |name: &str, extension| {
        let mut option = OsString::from(name);
        option.push(report.with_extension(extension));
        option
    };
    let mut command = Command::new("valgrind");
    command
        .arg("--tool=callgrind")
        .arg(option("--callgrind-out-file=", "profile"))
        .arg(option("--log-file=", LOG))
        .arg(Path::new(&sysroot).join("bin/rustc"));
    Ok(command)
}
