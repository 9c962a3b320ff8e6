//! Messages to one client from all others.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The largest number of messages that wait for a client. A slower client is disconnected.
const MOST: usize = 256;

/// Messages for one client.
///
/// A sender never waits: a full mailbox is closed.
#[derive(Debug)]
pub struct Mailbox<T>(Mutex<Messages<T>>);

#[derive(Debug)]
struct Messages<T> {
    waiting: VecDeque<T>,
    closed: bool,
    reader: Option<Waker>,
}

impl<T> Default for Mailbox<T> {
    fn default() -> Self {
        Self(Mutex::new(Messages {
            waiting: VecDeque::new(),
            closed: false,
            reader: None,
        }))
    }
}

impl<T> Mailbox<T> {
    fn lock(&self) -> MutexGuard<'_, Messages<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a message there; a full mailbox is closed.
    pub fn put(&self, message: T) {
        self.change(|messages| {
            if messages.waiting.len() < MOST {
                messages.waiting.push_back(message)
            } else {
                messages.closed = true
            }
        });
    }

    /// Messages in the mailbox are still read; then it ends.
    pub fn close(&self) {
        self.change(|messages| messages.closed = true);
    }

    fn change(&self, change: impl FnOnce(&mut Messages<T>)) {
        let mut messages = self.lock();
        if !messages.closed {
            change(&mut messages);
        }
        let reader = messages.reader.take();
        drop(messages);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Waits for the next message; `None` when it is closed. Nothing is lost with a future that is
    /// dropped.
    pub async fn next(&self) -> Option<T> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut messages = self.lock();
        if let Some(message) = messages.waiting.pop_front() {
            return Poll::Ready(Some(message));
        }
        if messages.closed {
            return Poll::Ready(None);
        }
        messages.reader = Some(cx.waker().clone());
        Poll::Pending
    }
}
