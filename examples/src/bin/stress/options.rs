//! The options of the command line.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

use lexopt::prelude::*;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Runs random programs on random runtimes, and looks for tasks that hang, leak or are lost.

Usage: stress [OPTIONS]

Options:
  --minutes N  how long it runs
  --seconds N  the same, in seconds                       [60]
  --seed N     what the programs are drawn from           [another one each time]
  --round N    run this one round of the seed, and end
  -h, --help   print this

The seed is printed first, then once a minute how much was run. A round that fails or hangs is named
on stderr, with its seed and number: `--seed` and `--round` run the same program again, though its
threads take other turns.

Exit codes: 0 nothing was found, 2 the command line is wrong, any other: a round failed or hung, or an
act of inspections was never done in 300 rounds or more.
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) limit: Duration,
    pub(crate) seed: u64,
    /// Only this one.
    pub(crate) round: Option<u64>,
}

impl Options {
    /// Reads the command line. Returns `None` if help is requested.
    pub(crate) fn parse(mut arguments: lexopt::Parser) -> Result<Option<Self>, lexopt::Error> {
        let mut options = Self {
            limit: Duration::from_secs(60),
            seed: RandomState::new().hash_one(0),
            round: None,
        };
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("minutes") => {
                    let minutes: u64 = arguments.value()?.parse()?;
                    options.limit = Duration::from_secs(minutes.saturating_mul(60));
                }
                Long("seconds") => {
                    options.limit = Duration::from_secs(arguments.value()?.parse()?);
                }
                Long("seed") => options.seed = arguments.value()?.parse()?,
                Long("round") => options.round = Some(arguments.value()?.parse()?),
                Short('h') | Long("help") => return Ok(None),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Some(options))
    }
}
