//! Addresses, tried one after the other.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::vec;

use crate::io::attempted;

/// The addresses left to try, and why the last one failed.
#[derive(Debug)]
pub(super) struct Addresses {
    left: vec::IntoIter<SocketAddr>,
    failure: Option<io::Error>,
}

impl Addresses {
    /// Looks the addresses up, which blocks if a name is among them.
    pub(super) fn resolve(addresses: impl ToSocketAddrs) -> Self {
        match addresses.to_socket_addrs() {
            Ok(found) => Self {
                left: found.collect::<Vec<_>>().into_iter(),
                failure: None,
            },
            Err(error) => Self {
                left: Vec::new().into_iter(),
                failure: Some(attempted("find the address", error)),
            },
        }
    }

    /// The next one to try, or the error of them all: that of the last.
    pub(super) fn next(&mut self) -> io::Result<SocketAddr> {
        self.left.next().ok_or_else(|| {
            self.failure.take().unwrap_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidInput, "there is no address to try")
            })
        })
    }

    /// Notes why one failed.
    pub(super) fn failed(&mut self, to: &str, address: SocketAddr, error: io::Error) {
        self.failure = Some(attempted(format_args!("{to} {address}"), error));
    }
}
