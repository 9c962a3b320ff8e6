//! A project with its tests, of which `cargo volt try` has made a copy with attributes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::clock;
use crate::counter;
use crate::repeats::{cells, measure, print_head};

/// The head of each attribute that `cargo volt try` writes.
const ATTRIBUTE: &str = "#[::volt::state_machine";

const COMMANDS: [&[&str]; 2] = [&["check", "--tests"], &["build", "--tests"]];

/// One version of the project, in its own folder.
struct Project {
    name: &'static str,
    folder: PathBuf,
    /// The value of `VOLT_LAYOUT`.
    layout: Option<&'static str>,
}

/// Prints the processor time of the versions of the project in `origin`.
pub(crate) fn print_times(origin: &Path, runs: usize) -> io::Result<()> {
    let mut versions = versions(origin)?;
    println!("Median of {runs} runs: seconds of processor time\n");
    print_head(versions.iter().map(|version| version.name));
    for command in COMMANDS {
        let samples = measure(&mut versions, runs, |version| version.compile(command))?;
        println!("| `cargo {}` |{} |", command.join(" "), cells(&samples));
    }
    Ok(())
}

/// Prints the instructions of rustc for the versions of the project in `origin`.
pub(crate) fn print_instructions(origin: &Path) -> io::Result<()> {
    let versions = versions(origin)?;
    println!("`cargo check --tests`: millions of instructions of rustc\n");
    print_head(versions.iter().map(|version| version.name));
    let mut row = String::from("| instructions |");
    for version in &versions {
        version.compile(COMMANDS[0])?;
        row += &format!(" {} |", version.instructions()? / 1_000_000);
    }
    println!("{row}");
    Ok(())
}

/// Writes the versions to the temporary folder of cargo. The first has no attributes.
fn versions(origin: &Path) -> io::Result<[Project; 3]> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time/project");
    let as_it_is = |name, folder: &str, layout, change: fn(String) -> io::Result<String>| {
        let folder = root.join(folder);
        let _ = fs::remove_dir_all(&folder);
        copy(origin, &folder, change)?;
        Ok::<_, io::Error>(Project {
            name,
            folder,
            layout,
        })
    };
    Ok([
        as_it_is("compiler", "compiler", None, without_attributes)?,
        as_it_is("machines, `native`", "native", Some("native"), Ok)?,
        as_it_is("machines", "machines", None, Ok)?,
    ])
}

/// Copies a folder, without files of git and builds.
fn copy(from: &Path, to: &Path, change: fn(String) -> io::Result<String>) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            if entry.file_name() != "target" && entry.file_name() != ".git" {
                copy(&path, &target, change)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            fs::write(target, change(fs::read_to_string(path)?)?)?;
        } else {
            fs::copy(path, target)?;
        }
    }
    Ok(())
}

fn without_attributes(text: String) -> io::Result<String> {
    let mut parts = text.split(ATTRIBUTE);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let unclosed = || io::Error::other("an attribute of the project has no end");
        plain += part.split_once(']').ok_or_else(unclosed)?.1;
    }
    Ok(plain)
}

impl Project {
    /// Compiles the packages of the project again, without their dependencies, and returns the
    /// processor time in seconds.
    fn compile(&self, command: &[&str]) -> io::Result<f64> {
        let before = clock::children_seconds()?;
        self.run(command, |_| ())?;
        Ok(clock::children_seconds()? - before)
    }

    /// Checks the packages again, and returns the instructions of rustc.
    fn instructions(&self) -> io::Result<u64> {
        let reports = self.folder.join("reports");
        self.run(COMMANDS[0], |cargo| counter::count_in(cargo, &reports))?;
        counter::read(&reports)
    }

    fn run(&self, command: &[&str], prepare: impl FnOnce(&mut Command)) -> io::Result<()> {
        touch(&self.folder)?;
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(command)
            .args(["--quiet", "--offline"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("../target"))
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("VOLT_LAYOUT")
            .envs(self.layout.map(|layout| ("VOLT_LAYOUT", layout)))
            .stdin(Stdio::null());
        prepare(&mut cargo);
        // The project's own lints report generated code, too.
        let output = cargo.output()?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(io::Error::other(message));
        }
        Ok(())
    }
}

/// Marks all source files as changed, so that cargo compiles them again.
fn touch(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            touch(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = File::options().append(true).open(path)?;
            file.set_modified(SystemTime::now())?;
        }
    }
    Ok(())
}
