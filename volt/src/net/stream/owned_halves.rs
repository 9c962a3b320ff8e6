//! Owned read and write halves of a connection.

use std::error::Error;
use std::fmt;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem;
use std::task::{Context, Poll};

use super::borrowed_halves::{impl_peeking, impl_reading, impl_writing};
use super::read_futures::{Peek, Read, ReadExact, ReadVectored};
use super::write_futures::{Write, WriteAll, WriteVectored};
use crate::io::{Interest, Readable, ReadyFor, Writable};
use crate::loom::sync::Arc;
use crate::net::socket::{HasStream, Transport};
use crate::net::tcp::TcpStream;

/// The read half of a connection, created by `into_split`.
#[derive(Debug)]
pub struct OwnedReadHalf<S = TcpStream> {
    stream: Arc<S>,
}

/// The write half of a connection, created by `into_split`.
///
/// A drop shuts down this half, and the peer reads the end of the stream. The connection is closed
/// when both halves are dropped.
#[derive(Debug)]
pub struct OwnedWriteHalf<S: Transport = TcpStream> {
    stream: Arc<S>,
    /// `true` if the drop does not shut down the half.
    is_forgotten: bool,
}

pub(in crate::net) fn into_split<S: Transport>(stream: S) -> (OwnedReadHalf<S>, OwnedWriteHalf<S>) {
    let stream = Arc::new(stream);
    let write = OwnedWriteHalf {
        stream: Arc::clone(&stream),
        is_forgotten: false,
    };
    (OwnedReadHalf { stream }, write)
}

impl<S: Transport> OwnedReadHalf<S> {
    /// Reunites the two halves of one connection.
    ///
    /// # Errors
    ///
    /// Returns both halves if they belong to different connections.
    pub fn reunite(self, write: OwnedWriteHalf<S>) -> Result<S, ReuniteError<S>> {
        if !Arc::ptr_eq(&self.stream, &write.stream) {
            return Err(ReuniteError { read: self, write });
        }
        write.forget();
        // The two halves are the only owners.
        let stream = Arc::into_inner(self.stream);
        Ok(stream.expect("the other half was dropped"))
    }
}

impl<S: Transport> OwnedWriteHalf<S> {
    /// Reunites the two halves of one connection; see [`OwnedReadHalf::reunite`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`OwnedReadHalf::reunite`].
    pub fn reunite(self, read: OwnedReadHalf<S>) -> Result<S, ReuniteError<S>> {
        read.reunite(self)
    }

    /// Drops the half without shutting it down.
    pub fn forget(mut self) {
        self.is_forgotten = true;
    }
}

impl<S: Transport> Drop for OwnedWriteHalf<S> {
    fn drop(&mut self) {
        if !mem::replace(&mut self.is_forgotten, true) {
            // An error means that the peer has reset the connection, which is then closed too.
            let _ = self.stream.close();
        }
    }
}

impl<S> AsRef<S> for OwnedReadHalf<S> {
    fn as_ref(&self) -> &S {
        &self.stream
    }
}

impl<S: Transport> AsRef<S> for OwnedWriteHalf<S> {
    fn as_ref(&self) -> &S {
        &self.stream
    }
}

impl_peeking!(OwnedReadHalf);
impl_reading!(OwnedReadHalf<S>);
impl_writing!(OwnedWriteHalf<S>);

/// The error of [`OwnedReadHalf::reunite`]: two halves of different connections.
#[derive(Debug)]
pub struct ReuniteError<S: Transport = TcpStream> {
    /// The read half.
    pub read: OwnedReadHalf<S>,
    /// The write half.
    pub write: OwnedWriteHalf<S>,
}

impl<S: Transport> fmt::Display for ReuniteError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the halves belong to different connections")
    }
}

impl<S: Transport + fmt::Debug> Error for ReuniteError<S> {}
