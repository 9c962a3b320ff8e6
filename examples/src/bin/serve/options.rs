//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Serves files over TCP with handlers that are state machines, and checks every byte.

Usage: serve [OPTIONS] [FILE|FOLDER]...

With no file named, the pages of volt's own book are served.

Options:
  --clients N    concurrent clients             [64]
  --requests N   requests of each client        [100]
  --workers N    worker threads                 [one a core]
  --port N       port to listen on              [any free one]
  --deadline MS  a slower response counts as lost [2000]
  --stay         keep serving until ctrl-c, for your own browser or curl
  -h, --help     print this
";

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) clients: usize,
    pub(crate) requests: usize,
    pub(crate) workers: Option<NonZeroUsize>,
    pub(crate) port: u16,
    pub(crate) deadline: Duration,
    pub(crate) stay: bool,
}

/// What the command line amounts to.
#[derive(Debug)]
pub(crate) enum Command {
    Help,
    Run(Options),
}

/// Reads the command line.
pub(crate) fn parse(mut args: lexopt::Parser) -> Result<Command, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options {
        paths: Vec::new(),
        clients: 64,
        requests: 100,
        workers: None,
        port: 0,
        deadline: Duration::from_secs(2),
        stay: false,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("clients") => options.clients = args.value()?.parse()?,
            Long("requests") => options.requests = args.value()?.parse()?,
            Long("workers") => options.workers = Some(args.value()?.parse()?),
            Long("port") => options.port = args.value()?.parse()?,
            Long("deadline") => {
                options.deadline = Duration::from_millis(args.value()?.parse()?);
            }
            Long("stay") => options.stay = true,
            Value(path) => options.paths.push(path.into()),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(Command::Run(options))
}
