//! The command line.

use std::net::SocketAddr;
use std::time::Duration;

use crate::faults::{self, Fault};

pub(crate) const HELP: &str = "\
Runs a program with a fault, and prints what the runtime reports.

Usage: hang [FAULT] [OPTIONS]

Without FAULT: the first four, which need no time.

Faults:
  forgotten      a future that stores its waker nowhere
  own-lock       a task waits for a lock that it holds
  cancelled      a cancelled task under a shield that waits for ever
  lost           a waker that is dropped together with its message
  crossed-locks  two tasks take two locks in opposite order
  held-guard     a lock is held while its owner waits for another program
  held-future    a future in a race keeps its place in the queue of a lock
  held-group     a loop over a group waits for what the group holds
  cycle          three tasks await each other
  blocking-lock  a lock of the standard library is held for long
  endless-loop   a computation that never ends
  slow-polls     one poll in a hundred takes 200 ms
  leak           tasks that wait for an event that never comes
  far-timer      a pause of 30 days in place of 43 minutes
  missing-reply  a task that never answers one request of another task
  silent-peer    a server that never answers one request

Options:
      --after MS      time before the dump is taken [default: 3000]
      --page ADDRESS  start the inspection page, for example at 127.0.0.1:6680,
                      and run until the process is ended
      --write         write all outputs into the pages of the book
  -h, --help          print this
";

pub(crate) struct Options {
    pub(crate) fault: Option<&'static Fault>,
    pub(crate) after: Duration,
    pub(crate) page: Option<SocketAddr>,
    pub(crate) writes_book: bool,
}

/// Parses the command line. Returns `None` if help is requested.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options {
        fault: None,
        after: Duration::from_secs(3),
        page: None,
        writes_book: false,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("after") => options.after = Duration::from_millis(parser.value()?.parse()?),
            Long("page") => options.page = Some(parser.value()?.parse()?),
            Long("write") => options.writes_book = true,
            Value(name) if options.fault.is_none() => {
                let name = name.string()?;
                let fault = faults::find(&name);
                let fault = fault.ok_or_else(|| format!("there is no fault `{name}`"))?;
                options.fault = Some(fault);
            }
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(options))
}
