//! A future that a snapshot can contain.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

/// A future that is pending a number of times.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pause {
    left: u32,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        cx.waker().wake_by_ref();
        let Some(left) = self.left.checked_sub(1) else {
            return Poll::Ready(());
        };
        self.left = left;
        Poll::Pending
    }
}

pub(crate) fn pause(left: u32) -> Pause {
    Pause { left }
}
