//! The answer to the last request, as a future.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

thread_local! {
    static ANSWER: Cell<Option<String>> = const { Cell::new(None) };
}

/// Sets the answer of this process.
pub(crate) fn set_answer(text: &str) {
    ANSWER.set(Some(text.to_owned()));
}

/// Waits for an answer. It stores nothing, so a snapshot of it is `null`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Answer;

impl Future for Answer {
    type Output = String;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<String> {
        ANSWER.take().map_or(Poll::Pending, Poll::Ready)
    }
}
