//! Addresses, tried one after the other.

use std::io;
use std::net::SocketAddr;
use std::vec;

use super::lookup::no_address;
use super::to_socket_addrs::ToSocketAddrs;
use crate::io::attempted;

/// The addresses left to try, and why the last one failed.
#[derive(Debug)]
pub(in crate::net) struct Addresses {
    left: vec::IntoIter<SocketAddr>,
    failure: Option<io::Error>,
}

impl Addresses {
    /// What a lookup has found.
    pub(in crate::net) fn found(addresses: Vec<SocketAddr>) -> Self {
        Self {
            left: addresses.into_iter(),
            failure: None,
        }
    }

    /// Looks the addresses up, which blocks if a name is among them.
    pub(in crate::net) fn resolve(addresses: impl ToSocketAddrs) -> io::Result<Self> {
        let found = addresses.to_query().answer();
        found.map(Self::found).map_err(no_address)
    }

    /// Returns `true` if no address is left to try.
    pub(in crate::net) fn is_over(&self) -> bool {
        self.left.len() == 0
    }

    /// The next one to try, or the error of them all: that of the last.
    pub(in crate::net) fn next(&mut self) -> io::Result<SocketAddr> {
        self.left.next().ok_or_else(|| {
            self.failure.take().unwrap_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidInput, "there is no address to try")
            })
        })
    }

    /// Notes why one failed.
    pub(in crate::net) fn failed(&mut self, to: &str, address: SocketAddr, error: io::Error) {
        self.failure = Some(attempted(format_args!("{to} {address}"), error));
    }

    /// Opens something at the first address at which that succeeds.
    pub(in crate::net) fn open<T>(
        mut self,
        to: &str,
        open: impl Fn(SocketAddr) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            let address = self.next()?;
            match open(address) {
                Ok(opened) => return Ok(opened),
                Err(error) => self.failed(to, address, error),
            }
        }
    }
}
