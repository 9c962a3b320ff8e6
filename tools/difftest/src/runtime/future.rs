//! Futures that log their creation, polls and drop.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

use super::log::{ask, event, quiet};

/// Returns a future that is pending as often as the script selects, then returns the value.
pub fn step<T: Unpin>(id: u32, value: T) -> Step<T> {
    event("step", id);
    Step {
        id,
        pending: ask(|script| script.draw(3)),
        value: Some(value),
    }
}

/// The future of [`step`](fn@step).
#[expect(
    non_camel_case_types,
    reason = "the type stands under the name of its function"
)]
pub type step<T> = Step<T>;

/// A future with a destructor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct Step<T> {
    id: u32,
    pending: u32,
    #[serde(with = "list")]
    value: Option<T>,
}

/// An `Option` as a list of at most one value. JSON writes `Some(())` as `null`, and reads that as
/// `None`.
mod list {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let mut values = Vec::deserialize(deserializer)?;
        Ok(values.pop())
    }
}

impl<T: Unpin> Future for Step<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        event("poll", self.id);
        if self.pending > 0 {
            self.pending -= 1;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.value.take().expect("polled after it was ready"))
    }
}

impl<T> Drop for Step<T> {
    fn drop(&mut self) {
        quiet("unstep", self.id);
    }
}

/// Waits as long as the script selects.
pub fn tick(id: u32) -> Step<()> {
    step(id, ())
}

/// The future of [`tick`](fn@tick).
#[expect(
    non_camel_case_types,
    reason = "the type stands under the name of its function"
)]
pub type tick = Step<()>;

/// Something that is polled by a method.
#[derive(Debug)]
pub struct Source {
    id: u32,
    left: u32,
}

impl Source {
    /// One that has something a few times.
    pub fn new(id: u32) -> Self {
        event("source", id);
        Self { id, left: 3 }
    }

    /// Pending at times; then a number.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<u32> {
        event("next", self.id);
        cx.waker().wake_by_ref();
        if self.left > 0 && ask(|script| script.flip()) {
            self.left -= 1;
            return Poll::Pending;
        }
        Poll::Ready(self.left)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        quiet("dry", self.id);
    }
}

/// Pending at times; then a number.
pub fn poll_some(cx: &mut Context<'_>, id: u32) -> Poll<u32> {
    event("some", id);
    cx.waker().wake_by_ref();
    if ask(|script| !script.is_worn(id) && script.flip()) {
        return Poll::Pending;
    }
    Poll::Ready(id)
}

/// Pending at times; then the value that is made.
pub fn poll_with<T>(cx: &mut Context<'_>, id: u32, value: impl FnOnce() -> T) -> Poll<T> {
    poll_some(cx, id).map(|_| value())
}
