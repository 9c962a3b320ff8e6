//! What was asked for on the command line.

use std::path::PathBuf;

use lexopt::prelude::*;

/// The options.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// How many functions.
    pub(crate) count: u64,
    /// How many functions stand in one program.
    pub(crate) batch: u64,
    /// How many may be refused.
    pub(crate) refusals: usize,
    /// How many programs are compiled and run at once.
    pub(crate) jobs: u64,
    /// Where the programs are written.
    pub(crate) folder: PathBuf,
    /// Only prints the family of that index.
    pub(crate) show: Option<u64>,
    /// Only prints what the macro makes of a file.
    pub(crate) expand: Option<PathBuf>,
}

impl Options {
    pub(crate) fn parse() -> Result<Self, lexopt::Error> {
        let mut options = Self {
            seed: 1,
            count: 200,
            batch: 100,
            refusals: 0,
            jobs: 2,
            folder: std::env::temp_dir().join(format!("differ-{}", std::process::id())),
            show: None,
            expand: None,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("seed") => options.seed = parser.value()?.parse()?,
                Long("count") => options.count = parser.value()?.parse()?,
                Long("batch") => options.batch = parser.value()?.parse()?,
                Long("refusals") => options.refusals = parser.value()?.parse()?,
                Long("jobs") => options.jobs = parser.value()?.parse()?,
                Long("keep") => options.folder = parser.value()?.into(),
                Long("show") => options.show = Some(parser.value()?.parse()?),
                Long("expand") => options.expand = Some(parser.value()?.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }
}
