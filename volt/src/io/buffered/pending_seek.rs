//! `PendingSeek`: a seek of a buffered reader that has begun and is not ready.
//!
//! Its future may be dropped, and the seek takes place nevertheless. So each later operation of the
//! reader awaits it first. Otherwise a read would return buffered bytes of the former position, and
//! then bytes of the new one.

use std::fmt;
use std::io::{self, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::AsyncSeek;

type PollSeek<R> = fn(Pin<&mut R>, &mut Context<'_>, SeekFrom) -> Poll<io::Result<u64>>;

/// A seek of the inner reader. The function pointer lets readers call it without `AsyncSeek`.
pub(super) struct PendingSeek<R> {
    /// The argument of the caller.
    pub(super) asked: SeekFrom,
    /// The argument for the inner reader, whose position is ahead.
    to: SeekFrom,
    poll: PollSeek<R>,
}

impl<R> PendingSeek<R> {
    pub(super) fn new(asked: SeekFrom, to: SeekFrom) -> Self
    where
        R: AsyncSeek,
    {
        let poll = R::poll_seek;
        Self { asked, to, poll }
    }

    pub(super) fn poll(&self, inner: Pin<&mut R>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        (self.poll)(inner, cx, self.to)
    }
}

impl<R> fmt::Debug for PendingSeek<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PendingSeek").field(&self.asked).finish()
    }
}
