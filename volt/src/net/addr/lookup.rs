//! `lookup_host`: the lookup of host names.

use std::error::Error;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, Node, Status, register, registrable};

use super::to_socket_addrs::{AddressQuery, ToSocketAddrs};
use crate::io::with_context;
use crate::runtime::{context, spawn_abandonable};
use crate::task::{JoinError, JoinHandle, poll_proceed};

/// Looks up the addresses of a host on a blocking thread.
///
/// An address needs no lookup, and the future is ready at once.
///
/// # Errors
///
/// Returns an error if the system finds no such host. A shutdown of the runtime does not wait for
/// the lookup, which then returns an error.
///
/// # Panics
///
/// The future panics if it must look up a name outside a volt runtime.
///
/// # Cancel safety
///
/// A lookup that has begun cannot be interrupted. After a drop of the future it continues, and its
/// result is discarded.
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
    register::<LookupHost>();
    LookupHost {
        stage: LookupStage::Unresolved(host.to_query()),
        made_at: Location::caller(),
    }
}

/// The future of [`lookup_host`](fn@lookup_host), under the name of the function.
///
/// All types of addresses have the same future.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "the alias has the name of its function"
)]
pub type lookup_host = LookupHost;

/// The future of [`lookup_host`](fn@lookup_host).
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

impl Inspect for LookupHost {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let status = match self.stage {
            LookupStage::Unresolved(_) => Status::NotStarted,
            LookupStage::Running(_) => Status::Waiting,
            LookupStage::Done => Status::Done,
        };
        inspector.node(&Node::new("LookupHost").status(status), |inspector| {
            if let LookupStage::Running(job) = &self.stage {
                job.report_wait(inspector);
            }
        });
    }
}

registrable!(LookupHost);

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
                LookupStage::Done => panic!("`LookupHost` polled after completion"),
            }
        }
    }
}

/// Returns the error of a lookup that did not run.
#[cold]
fn lookup_error(error: JoinError) -> io::Error {
    if error.is_cancelled() {
        return io::Error::other("the volt runtime of the lookup has shut down");
    }
    // No thread was available, or the lookup panicked. The message leaves out the id of the job,
    // because no user has its handle.
    match error
        .source()
        .and_then(|source| source.downcast_ref::<io::Error>())
    {
        Some(cause) => io::Error::other(format!("no thread could be started: {cause}")),
        None => error.into(),
    }
}

/// Adds to an error that a lookup has failed.
pub(super) fn with_lookup_context(error: io::Error) -> io::Error {
    with_context("find the address", error)
}
