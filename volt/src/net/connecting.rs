//! Making a connection.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::addresses::Addresses;
use super::establish::establish;
use super::lookup::{LookupHost, lookup_host};
use super::query::ToSocketAddrs;
use super::stream::TcpStream;
use crate::driver::Direction;
use crate::runtime::context;

/// Connects to the first of the addresses that answers.
///
/// Names are looked up first, as [`lookup_host`](fn@lookup_host) does.
///
/// # Errors
///
/// Fails when there is no address, or with the error that the last one met; the text names it.
///
/// # Panics
///
/// The future panics when it is polled on a thread that is in no runtime.
///
/// # Cancel safety
///
/// Dropping the future closes the connection it was making.
#[track_caller]
pub fn connect<A>(address: A) -> Connect
where
    A: ToSocketAddrs,
{
    Connect(Stage::Lookup(lookup_host(address)))
}

/// The future of [`connect`](fn@connect), under the function's own name: what a state machine
/// waits for in `connect(address).await`.
///
/// It is the same for every kind of address.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type connect = Connect;

impl TcpStream {
    /// Connects to the first of the addresses that answers; see [`connect`](fn@connect).
    ///
    /// # Errors
    ///
    /// As [`connect`](fn@connect).
    #[track_caller]
    pub fn connect<A>(address: A) -> Connect
    where
        A: ToSocketAddrs,
    {
        connect(address)
    }
}

/// A connection in the making; see [`connect`](fn@connect).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Connect(Stage);

#[derive(Debug)]
enum Stage {
    Lookup(LookupHost),
    Attempts(Attempts),
}

/// The attempts to connect to several addresses.
#[derive(Debug)]
struct Attempts {
    addresses: Addresses,
    current: Option<(SocketAddr, TcpStream)>,
    made_at: &'static Location<'static>,
}

impl Attempts {
    /// Begins with the next address, or fails if there is none left.
    #[track_caller]
    fn begin(&mut self) -> io::Result<()> {
        loop {
            let address = self.addresses.next()?;
            match start(address, self.made_at) {
                Ok(stream) => {
                    self.current = Some((address, stream));
                    return Ok(());
                }
                Err(error) => self.failed(address, error),
            }
        }
    }

    fn failed(&mut self, address: SocketAddr, error: io::Error) {
        self.addresses.failed("connect to", address, error);
    }

    #[track_caller]
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<TcpStream>> {
        loop {
            let Some((_, stream)) = &self.current else {
                self.begin()?;
                continue;
            };
            let result = ready!(stream.io.poll_io(cx, Direction::Write, establish));
            if let Some((address, stream)) = self.current.take() {
                match result {
                    Ok(()) => return Poll::Ready(Ok(stream)),
                    Err(error) => self.failed(address, error),
                }
            }
        }
    }
}

impl Future for Connect {
    type Output = io::Result<TcpStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match &mut self.0 {
                Stage::Lookup(lookup) => {
                    let made_at = lookup.made_at;
                    let addresses = Addresses::found(ready!(Pin::new(lookup).poll(cx))?);
                    self.0 = Stage::Attempts(Attempts {
                        addresses,
                        current: None,
                        made_at,
                    });
                }
                Stage::Attempts(attempts) => return attempts.poll(cx),
            }
        }
    }
}

#[track_caller]
fn start(address: SocketAddr, made_at: &Location<'_>) -> io::Result<TcpStream> {
    let driver = context::driver_for(made_at);
    TcpStream::from_mio(driver, mio::net::TcpStream::connect(address)?)
}
