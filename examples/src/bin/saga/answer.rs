//! The answer to the last request, as a future.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use serde::{Deserialize, Serialize};

thread_local! {
    static ANSWER: Cell<Option<String>> = const { Cell::new(None) };
    /// The waker of the machine that waits. A future that keeps none is reported as stuck.
    static WAITING: Cell<Option<Waker>> = const { Cell::new(None) };
}

/// Sets the answer of this process.
pub(crate) fn set_answer(text: &str) {
    ANSWER.set(Some(text.to_owned()));
    if let Some(waker) = WAITING.take() {
        waker.wake();
    }
}

/// Waits for an answer. It stores nothing, so a snapshot of it is `null`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Answer;

impl Future for Answer {
    type Output = String;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
        if let Some(answer) = ANSWER.take() {
            return Poll::Ready(answer);
        }
        WAITING.set(Some(cx.waker().clone()));
        Poll::Pending
    }
}
