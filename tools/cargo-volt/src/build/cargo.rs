//! Cargo, as it is called for one project.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::command::{Ended, run_watched, text_of, units_of};
use crate::context::Outcome;
use crate::diagnostic::Diagnostic;
use crate::macro_reports::{expansions, layouts, sizes};
use crate::terminal::Progress;
use crate::workspace::Package;

/// The options of all calls of cargo.
#[derive(Clone, Debug)]
pub(crate) struct Cargo {
    /// The toolchain of rustup, or `None` for that of the folder.
    pub(crate) toolchain: Option<String>,
    /// The folder whose manifest is meant.
    pub(crate) start: PathBuf,
    /// The target folder, or `None` for that of the project.
    pub(crate) target: Option<PathBuf>,
    /// Options that choose features.
    pub(crate) features: Vec<String>,
    pub(crate) jobs: Option<u32>,
    pub(crate) offline: bool,
    /// `true` to check only, without executables.
    pub(crate) check: bool,
    /// `true` to reduce denied lints of the project to warnings.
    pub(crate) cap_lints: bool,
    /// The time limit of each build.
    pub(crate) limit: Duration,
    pub(crate) progress: Progress,
}

/// A program of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    /// The identifier of its package.
    pub(crate) package: String,
    /// `lib mini_redis`, `test server`.
    pub(crate) target: String,
    pub(crate) path: PathBuf,
    /// The folder of its package.
    pub(crate) folder: PathBuf,
}

/// The result of a build.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) success: bool,
    pub(crate) timed_out: bool,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) executables: Vec<Executable>,
    /// The last of what cargo wrote for people.
    pub(crate) tail: String,
    pub(crate) took: Duration,
}

impl Cargo {
    fn command(&self, verb: &str) -> Command {
        let mut command = Command::new("cargo");
        let is_of_package =
            |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_of_package) {
                command.env_remove(name);
            }
        }
        command
            .arg(verb)
            .current_dir(&self.start)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_TEST_DEBUG", "0")
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_TERM_PROGRESS_WHEN", "always")
            .env("CARGO_TERM_PROGRESS_WIDTH", "100")
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove(layouts::VARIABLE)
            .env_remove(sizes::VARIABLE)
            .env_remove(expansions::VARIABLE);
        if let Some(toolchain) = &self.toolchain {
            command.env("RUSTUP_TOOLCHAIN", toolchain);
        }
        if let Some(target) = &self.target {
            command.env("CARGO_TARGET_DIR", target);
        }
        if self.cap_lints {
            command.env("RUSTFLAGS", "--cap-lints=warn");
        }
        if self.offline {
            command.arg("--offline");
        }
        command
    }

    /// The members of the workspace, as cargo describes them.
    pub(crate) fn metadata(&self) -> Outcome<String> {
        let mut command = self.command("metadata");
        command.args(["--no-deps", "--format-version", "1"]);
        text_of(&mut command, self.limit)
    }

    /// Removes the artifacts of the packages, so that the next build compiles them.
    pub(crate) fn clean(&self, packages: &[Package]) -> Outcome<()> {
        let mut command = self.command("clean");
        for package in packages {
            command.args(["--package", &package.id]);
        }
        text_of(&mut command, self.limit).map(|_| ())
    }

    /// Builds the targets of the packages, with environment variables for the macro.
    pub(crate) fn build(
        &self,
        packages: &[Package],
        targets: &[&str],
        variables: &[(&str, &OsStr)],
    ) -> Outcome<Built> {
        let mut command = self.command(if self.check { "check" } else { "build" });
        command.args(["--message-format=json", "--keep-going"]);
        command.args(targets);
        for package in packages {
            command.args(["--package", &package.id]);
        }
        if let Some(jobs) = self.jobs {
            command.args(["--jobs", &jobs.to_string()]);
        }
        command.args(&self.features);
        for (name, value) in variables {
            command.env(name, value);
        }
        let progress = self.progress.clone();
        let on_stderr = move |line: &str| {
            if let Some((done, all)) = units_of(line) {
                progress.set(done, all);
            }
        };
        let ended = run_watched(&mut command, self.limit, |_| {}, on_stderr)?;
        Ok(built(&ended))
    }
}

fn built(ended: &Ended) -> Built {
    let messages = || {
        ended
            .stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    };
    let reason = |message: &Value, reason: &str| message["reason"] == reason;
    let errors = messages().filter(|message| reason(message, "compiler-message"));
    let made = messages().filter(|message| reason(message, "compiler-artifact"));
    Built {
        success: ended.success(),
        timed_out: ended.status.is_none(),
        errors: errors
            .filter_map(|message| Diagnostic::read(&message))
            .collect(),
        executables: made.filter_map(|message| executable(&message)).collect(),
        tail: ended.tail(),
        took: ended.took,
    }
}

fn executable(message: &Value) -> Option<Executable> {
    if message["profile"]["test"] != true {
        return None;
    }
    let target = &message["target"];
    let kind = target["kind"][0].as_str()?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    Some(Executable {
        package: message["package_id"].as_str()?.to_owned(),
        target: format!("{kind} {}", target["name"].as_str()?),
        path: PathBuf::from(message["executable"].as_str()?),
        folder: manifest.parent()?.to_owned(),
    })
}
