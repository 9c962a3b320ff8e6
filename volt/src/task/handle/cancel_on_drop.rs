//! A handle that keeps its task only as long as somebody waits.

use super::join::JoinHandle;
use crate::task::error::JoinError;
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A [`JoinHandle`] that cancels its task when it is dropped; made by
/// [`cancel_on_drop`](JoinHandle::cancel_on_drop).
///
/// The cancellation is that of [`JoinHandle::cancel`]: a task that is being polled goes on to its
/// next await, and a [shielded](crate::task::shield) section to its end. The drop waits for neither. A task
/// that is complete stays as it is.
///
/// # Cancel safety
///
/// Dropping an await of `&mut handle` loses nothing; awaiting again gets the output. Dropping an await
/// of the handle itself cancels the task.
///
/// # Examples
///
/// ```
/// use std::future::pending;
/// use std::time::Duration;
/// use volt::time::timeout;
///
/// # volt::block_on(async {
/// let task = volt::spawn(pending::<()>());
/// let watch = task.abort_handle();
/// let limit = Duration::from_millis(1);
/// assert!(timeout(limit, task.cancel_on_drop()).await.is_err());
/// while !watch.is_finished() {
///     volt::task::yield_now().await;
/// }
/// # });
/// ```
#[must_use = "dropping it cancels the task"]
#[doc(alias = "AbortOnDropHandle")]
pub struct CancelOnDrop<T>(Option<JoinHandle<T>>);

impl<T> JoinHandle<T> {
    /// Makes a handle that cancels the task when it is dropped.
    ///
    /// So a task can be raced or given a limit of time, and ends if it loses:
    /// `race(a.cancel_on_drop(), b.cancel_on_drop())`, `timeout(limit, task.cancel_on_drop())`.
    pub fn cancel_on_drop(self) -> CancelOnDrop<T> {
        CancelOnDrop(Some(self))
    }
}

impl<T> CancelOnDrop<T> {
    /// Gives the handle back, whose drop detaches the task.
    pub fn into_handle(mut self) -> JoinHandle<T> {
        self.0.take().expect(THERE)
    }
}

/// Why the handle is there.
const THERE: &str = "it is taken out at the end only";

impl<T> Unpin for CancelOnDrop<T> {}

impl<T> Deref for CancelOnDrop<T> {
    type Target = JoinHandle<T>;

    fn deref(&self) -> &JoinHandle<T> {
        self.0.as_ref().expect(THERE)
    }
}

impl<T> Future for CancelOnDrop<T> {
    type Output = Result<T, JoinError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(self.0.as_mut().expect(THERE)).poll(cx)
    }
}

impl<T> Drop for CancelOnDrop<T> {
    fn drop(&mut self) {
        if let Some(handle) = &self.0 {
            handle.cancel();
        }
    }
}

impl<T> fmt::Debug for CancelOnDrop<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelOnDrop").field(&**self).finish()
    }
}
