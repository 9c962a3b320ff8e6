//! Calls rustc directly. Cargo builds volt and the runtime once.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::other_volt::package;
use crate::command_line::Edition;

/// The options of the compilation of a program.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    libraries: Vec<(String, PathBuf)>,
    dependencies: PathBuf,
    /// Of the programs.
    pub(crate) edition: Edition,
    /// `true` if the programs use the volt of another checkout.
    pub(crate) is_other_volt: bool,
}

/// An error, and the lines of the program that it refers to.
#[derive(Clone, Debug)]
pub(crate) struct Complaint {
    pub(crate) message: String,
    pub(crate) lines: Vec<usize>,
}

impl Compiler {
    /// Builds what the programs need: with volt of this workspace, or of the checkout in a folder.
    ///
    /// # Errors
    ///
    /// When cargo fails.
    pub(crate) fn build(volt: Option<&Path>, folder: &Path) -> io::Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--release", "--lib", "--manifest-path"]);
        match volt {
            Some(volt) => {
                build.arg(package(volt, folder)?);
                build.arg("--target-dir").arg(volt.join("target"));
            }
            None => {
                build.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
            }
        }
        build.args(["--message-format", "json-render-diagnostics"]);
        let output = build.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(io::Error::other("cargo could not build the runtime"));
        }
        let compiler = Self::found(&String::from_utf8_lossy(&output.stdout))?;
        Ok(Self {
            is_other_volt: volt.is_some(),
            ..compiler
        })
    }

    /// Reads cargo's list of what it made.
    fn found(artifacts: &str) -> io::Result<Self> {
        let library = |name: &str| {
            let target = format!("\"name\":\"{name}\"");
            let mut lines = artifacts.lines();
            let line = lines.find(|line| line.contains(&target) && line.contains(".rlib"));
            let files = line.into_iter().flat_map(|line| line.split('"'));
            // The one among the dependencies is what others were built against.
            let mut files = files
                .filter(|file| file.ends_with(".rlib"))
                .map(PathBuf::from);
            let missing = || io::Error::other(format!("cargo made no library {name}"));
            files
                .next()
                .map(|file| (name.to_owned(), file))
                .ok_or_else(missing)
        };
        let libraries = vec![library("volt")?, library("runtime")?];
        let volt = &libraries[0].1;
        let folder = volt.parent().unwrap_or(Path::new("."));
        Ok(Self {
            dependencies: folder.to_owned(),
            libraries,
            edition: Edition::E2024,
            is_other_volt: false,
        })
    }

    /// The same for programs of an edition.
    pub(crate) fn in_edition(&self, edition: Edition) -> Self {
        Self {
            edition,
            ..self.clone()
        }
    }

    /// Compiles `source` to `binary`; gives what the compiler has against it.
    ///
    /// # Errors
    ///
    /// When the compiler cannot be called.
    pub(crate) fn compile(&self, source: &Path, binary: &Path) -> io::Result<Vec<Complaint>> {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args([
            "--edition",
            self.edition.name(),
            "--error-format",
            "json",
            "-Awarnings",
        ]);
        rustc.args(["-Cdebuginfo=0", "-Copt-level=0", "-Cprefer-dynamic"]);
        rustc
            .arg("-L")
            .arg(format!("dependency={}", self.dependencies.display()));
        for (name, file) in &self.libraries {
            rustc
                .arg("--extern")
                .arg(format!("{name}={}", file.display()));
        }
        let output = rustc.arg("-o").arg(binary).arg(source).output()?;
        if output.status.success() {
            return Ok(Vec::new());
        }
        Ok(complaints(&output, source))
    }
}

fn complaints(output: &Output, source: &Path) -> Vec<Complaint> {
    let text = String::from_utf8_lossy(&output.stderr);
    let all: Vec<Complaint> = text.lines().map(|line| complaint(line, source)).collect();
    let levels = text
        .lines()
        .map(|line| line.contains("\"level\":\"error\""));
    let errors: Vec<Complaint> = all
        .iter()
        .zip(levels)
        .filter(|(_, is)| *is)
        .map(|(c, _)| c.clone())
        .collect();
    // Only the notes of a failed assertion name its function.
    let placed = errors.iter().any(|error| !error.lines.is_empty());
    let mut found = if placed {
        errors
    } else {
        renamed(all, &errors)
    };
    if found.is_empty() {
        found.push(Complaint {
            message: format!("the compiler failed: {text}"),
            lines: Vec::new(),
        });
    }
    found
}

/// The complaints under the name of the first error.
fn renamed(all: Vec<Complaint>, errors: &[Complaint]) -> Vec<Complaint> {
    let Some(first) = errors.first() else {
        return Vec::new();
    };
    let rename = |complaint: Complaint| Complaint {
        message: first.message.clone(),
        ..complaint
    };
    all.into_iter().map(rename).collect()
}

/// Reads one line of the compiler's JSON, as far as that is needed.
fn complaint(line: &str, source: &Path) -> Complaint {
    let message = between(line, "\"message\":\"", "\",\"").unwrap_or_default();
    let code =
        between(line, "\"code\":\"E", "\"").map_or(String::new(), |code| format!("E{code}: "));
    let file = format!("\"file_name\":\"{}\"", source.display());
    let spans = line.split(&file).skip(1);
    let lines = spans.filter_map(|span| between(span, "\"line_start\":", ",")?.parse().ok());
    Complaint {
        message: format!("{code}{message}"),
        lines: lines.collect(),
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}
