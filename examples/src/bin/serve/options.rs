//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Serves files over TCP with handlers that are state machines, and checks every byte.

Usage: serve [OPTIONS] [FILE|FOLDER]...

With no file named, the pages of volt's own book are served.

Options:
  --clients N    concurrent clients             [64]
  --requests N   requests of each client        [100]
  --workers N    worker threads                 [one a core]
  --connections N  the most at a time; more wait [512]
  --patience MS  a client that is slower than this to send
                 a request, or to read on, is let go [10000]
  --port N       port to listen on              [any free one]
  --deadline MS  a slower response counts as lost [2000]
  --stay         keep serving until ctrl-c, for your own browser or curl
  -h, --help     print this

Exit codes: 0 every response arrived whole, 1 one did not or the server failed, 2 the command line
is wrong.
";

/// The options of the command line.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) clients: usize,
    pub(crate) requests: usize,
    pub(crate) workers: Option<NonZeroUsize>,
    pub(crate) connections: usize,
    pub(crate) patience: Duration,
    pub(crate) port: u16,
    pub(crate) deadline: Duration,
    pub(crate) stay: bool,
}

/// Reads the command line. Returns `None` if help is requested.
pub(crate) fn parse(mut args: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options {
        paths: Vec::new(),
        clients: 64,
        requests: 100,
        workers: None,
        connections: 512,
        patience: Duration::from_secs(10),
        port: 0,
        deadline: Duration::from_secs(2),
        stay: false,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(None),
            Long("clients") => options.clients = number(&mut args, "--clients")?.get(),
            Long("requests") => options.requests = number(&mut args, "--requests")?.get(),
            Long("workers") => options.workers = Some(number(&mut args, "--workers")?),
            Long("port") => options.port = args.value()?.parse()?,
            Long("connections") => {
                options.connections = number(&mut args, "--connections")?.get();
            }
            Long("patience") => options.patience = millis(&mut args, "--patience")?,
            Long("deadline") => options.deadline = millis(&mut args, "--deadline")?,
            Long("stay") => options.stay = true,
            Value(path) => options.paths.push(path.into()),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(Some(options))
}

/// Reads the value of an option that takes a time.
fn millis(args: &mut lexopt::Parser, option: &str) -> Result<Duration, lexopt::Error> {
    let millis = number(args, option)?.get();
    Ok(Duration::from_millis(millis as u64))
}

/// Reads the value of an option that takes a number from one on.
fn number(args: &mut lexopt::Parser, option: &str) -> Result<NonZeroUsize, lexopt::Error> {
    let value = args.value()?;
    let number = value.to_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| {
        let text = format!("{option} takes a number from 1 on, not {value:?}");
        lexopt::Error::Custom(text.into())
    })
}
