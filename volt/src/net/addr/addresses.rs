//! Addresses, tried one after the other.

use std::io;
use std::net::SocketAddr;
use std::vec;

use super::lookup::with_lookup_context;
use super::to_socket_addrs::ToSocketAddrs;
use crate::io::with_context;

/// The addresses left to try, and why the last one failed.
#[derive(Debug)]
pub(in crate::net) struct AddressCandidates {
    left: vec::IntoIter<SocketAddr>,
    last_error: Option<io::Error>,
}

impl AddressCandidates {
    /// What a lookup has found.
    pub(in crate::net) fn new(addresses: Vec<SocketAddr>) -> Self {
        Self {
            left: addresses.into_iter(),
            last_error: None,
        }
    }

    /// Looks the addresses up, which blocks if a name is among them.
    pub(in crate::net) fn resolve(addresses: impl ToSocketAddrs) -> io::Result<Self> {
        let found = addresses.to_query().resolve();
        found.map(Self::new).map_err(with_lookup_context)
    }

    /// Returns `true` if no address is left to try.
    pub(in crate::net) fn is_empty(&self) -> bool {
        self.left.len() == 0
    }

    /// The next one to try, or the error of them all: that of the last.
    pub(in crate::net) fn next(&mut self) -> io::Result<SocketAddr> {
        self.left.next().ok_or_else(|| {
            self.last_error.take().unwrap_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidInput, "there is no address to try")
            })
        })
    }

    /// Notes why one failed.
    pub(in crate::net) fn record_failure(
        &mut self,
        to: &str,
        address: SocketAddr,
        error: io::Error,
    ) {
        self.last_error = Some(with_context(format_args!("{to} {address}"), error));
    }

    /// Opens something at the first address at which that succeeds.
    pub(in crate::net) fn open_first<T>(
        mut self,
        to: &str,
        open: impl Fn(SocketAddr) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            let address = self.next()?;
            match open(address) {
                Ok(opened) => return Ok(opened),
                Err(error) => self.record_failure(to, address, error),
            }
        }
    }
}
