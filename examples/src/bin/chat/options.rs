//! The command line.

use std::net::SocketAddr;
use std::time::Duration;

use lexopt::prelude::*;

use crate::session::Limits;

pub(crate) const HELP: &str = "\
A chat server: rooms, limits of time, and a clean end at ctrl-c.

Usage: chat [OPTIONS]

Options:
  --address ADDRESS  where it listens [default: 127.0.0.1:0, a port of the system's choice]
  --idle MS          who says nothing for so many milliseconds has to go [default: 300000]
  --patience MS      who does not read for so many milliseconds has to go [default: 10000]
  --grace MS         how long sessions have to end after ctrl-c [default: 2000]
  -h, --help         this

Talk to it with `nc`. The first line is your name. Then `/join ROOM`, `/who`, `/quit`, or what you say.
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) address: SocketAddr,
    pub(crate) limits: Limits,
    pub(crate) grace: Duration,
}

pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    let mut options = Options {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        limits: Limits {
            idle: Duration::from_secs(300),
            patience: Duration::from_secs(10),
        },
        grace: Duration::from_secs(2),
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("address") => options.address = parser.value()?.parse()?,
            Long("idle") => options.limits.idle = milliseconds(&mut parser)?,
            Long("patience") => options.limits.patience = milliseconds(&mut parser)?,
            Long("grace") => options.grace = milliseconds(&mut parser)?,
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(options))
}

fn milliseconds(parser: &mut lexopt::Parser) -> Result<Duration, lexopt::Error> {
    Ok(Duration::from_millis(parser.value()?.parse()?))
}
