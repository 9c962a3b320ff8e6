//! A machine that is written and read again before each poll.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::case::{Shown, shown};
use super::log::muted;

/// A case whose machine is replaced by its snapshot before each poll: in turn as JSON and in the
/// compact format of postcard. The drop of the stored machine leaves no events, because the machine
/// that is read has the same values.
pub fn stored<F>(future: F) -> Shown
where
    F: Future<Output: Debug> + Serialize + DeserializeOwned + 'static,
{
    shown(StoredFuture {
        future: Box::pin(future),
        polls: 0,
        is_suspended: true,
    })
}

struct StoredFuture<F> {
    future: Pin<Box<F>>,
    polls: u32,
    /// `false` after the machine has returned or panicked: it stores nothing then.
    is_suspended: bool,
}

impl<F: Serialize + DeserializeOwned> StoredFuture<F> {
    /// Replaces the machine by its snapshot.
    fn store(&mut self) {
        let read: F = if self.polls.is_multiple_of(2) {
            let text = serde_json::to_string(&*self.future).expect("a snapshot");
            serde_json::from_str(&text).expect("the same machine")
        } else {
            let bytes = postcard::to_allocvec(&*self.future).expect("a snapshot");
            postcard::from_bytes(&bytes).expect("the same machine")
        };
        let old = std::mem::replace(&mut self.future, Box::pin(read));
        muted(|| drop(old));
    }
}

impl<F: Future + Serialize + DeserializeOwned> Future for StoredFuture<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        if self.is_suspended {
            self.store();
        }
        self.polls += 1;
        self.is_suspended = false;
        let polled = self.future.as_mut().poll(cx);
        self.is_suspended = polled.is_pending();
        polled
    }
}
