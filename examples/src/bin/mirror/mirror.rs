//! The whole site: every page once, so many at a time, until it is done or has to stop.

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use volt::future::{FutureExt, FuturesExt};
use volt::time::sleep;
use volt::{Current, Group};

use crate::fetch::{Failure, Page, fetch, open_connections};

/// How much at a time, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) at_a_time: NonZeroUsize,
    pub(crate) deadline: Duration,
}

/// The pages that were mirrored.
#[derive(Debug, Default)]
pub(crate) struct Mirrored {
    pages: usize,
    bytes: usize,
    took: Duration,
    /// Connections that are still open: none.
    open: usize,
}

/// Why the mirror stopped before it was done.
#[derive(Debug)]
pub(crate) enum Stop {
    Fatal(String),
    Late,
    Interrupted,
}

type Fetches = Group<Result<Page, Failure>>;

/// Mirrors all that can be reached from the first page. When this returns no fetch is under way and
/// no connection of it is open, whatever the reason.
pub(crate) async fn mirror(
    server: SocketAddr,
    limits: Limits,
    interrupt: impl Future<Output = ()>,
) -> (Mirrored, Option<Stop>) {
    let start = Instant::now();
    let mut mirrored = Mirrored::default();
    let mut fetches = Group::new(Current).limit(limits.at_a_time);
    let ends = (
        crawl(server, &mut fetches, &mut mirrored),
        sleep(limits.deadline).map(|()| Some(Stop::Late)),
        interrupt.map(|()| Some(Stop::Interrupted)),
    );
    let stop = ends.race().await;
    fetches.shutdown().await;
    mirrored.took = start.elapsed();
    mirrored.open = open_connections();
    (mirrored, stop)
}

/// Fetches pages until there is none left, or one fails for good.
async fn crawl(server: SocketAddr, fetches: &mut Fetches, mirrored: &mut Mirrored) -> Option<Stop> {
    let mut known = HashSet::from(["/0".to_owned()]);
    fetches.spawn(fetch(server, "/0".to_owned()));
    while let Some((_, fetched)) = fetches.next().await {
        let page = match fetched {
            Ok(Ok(page)) => page,
            Ok(Err(failure)) => return Some(Stop::Fatal(failure.to_string())),
            Err(error) => return Some(Stop::Fatal(error.to_string())),
        };
        mirrored.pages += 1;
        mirrored.bytes += page.bytes;
        for link in page.links {
            if known.insert(link.clone()) {
                fetches.spawn(fetch(server, link));
            }
        }
    }
    None
}

impl Stop {
    /// The exit code that a shell expects.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Fatal(_) => 1,
            Self::Late => 124,
            Self::Interrupted => 130,
        }
    }
}

impl fmt::Display for Mirrored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            pages, bytes, open, ..
        } = self;
        let millis = self.took.as_millis();
        write!(
            f,
            "{pages} pages, {bytes} bytes, {millis} ms, {open} connections open"
        )
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fatal(why) => write!(f, "stopped by an error ({why})"),
            Self::Late => f.write_str("stopped at the deadline"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}
