//! The options of the command line.

use std::num::NonZeroUsize;
use std::time::Duration;

use lexopt::prelude::*;

use crate::mirror::Limits;
use crate::site::Site;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Serves a site over loopback and mirrors it: so many fetches at a time, retries, a deadline, ctrl-c.

Usage: mirror [OPTIONS]

Options:
  --pages N      pages of the site                           [200]
  --at-a-time N  fetches at a time                           [16]
  --deadline MS  for the whole mirror                        [30000]
  --delay MS     that the server takes for each page         [0]
  --broken       one page is gone for good, which ends it
  -h, --help     print this

Exit codes: 0 every page was mirrored, 1 an error ended it, 2 the command line is wrong, 124 the
deadline came, 130 ctrl-c was pressed.
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) site: Site,
    pub(crate) limits: Limits,
}

/// Reads the command line. Returns `None` if help is requested.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    let mut options = Options {
        site: Site {
            pages: 200,
            delay: Duration::ZERO,
            is_broken: false,
        },
        limits: Limits {
            at_a_time: NonZeroUsize::new(16).expect("not zero"),
            deadline: Duration::from_secs(30),
        },
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("pages") => options.site.pages = parser.value()?.parse()?,
            Long("delay") => options.site.delay = millis(&mut parser)?,
            Long("broken") => options.site.is_broken = true,
            Long("at-a-time") => options.limits.at_a_time = parser.value()?.parse()?,
            Long("deadline") => options.limits.deadline = millis(&mut parser)?,
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(options))
}

fn millis(parser: &mut lexopt::Parser) -> Result<Duration, lexopt::Error> {
    Ok(Duration::from_millis(parser.value()?.parse()?))
}
