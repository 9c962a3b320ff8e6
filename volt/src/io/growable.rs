//! Room for bytes at the end of a vector.

use std::io;
use std::ops::DerefMut;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncRead;

/// How much room is made at least where there is none.
const MIN_GROWTH: usize = 64;

/// What reads append to: a `Vec<u8>`, and with the feature `bytes` a `BytesMut`.
///
/// Nobody else can implement it.
pub trait GrowableBytes: DerefMut<Target = [u8]> + Unpin + sealed::Sealed {
    #[doc(hidden)]
    fn capacity(&self) -> usize;
    #[doc(hidden)]
    fn reserve(&mut self, more: usize);
    /// Appends zeros up to that length.
    #[doc(hidden)]
    fn zero_extend(&mut self, len: usize);
    #[doc(hidden)]
    fn truncate(&mut self, len: usize);
}

mod sealed {
    //! Nobody else implements the trait of this module.

    /// A supertrait that cannot be named outside of this crate.
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

/// The room behind what a vector holds, with zeros in it while this is there.
///
/// What a read puts there joins the vector; the rest is cut off by the drop, also when a read
/// panics. So a future that is dropped between two polls leaves exactly what was read.
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

    /// Whether the next byte would make the vector move.
    pub(super) fn is_full(&self) -> bool {
        self.filled == self.bytes.capacity()
    }

    /// Makes room, twice as much as there was, if there is none.
    pub(super) fn grow_if_full(&mut self) {
        if self.is_full() {
            let more = self.filled.max(MIN_GROWTH);
            // What stands there as zeros is room too.
            self.bytes.truncate(self.filled);
            self.bytes.reserve(more);
        }
    }

    /// Reads once into the room, at most `limit` bytes; without room it reads nothing.
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
        // A reader that claims more than there was room for has read what there was room for.
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
