//! Checks of a crate with cargo, while the macro reports.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::build::cargo_args::CargoArgs;
use crate::cargo::{Built, Cargo};
use crate::context::{Context, Outcome};
use crate::reason::Reason;
use crate::terminal::Progress;
use crate::workspace::{Package, packages};

/// The targets of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Targets {
    /// Libraries and programs.
    Own,
    /// Also tests, examples and benchmarks.
    All,
}

/// A crate or workspace that is checked.
#[derive(Debug)]
pub(super) struct CheckSession {
    cargo: Cargo,
    packages: Vec<Package>,
    targets: Targets,
    /// The folder in which the compiler runs, to which its paths are relative.
    pub(super) root: PathBuf,
    /// The folder of the reports.
    folder: PathBuf,
}

impl CheckSession {
    /// Finds the packages at `path`. The packages themselves are compiled again in each session,
    /// so that the macro runs. Their dependencies stay compiled.
    pub(super) fn open(path: &Path, options: &CargoArgs, targets: Targets) -> Outcome<Self> {
        let start = path
            .canonicalize()
            .context(|| format!("finding {}", path.display()))?;
        let start = if start.is_file() {
            start.parent().map(Path::to_owned).unwrap_or_default()
        } else {
            start
        };
        if !start.join("Cargo.toml").is_file() {
            return Err(format!("there is no Cargo.toml in {}", start.display()));
        }
        let mut cargo = Cargo {
            toolchain: None,
            start: start.clone(),
            target: None,
            features: options.features(),
            jobs: options.jobs,
            offline: options.offline,
            check: true,
            cap_lints: false,
            limit: options.build_limit,
            progress: Progress::new("volt"),
        };
        let metadata = cargo.metadata()?;
        let (root, packages) = packages(&metadata, &start, &options.packages, &options.excluded)?;
        let folder = target_folder(&metadata)?.join("cargo-volt");
        fs::create_dir_all(&folder).context(|| format!("making {}", folder.display()))?;
        cargo.target = Some(folder.clone());
        cargo.clean(&packages)?;
        Ok(Self {
            cargo,
            packages,
            targets,
            root,
            folder,
        })
    }

    /// Returns an empty file for a report, with its path.
    pub(super) fn report_file(&self, name: &str) -> Outcome<PathBuf> {
        let file = self.folder.join(name);
        fs::write(&file, "").context(|| format!("writing {}", file.display()))?;
        Ok(file)
    }

    /// Checks the packages with environment variables for the macro.
    pub(super) fn check(&self, variables: &[(&str, &OsStr)]) -> Outcome<Built> {
        let mut targets = vec!["--bins"];
        if self.packages.iter().any(|package| package.has_library) {
            targets.push("--lib");
        }
        if self.targets == Targets::All {
            targets.extend(["--tests", "--examples", "--benches"]);
        }
        self.cargo.progress.begin("cargo check");
        self.cargo.build(&self.packages, &targets, variables)
    }

    /// Removes the progress bar.
    pub(super) fn finish(&self) {
        self.cargo.progress.finish();
    }
}

/// Returns the error of a failed check.
pub(super) fn failure(built: &Built) -> String {
    let errors = built.errors.iter().take(5).map(|error| {
        let reason = Reason::of(error);
        match reason.place {
            Some((file, line)) => format!("  {file}:{line}: {}", reason.text),
            None => format!("  {}", reason.text),
        }
    });
    let errors: Vec<_> = errors.collect();
    if errors.is_empty() {
        return format!("the crate does not build:\n{}", built.tail);
    }
    format!("the crate does not build:\n{}", errors.join("\n"))
}

fn target_folder(metadata: &str) -> Outcome<PathBuf> {
    let value: Value = serde_json::from_str(metadata).context(|| "reading metadata".to_owned())?;
    let folder = value["target_directory"].as_str();
    let folder = folder.ok_or("cargo names no target folder")?;
    Ok(PathBuf::from(folder))
}
