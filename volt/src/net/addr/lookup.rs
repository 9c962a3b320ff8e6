//! Looking up names of hosts.

use std::error::Error;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::to_socket_addrs::{AddressQuery, ToSocketAddrs};
use crate::io::with_context;
use crate::runtime::{context, spawn_abandonable};
use crate::task::{JoinError, JoinHandle, poll_proceed};

/// Looks up the addresses of a host, on a thread that may block.
///
/// What is an address already needs no lookup, and is ready at once.
///
/// # Errors
///
/// Fails when the system finds no such host, or when the runtime shuts down meanwhile, which does not
/// wait for a lookup.
///
/// # Panics
///
/// The future panics when it has to look something up on a thread that is in no runtime.
///
/// # Cancel safety
///
/// The system cannot be interrupted: a lookup that has begun goes on when the future is dropped,
/// and its answer is forgotten.
///
/// # Examples
///
/// ```
/// use volt::net::lookup_host;
///
/// volt::block_on(async {
///     let addresses = lookup_host("localhost:80").await?;
///     assert!(addresses.iter().all(|address| address.ip().is_loopback()));
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[track_caller]
pub fn lookup_host<A>(host: A) -> LookupHost
where
    A: ToSocketAddrs,
{
    LookupHost {
        stage: LookupStage::Unresolved(host.to_query()),
        made_at: Location::caller(),
    }
}

/// The future of [`lookup_host`](fn@lookup_host), under the function's own name.
///
/// It is the same for everything that can be looked up.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type lookup_host = LookupHost;

/// A lookup under way; see [`lookup_host`](fn@lookup_host).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct LookupHost {
    stage: LookupStage,
    pub(in crate::net) made_at: &'static Location<'static>,
}

#[derive(Debug)]
enum LookupStage {
    Unresolved(AddressQuery),
    Running(JoinHandle<io::Result<Vec<SocketAddr>>>),
    Done,
}

impl Future for LookupHost {
    type Output = io::Result<Vec<SocketAddr>>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if matches!(self.stage, LookupStage::Unresolved(_)) {
            ready!(poll_proceed(cx)).made_progress();
        }
        loop {
            match std::mem::replace(&mut self.stage, LookupStage::Done) {
                LookupStage::Unresolved(AddressQuery::Known(addresses)) => {
                    return Poll::Ready(Ok(addresses));
                }
                LookupStage::Unresolved(query) => {
                    drop(context::driver_for(self.made_at));
                    self.stage = LookupStage::Running(spawn_abandonable(move || query.resolve()));
                }
                LookupStage::Running(mut lookup) => match Pin::new(&mut lookup).poll(cx) {
                    Poll::Ready(answer) => {
                        let answer = answer.unwrap_or_else(|error| Err(lookup_error(error)));
                        return Poll::Ready(answer.map_err(with_lookup_context));
                    }
                    Poll::Pending => {
                        self.stage = LookupStage::Running(lookup);
                        return Poll::Pending;
                    }
                },
                LookupStage::Done => panic!("the lookup was polled after its answer"),
            }
        }
    }
}

/// Why a lookup was not made.
#[cold]
fn lookup_error(error: JoinError) -> io::Error {
    if error.is_cancelled() {
        return io::Error::other("the volt runtime that was to look it up has shut down");
    }
    // No thread, or a panic. The handle was ours, and so nobody knows the id.
    match error.source().and_then(|it| it.downcast_ref::<io::Error>()) {
        Some(cause) => io::Error::other(format!("no thread could be started: {cause}")),
        None => error.into(),
    }
}

/// Says of an error that it met a lookup.
pub(super) fn with_lookup_context(error: io::Error) -> io::Error {
    with_context("find the address", error)
}
