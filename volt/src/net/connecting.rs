//! Making a connection.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::addresses::Addresses;
use super::stream::TcpStream;
use crate::driver::Direction;
use crate::runtime::context;

/// Connects to the first of the addresses that answers.
///
/// Names are looked up in this call, which blocks the thread; addresses cost nothing.
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
pub fn connect<A>(address: A) -> Connect
where
    A: ToSocketAddrs,
{
    Connect {
        addresses: Addresses::resolve(address),
        attempt: None,
    }
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
pub struct Connect {
    addresses: Addresses,
    attempt: Option<(SocketAddr, TcpStream)>,
}

impl Connect {
    /// Begins with the next address, or fails if there is none left.
    fn begin(&mut self) -> io::Result<()> {
        loop {
            let address = self.addresses.next()?;
            match start(address) {
                Ok(stream) => {
                    self.attempt = Some((address, stream));
                    return Ok(());
                }
                Err(error) => self.failed(address, error),
            }
        }
    }

    fn failed(&mut self, address: SocketAddr, error: io::Error) {
        self.addresses.failed("connect to", address, error);
    }
}

impl Future for Connect {
    type Output = io::Result<TcpStream>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            let Some((_, stream)) = &self.attempt else {
                self.begin()?;
                continue;
            };
            let result = ready!(stream.io.poll_io(cx, Direction::Write, establish));
            if let Some((address, stream)) = self.attempt.take() {
                match result {
                    Ok(()) => return Poll::Ready(Ok(stream)),
                    Err(error) => self.failed(address, error),
                }
            }
        }
    }
}

fn start(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = mio::net::TcpStream::connect(address)?;
    TcpStream::from_mio(context::driver(), stream)
}

/// Whether the connection stands, has failed, or would be waited for.
fn establish(stream: &mio::net::TcpStream) -> io::Result<()> {
    if let Some(error) = stream.take_error()? {
        return Err(error);
    }
    match stream.peer_addr() {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotConnected => {
            Err(io::ErrorKind::WouldBlock.into())
        }
        Err(error) => Err(error),
    }
}
