//! What is on its way to one member.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Messages that wait for a member at most. Who reads slower than that has to go.
const MOST: usize = 256;

/// Lines for one member, put there by all others.
#[derive(Debug, Default)]
pub(crate) struct Mailbox(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    waiting: VecDeque<Arc<str>>,
    closed: bool,
    reader: Option<Waker>,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a line there; a full mailbox is closed.
    pub(crate) fn put(&self, line: &Arc<str>) {
        self.change(|lines| match lines.waiting.len() < MOST {
            true => lines.waiting.push_back(Arc::clone(line)),
            false => lines.closed = true,
        });
    }

    /// What is there is still read, and then nothing more comes.
    pub(crate) fn close(&self) {
        self.change(|lines| lines.closed = true);
    }

    fn change(&self, change: impl FnOnce(&mut Lines)) {
        let mut lines = self.lock();
        if !lines.closed {
            change(&mut lines);
        }
        let reader = lines.reader.take();
        drop(lines);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Waits for the next line. Nothing is lost with a future that is dropped.
    pub(crate) async fn next(&self) -> Option<Arc<str>> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Option<Arc<str>>> {
        let mut lines = self.lock();
        if let Some(line) = lines.waiting.pop_front() {
            return Poll::Ready(Some(line));
        }
        if lines.closed {
            return Poll::Ready(None);
        }
        lines.reader = Some(cx.waker().clone());
        Poll::Pending
    }
}
