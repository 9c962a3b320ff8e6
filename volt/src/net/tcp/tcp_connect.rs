//! `connect`: new TCP connections.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use volt_inspect::{Inspect, Inspector, Node, Wait, register, registrable};

use super::tcp_stream::TcpStream;
use crate::driver::Direction;
use crate::net::addr::{AddressCandidates, LookupHost, ToSocketAddrs, lookup_host};
use crate::net::socket::{SocketWait, check_connected};
use crate::runtime::context;
use crate::time::{Sleep, sleep};

/// Connects to the first address that answers.
///
/// Names are first looked up by [`lookup_host`](fn@lookup_host). The addresses are then tried in
/// order, by RFC 8305. IPv4 and IPv6 addresses alternate. The next attempt starts when an attempt
/// has failed, or after 250 ms without an answer. Earlier attempts continue, and the first
/// connection is returned.
///
/// # Errors
///
/// Returns an error if there is no address. If all attempts fail, returns the error of the last
/// one, and the message names its address.
///
/// # Panics
///
/// The future panics if it is polled outside a volt runtime.
///
/// # Cancel safety
///
/// Dropping the future closes the connections that are in progress.
#[track_caller]
pub fn connect<A>(address: A) -> Connect
where
    A: ToSocketAddrs,
{
    register::<Connect>();
    Connect(ConnectStage::Lookup(lookup_host(address)))
}

/// The future of [`connect`](fn@connect), under the name of the function. State machines name it
/// for `connect(address).await`.
///
/// All types of addresses have the same future.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "the alias has the name of its function"
)]
pub type connect = Connect;

impl TcpStream {
    /// Connects to the first of the addresses that answers; see [`connect`](fn@connect).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`connect`](fn@connect).
    #[track_caller]
    pub fn connect<A>(address: A) -> Connect
    where
        A: ToSocketAddrs,
    {
        connect(address)
    }
}

/// The future of [`connect`](fn@connect).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Connect(ConnectStage);

#[derive(Debug)]
enum ConnectStage {
    Lookup(LookupHost),
    Attempts(ConnectAttempts),
}

/// The delay between the starts of two attempts, as RFC 8305 recommends.
const ATTEMPT_DELAY: Duration = Duration::from_millis(250);

/// The attempts to connect to several addresses.
#[derive(Debug)]
struct ConnectAttempts {
    addresses: AddressCandidates,
    running: Vec<(SocketAddr, TcpStream)>,
    /// The timer for the start of the next attempt, if an address is left.
    next: Option<Pin<Box<Sleep>>>,
    made_at: &'static Location<'static>,
}

impl ConnectAttempts {
    /// Starts an attempt with the next address. Returns an error if no address is left and no
    /// attempt runs.
    #[track_caller]
    fn start_next(&mut self) -> io::Result<()> {
        self.next = None;
        while !self.addresses.is_empty() || self.running.is_empty() {
            let address = self.addresses.next()?;
            match start_connect(address, self.made_at) {
                Ok(stream) => {
                    self.running.push((address, stream));
                    if !self.addresses.is_empty() {
                        self.next = Some(Box::pin(sleep(ATTEMPT_DELAY)));
                    }
                    return Ok(());
                }
                Err(error) => self.record_failure(address, error),
            }
        }
        Ok(())
    }

    fn record_failure(&mut self, address: SocketAddr, error: io::Error) {
        self.addresses.record_failure("connect to", address, error);
    }

    #[track_caller]
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<TcpStream>> {
        loop {
            let before = self.running.len();
            if let Some(stream) = self.poll_running(cx) {
                return Poll::Ready(Ok(stream));
            }
            let has_failed = self.running.len() < before;
            let is_due = match &mut self.next {
                Some(next) => next.as_mut().poll(cx).is_ready(),
                None => false,
            };
            let must_start = has_failed && !self.addresses.is_empty();
            if !must_start && !is_due && !self.running.is_empty() {
                return Poll::Pending;
            }
            self.start_next()?;
        }
    }

    /// Returns the first established connection, and removes the failed attempts.
    fn poll_running(&mut self, cx: &mut Context<'_>) -> Option<TcpStream> {
        let mut at = 0;
        while let Some((_, stream)) = self.running.get(at) {
            let Poll::Ready(result) = stream.io.poll_io(cx, Direction::Write, check_connected)
            else {
                at += 1;
                continue;
            };
            let (address, stream) = self.running.remove(at);
            match result {
                Ok(()) => return Some(stream),
                Err(error) => self.record_failure(address, error),
            }
        }
        None
    }
}

impl Inspect for Connect {
    fn inspect(mut self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        match &mut self.0 {
            ConnectStage::Lookup(lookup) => {
                inspector.node(&Node::new("Connect").label("lookup"), |inspector| {
                    Pin::new(lookup).inspect(inspector);
                });
            }
            ConnectStage::Attempts(attempts) => {
                inspector.node(&Node::new("Connect"), |inspector| {
                    for (address, _) in &attempts.running {
                        SocketWait::CONNECT.report(Some(address), inspector);
                    }
                    if let Some(left) = attempts.next.as_ref().and_then(|next| next.left()) {
                        inspector.waits(Wait::Timer { left });
                    }
                });
            }
        }
    }
}

registrable!(Connect);

impl Future for Connect {
    type Output = io::Result<TcpStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match &mut self.0 {
                ConnectStage::Lookup(lookup) => {
                    let made_at = lookup.made_at;
                    let found = ready!(Pin::new(lookup).poll(cx))?;
                    self.0 = ConnectStage::Attempts(ConnectAttempts {
                        addresses: AddressCandidates::new(interleave_families(found)),
                        running: Vec::new(),
                        next: None,
                        made_at,
                    });
                }
                ConnectStage::Attempts(attempts) => return attempts.poll(cx),
            }
        }
    }
}

/// Orders addresses so that both families alternate. The family of the first address comes first.
fn interleave_families(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let Some(first) = addresses.first().map(SocketAddr::is_ipv6) else {
        return addresses;
    };
    let (some, others): (Vec<_>, Vec<_>) = addresses
        .iter()
        .partition(|address| address.is_ipv6() == first);
    let longer = some.len().max(others.len());
    let pairs = (0..longer).flat_map(|at| [some.get(at), others.get(at)]);
    pairs.flatten().copied().collect()
}

#[track_caller]
fn start_connect(address: SocketAddr, made_at: &Location<'_>) -> io::Result<TcpStream> {
    let driver = context::driver_for(made_at);
    TcpStream::from_mio(driver, mio::net::TcpStream::connect(address)?)
}

#[cfg(test)]
mod tests {
    use super::interleave_families;

    #[test]
    fn families_alternate() {
        let parse = |text: &str| text.parse().expect("an address");
        let given = ["[::1]:1", "[::2]:1", "[::3]:1", "1.1.1.1:1", "2.2.2.2:1"].map(parse);
        let order = ["[::1]:1", "1.1.1.1:1", "[::2]:1", "2.2.2.2:1", "[::3]:1"].map(parse);
        assert_eq!(interleave_families(given.to_vec()), order);
        assert_eq!(interleave_families(order.to_vec()), order);
        assert_eq!(interleave_families(Vec::new()), []);
    }
}
