//! `PendingSeek`: seeks of a buffered reader that have begun and are not ready.
//!
//! The future of a seek may be dropped, and the seek takes place nevertheless. So each later
//! operation of the reader awaits it first. Otherwise a read would return buffered bytes of the
//! former position, and then bytes of the new one.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncSeek;

use crate::task::poll_spent;

type PollSeek<R> = fn(Pin<&mut R>, &mut Context<'_>, SeekFrom) -> Poll<io::Result<u64>>;

/// Seeks of the inner reader, one after the other.
pub(super) struct PendingSeek<R> {
    /// The argument of the caller.
    asked: SeekFrom,
    /// The argument for the inner reader, whose position is ahead, after the first poll.
    target: Option<SeekFrom>,
    /// The arguments of the seeks that follow.
    later: VecDeque<SeekFrom>,
    /// `R::poll_seek`, which readers call without the bound `AsyncSeek`.
    poll: PollSeek<R>,
}

impl<R> PendingSeek<R> {
    pub(super) fn new(asked: SeekFrom) -> Self
    where
        R: AsyncSeek,
    {
        Self {
            asked,
            target: None,
            later: VecDeque::new(),
            poll: R::poll_seek,
        }
    }

    /// Appends a seek. The last seek again is the same one.
    pub(super) fn append(&mut self, to: SeekFrom) {
        if *self.later.back().unwrap_or(&self.asked) != to {
            self.later.push_back(to);
        }
    }

    /// Polls the seeks, and returns the result of the last one. Each one that succeeds empties the
    /// buffer, whose bytes are in the range from `from` to `to`.
    pub(super) fn poll(
        &mut self,
        mut inner: Pin<&mut R>,
        cx: &mut Context<'_>,
        (from, to): (&mut usize, &mut usize),
    ) -> Poll<io::Result<u64>> {
        loop {
            let target = self
                .target
                .or_else(|| inner_target(self.asked, *to - *from));
            let result = match target {
                Some(target) => {
                    self.target = Some(target);
                    ready!((self.poll)(inner.as_mut(), cx, target))
                }
                None => {
                    ready!(poll_spent(cx));
                    Err(io::ErrorKind::InvalidInput.into())
                }
            };
            if result.is_ok() {
                (*from, *to) = (0, 0);
            }
            match self.later.pop_front() {
                Some(next) => (self.asked, self.target) = (next, None),
                None => return Poll::Ready(result),
            }
        }
    }
}

/// Returns the argument for the inner reader, whose position is `ahead` bytes ahead.
fn inner_target(asked: SeekFrom, ahead: usize) -> Option<SeekFrom> {
    let SeekFrom::Current(by) = asked else {
        return Some(asked);
    };
    let by = by.checked_sub(i64::try_from(ahead).ok()?)?;
    Some(SeekFrom::Current(by))
}

impl<R> fmt::Debug for PendingSeek<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PendingSeek").field(&self.asked).finish()
    }
}
