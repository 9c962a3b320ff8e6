//! The two halves of a connection, owned.

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

/// The half of a connection that is read, made by `into_split`.
#[derive(Debug)]
pub struct OwnedReadHalf<S = TcpStream> {
    stream: Arc<S>,
}

/// The half of a connection that is written, made by `into_split`.
///
/// Dropping it ends that half: the peer reads the end of the stream. The connection itself is
/// closed when both halves are dropped.
#[derive(Debug)]
pub struct OwnedWriteHalf<S: Transport = TcpStream> {
    stream: Arc<S>,
    /// Whether the drop leaves the connection as it is.
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
    /// Puts the two halves of one connection together again.
    ///
    /// # Errors
    ///
    /// Gives both back if they are halves of different connections.
    pub fn reunite(self, write: OwnedWriteHalf<S>) -> Result<S, ReuniteError<S>> {
        if !Arc::ptr_eq(&self.stream, &write.stream) {
            return Err(ReuniteError { read: self, write });
        }
        write.forget();
        // Only the two halves have had it.
        let stream = Arc::into_inner(self.stream);
        Ok(stream.expect("the other half is gone"))
    }
}

impl<S: Transport> OwnedWriteHalf<S> {
    /// Puts the two halves of one connection together again; see [`OwnedReadHalf::reunite`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn reunite(self, read: OwnedReadHalf<S>) -> Result<S, ReuniteError<S>> {
        read.reunite(self)
    }

    /// Drops the half without ending it for the peer.
    pub fn forget(mut self) {
        self.is_forgotten = true;
    }
}

impl<S: Transport> Drop for OwnedWriteHalf<S> {
    fn drop(&mut self) {
        if !mem::replace(&mut self.is_forgotten, true) {
            // A connection that the peer has reset is over anyway.
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

/// Two halves that are not of one connection; see [`OwnedReadHalf::reunite`].
#[derive(Debug)]
pub struct ReuniteError<S: Transport = TcpStream> {
    /// The half that is read.
    pub read: OwnedReadHalf<S>,
    /// The half that is written.
    pub write: OwnedWriteHalf<S>,
}

impl<S: Transport> fmt::Display for ReuniteError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the halves belong to different connections")
    }
}

impl<S: Transport + fmt::Debug> Error for ReuniteError<S> {}
