//! The command line.

use std::net::SocketAddr;
use std::num::NonZeroUsize;

use lexopt::prelude::*;

pub(crate) const HELP: &str = "\
Keys, values that expire, and messages to subscribers, in the protocol of Redis.

Usage: redis [OPTIONS]

Options:
  --address ADDRESS  where it listens [default: 127.0.0.1:0, a port of the system's choice]
  --clients COUNT    how many there may be at a time; others wait [default: 1000]
  -h, --help         this

It knows PING, ECHO, GET, SET with EX or PX, DEL, EXISTS, INCR, TTL, PTTL, DBSIZE, PUBLISH, SUBSCRIBE,
UNSUBSCRIBE and QUIT. Talk to it with any client of Redis, or with `nc`, one command a line.
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) address: SocketAddr,
    pub(crate) clients: NonZeroUsize,
}

pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    let mut options = Options {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        clients: const { NonZeroUsize::new(1000).unwrap() },
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("address") => options.address = parser.value()?.parse()?,
            Long("clients") => options.clients = parser.value()?.parse()?,
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(options))
}
