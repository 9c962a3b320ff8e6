//! `AddressCandidates`: addresses that are tried in order.

use std::io;
use std::net::SocketAddr;
use std::vec;

use super::lookup::with_lookup_context;
use super::to_socket_addrs::ToSocketAddrs;
use crate::io::with_context;

/// The addresses left to try, and the error of the last attempt.
#[derive(Debug)]
pub(in crate::net) struct AddressCandidates {
    left: vec::IntoIter<SocketAddr>,
    last_error: Option<io::Error>,
}

impl AddressCandidates {
    /// Creates a list of the addresses that a lookup has found.
    pub(in crate::net) fn new(addresses: Vec<SocketAddr>) -> Self {
        Self {
            left: addresses.into_iter(),
            last_error: None,
        }
    }

    /// Looks the addresses up. This blocks the thread if they contain a name.
    pub(in crate::net) fn resolve(addresses: impl ToSocketAddrs) -> io::Result<Self> {
        let found = addresses.to_query().resolve();
        found.map(Self::new).map_err(with_lookup_context)
    }

    /// Returns `true` if no address is left to try.
    pub(in crate::net) fn is_empty(&self) -> bool {
        self.left.len() == 0
    }

    /// Returns the next address to try. If none is left, returns the error of the last attempt.
    pub(in crate::net) fn next(&mut self) -> io::Result<SocketAddr> {
        self.left.next().ok_or_else(|| {
            self.last_error.take().unwrap_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidInput, "there is no address to try")
            })
        })
    }

    /// Stores the error of an attempt.
    pub(in crate::net) fn record_failure(
        &mut self,
        to: &str,
        address: SocketAddr,
        error: io::Error,
    ) {
        self.last_error = Some(with_context(format_args!("{to} {address}"), error));
    }

    /// Calls `open` with each address, and returns the first success.
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
