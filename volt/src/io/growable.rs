//! Spare capacity at the end of a vector, for reads.

use std::io;
use std::ops::DerefMut;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncRead;

/// The smallest number of bytes by which a full vector grows.
const MIN_GROWTH: usize = 64;

/// A buffer that reads append to: a `Vec<u8>`, and with the feature `bytes` a `BytesMut`.
///
/// Other crates cannot implement it.
pub trait GrowableBytes: DerefMut<Target = [u8]> + Unpin + sealed::Sealed {
    #[doc(hidden)]
    fn capacity(&self) -> usize;
    #[doc(hidden)]
    fn reserve(&mut self, more: usize);
    /// Appends zeros up to the length `len`.
    #[doc(hidden)]
    fn zero_extend(&mut self, len: usize);
    #[doc(hidden)]
    fn truncate(&mut self, len: usize);
}

mod sealed {
    //! Seals the trait of this module.

    /// A supertrait that other crates cannot name.
    pub trait Sealed {}
}

macro_rules! impl_growable {
    ($bytes:ty) => {
        impl sealed::Sealed for $bytes {}

        impl GrowableBytes for $bytes {
            fn capacity(&self) -> usize {
                <$bytes>::capacity(self)
            }

            fn reserve(&mut self, more: usize) {
                <$bytes>::reserve(self, more);
            }

            fn zero_extend(&mut self, len: usize) {
                if self.len() < len {
                    self.resize(len, 0);
                }
            }

            fn truncate(&mut self, len: usize) {
                <$bytes>::truncate(self, len);
            }
        }
    };
}

impl_growable!(Vec<u8>);
#[cfg(feature = "bytes")]
impl_growable!(bytes::BytesMut);

/// The spare capacity of a vector, which is filled with zeros while this guard exists.
///
/// Bytes that were read become part of the vector. The drop of the guard truncates the rest, also
/// if a read panics. So a future that is dropped between two polls leaves exactly the bytes that
/// were read.
#[derive(Debug)]
pub(super) struct SpareCapacity<'a, B: GrowableBytes> {
    bytes: &'a mut B,
    filled: usize,
}

impl<'a, B: GrowableBytes> SpareCapacity<'a, B> {
    pub(super) fn of(bytes: &'a mut B) -> Self {
        let filled = bytes.len();
        Self { bytes, filled }
    }

    /// Returns `true` if the vector has no spare capacity.
    pub(super) fn is_full(&self) -> bool {
        self.filled == self.bytes.capacity()
    }

    /// Doubles the capacity if the vector is full.
    pub(super) fn grow_if_full(&mut self) {
        if self.is_full() {
            let more = self.filled.max(MIN_GROWTH);
            // The zeros after `filled` are spare capacity too, so `reserve` must not count them.
            self.bytes.truncate(self.filled);
            self.bytes.reserve(more);
        }
    }

    /// Reads once, at most `limit` bytes. Without spare capacity it reads nothing.
    pub(super) fn poll_read<R>(
        &mut self,
        cx: &mut Context<'_>,
        reader: &mut R,
        limit: usize,
    ) -> Poll<io::Result<usize>>
    where
        R: AsyncRead + Unpin + ?Sized,
    {
        let end = self.bytes.capacity().min(self.filled.saturating_add(limit));
        self.bytes.zero_extend(end);
        let spare = &mut self.bytes[self.filled..end];
        let len = spare.len();
        let read = ready!(Pin::new(reader).poll_read(cx, spare))?;
        // A reader may return more than the length of the buffer. Only the buffer counts.
        let read = read.min(len);
        self.filled += read;
        Poll::Ready(Ok(read))
    }

    /// Appends bytes that were read elsewhere.
    pub(super) fn append(&mut self, read: &[u8]) {
        let end = self.filled + read.len();
        self.bytes.zero_extend(end);
        self.bytes[self.filled..end].copy_from_slice(read);
        self.filled = end;
    }
}

impl<B: GrowableBytes> Drop for SpareCapacity<'_, B> {
    fn drop(&mut self) {
        self.bytes.truncate(self.filled);
    }
}
