//! A package on disk, and the cost of compiling it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::clock;
use crate::code::{self, Sections};
use crate::counter;
use crate::microcontroller::{self, TARGET};
use crate::source::{self, Bodies, Version};

/// Returns `true` if the machines are compiled with the feature `rt`.
pub(crate) fn has_runtime() -> bool {
    std::env::args().any(|arg| arg == "--rt")
}

/// One version of the library, in its own folder.
pub(crate) struct Package {
    folder: PathBuf,
    source: String,
    builds: u32,
}

impl Package {
    /// Writes the package to the temporary folder of cargo.
    pub(crate) fn new(bodies: Bodies, version: Version, functions: usize) -> io::Result<Self> {
        let name = version.name.replace(|c: char| !c.is_alphanumeric(), "");
        let folder = root().join(format!("{bodies:?}")).join(name);
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::create_dir_all(folder.join("src"))?;
        let manifest = source::manifest(version, env!("CARGO_MANIFEST_DIR"), has_runtime());
        fs::write(folder.join("Cargo.toml"), manifest)?;
        // The lock file of the workspace has versions that are already on this machine.
        fs::copy(workspace.join("../Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self {
            folder,
            source: bodies.library(version, functions),
            builds: 0,
        })
    }

    /// Compiles the library again, without its dependencies, and returns the processor time in
    /// seconds.
    pub(crate) fn compile(&mut self, command: &[&str]) -> io::Result<f64> {
        let before = clock::children_seconds()?;
        self.run(command, |_| ())?;
        let after = clock::children_seconds()?;
        Ok(after - before)
    }

    /// Checks the library, and returns the instructions of rustc.
    pub(crate) fn instructions(&mut self) -> io::Result<u64> {
        let reports = self.folder.join("reports");
        self.run(&["check"], |cargo| counter::count_in(cargo, &reports))?;
        counter::read(&reports)
    }

    /// Builds a program that polls each function, and returns the bytes of its sections.
    pub(crate) fn code(&mut self) -> io::Result<Sections> {
        self.build_program(false, &["build", "--release", "--bins"], |_| ())?;
        code::sections(&root().join("target/release/measured"))
    }

    /// Builds the program for a microcontroller, and returns the bytes of its sections.
    pub(crate) fn code_of_microcontroller(&mut self) -> io::Result<Sections> {
        self.source = microcontroller::library(&self.source);
        let command = ["build", "--release", "--bins", "--target", TARGET];
        self.build_program(true, &command, |cargo| {
            cargo.envs(microcontroller::PROFILE);
        })?;
        code::sections(&root().join("target").join(TARGET).join("release/measured"))
    }

    fn build_program(
        &mut self,
        is_bare: bool,
        command: &[&str],
        prepare: impl FnOnce(&mut Command),
    ) -> io::Result<()> {
        let program = self.folder.join("src/main.rs");
        let head = if is_bare { "#![no_main]\n" } else { "" };
        let source = source::program(&self.source, is_bare);
        fs::write(&program, format!("{head}{source}"))?;
        self.run(command, prepare)?;
        fs::remove_file(program)
    }

    /// Compiles the library again, by a command that `prepare` changes.
    fn run(&mut self, command: &[&str], prepare: impl FnOnce(&mut Command)) -> io::Result<()> {
        self.builds += 1;
        let source = format!("{}\n// {}\n", self.source, self.builds);
        fs::write(self.folder.join("src/lib.rs"), source)?;
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(command)
            .args(["--quiet", "--offline"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", root().join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .stdin(Stdio::null());
        prepare(&mut cargo);
        if !cargo.status()?.success() {
            return Err(io::Error::other("the measured package does not compile"));
        }
        Ok(())
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time")
}
