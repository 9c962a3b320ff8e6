//! What the command line says.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

use lexopt::prelude::*;

pub(crate) const USAGE: &str = "usage: stress [--minutes N | --seconds N] [--seed N] [--round N]";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) limit: Duration,
    pub(crate) seed: u64,
    /// Only this one.
    pub(crate) round: Option<u64>,
}

impl Options {
    pub(crate) fn read() -> Result<Self, lexopt::Error> {
        let mut options = Self {
            limit: Duration::from_secs(60),
            seed: RandomState::new().hash_one(0),
            round: None,
        };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("minutes") => {
                    let minutes: u64 = arguments.value()?.parse()?;
                    options.limit = Duration::from_secs(60 * minutes);
                }
                Long("seconds") => {
                    options.limit = Duration::from_secs(arguments.value()?.parse()?);
                }
                Long("seed") => options.seed = arguments.value()?.parse()?,
                Long("round") => options.round = Some(arguments.value()?.parse()?),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }
}
