//! A handle that cancels its task when the handle is dropped.

use super::join::JoinHandle;
use crate::task::error::JoinError;
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::task::{Context, Poll};
use volt_inspect::{Inspect, Inspector, Node, register_unpin, registrable};

/// A [`JoinHandle`] that cancels its task when it is dropped.
///
/// [`cancel_on_drop`](JoinHandle::cancel_on_drop) creates it. The drop calls
/// [`JoinHandle::cancel`]: a task that is being polled continues to its next await, and a
/// [shielded](fn@crate::task::shield) section to its end. The drop does not wait for that.
///
/// # Cancel safety
///
/// Dropping an await of `&mut handle` loses nothing. Another await returns the output. Dropping an
/// await of the handle itself cancels the task.
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
#[must_use = "dropping the handle cancels its task"]
#[doc(alias = "AbortOnDropHandle")]
pub struct CancelOnDrop<T>(Option<JoinHandle<T>>);

impl<T> JoinHandle<T> {
    /// Converts the handle to one that cancels the task when it is dropped.
    ///
    /// A task can so lose a race or exceed a time limit, and is then cancelled:
    /// `race(a.cancel_on_drop(), b.cancel_on_drop())`, `timeout(limit, task.cancel_on_drop())`.
    pub fn cancel_on_drop(self) -> CancelOnDrop<T> {
        register_unpin::<CancelOnDrop<T>>();
        CancelOnDrop(Some(self))
    }
}

impl<T> CancelOnDrop<T> {
    /// Converts back to a handle whose drop detaches the task.
    pub fn into_handle(mut self) -> JoinHandle<T> {
        self.0.take().expect(PRESENT)
    }
}

/// The reason for which the handle is present.
const PRESENT: &str = "the handle is taken by `into_handle` only";

impl<T> Unpin for CancelOnDrop<T> {}

impl<T> Deref for CancelOnDrop<T> {
    type Target = JoinHandle<T>;

    fn deref(&self) -> &JoinHandle<T> {
        self.0.as_ref().expect(PRESENT)
    }
}

impl<T> crate::machine::RunsUnpolled for CancelOnDrop<T> {}

impl<T> Future for CancelOnDrop<T> {
    type Output = Result<T, JoinError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(self.0.as_mut().expect(PRESENT)).poll(cx)
    }
}

impl<T> Inspect for CancelOnDrop<T> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("CancelOnDrop"), |inspector| {
            self.report_wait(inspector);
        });
    }
}

registrable!(CancelOnDrop<T>);

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
