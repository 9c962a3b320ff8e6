//! Shields: guards that delay the cancellation of a task.

use super::current_task;
use super::reference::RawTask;
use crate::machine::{register_wrapper, wrapper, wrapper_inspect};
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Delays the cancellation of the current task until the guard is dropped.
///
/// Shields nest. A cancelled task under a shield is woken and polled as before. It stops at the
/// first await after the last guard was dropped. Outside of a task the guard does nothing. The
/// guard belongs to the task that created it, even if it is moved to another one.
///
/// A shield has no effect on a future that is dropped by another future of the same task, such as
/// the loser of a race. It has no effect on the end of the runtime either, which drops all futures
/// that are not being polled. End tasks with important sections before the runtime.
///
/// # Panics
///
/// Panics if the task already has 65,535 shields.
///
/// # Examples
///
/// ```
/// # struct Journal;
/// # impl Journal {
/// #     async fn write(&mut self, _: &str) {}
/// #     async fn commit(&mut self) {}
/// # }
/// async fn append(journal: &mut Journal, entry: &str) {
///     let shield = volt::task::shield();
///     journal.write(entry).await;
///     journal.commit().await;
///     drop(shield);
/// }
/// # futures_lite::future::block_on(append(&mut Journal, "an entry"));
/// ```
#[track_caller]
#[doc(alias("addShield", "addShieldAtomic"))]
pub fn shield() -> Shield {
    Shield(current_task::with_current(|task| {
        let added = task?.add_shield();
        Some(added.unwrap_or_else(|_| panic!("a task cannot have more than 65535 shields")))
    }))
}

/// The guard of [`shield`].
#[must_use = "the shield ends when the guard is dropped"]
#[doc(alias("removeShield", "removeShieldAtomic"))]
pub struct Shield(Option<RawTask>);

impl Drop for Shield {
    fn drop(&mut self) {
        if let Some(task) = self.0.take() {
            task.remove_shield();
        }
    }
}

impl fmt::Debug for Shield {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shield")
            .field(&self.0.as_ref().map(RawTask::id))
            .finish()
    }
}

/// Runs a future under a [`shield`], from its first poll until it is complete or dropped.
///
/// # Cancel safety
///
/// The same as that of `future`. Dropping it ends the shield.
///
/// # Examples
///
/// ```
/// # async fn commit() {}
/// # futures_lite::future::block_on(async {
/// volt::task::shielded(commit()).await;
/// # });
/// ```
pub fn shielded<F: Future>(future: F) -> Shielded<F> {
    Shielded {
        future,
        shield: None,
    }
}

/// The future of [`shielded`](fn@shielded), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a machine names the future by the function"
)]
pub type shielded<F> = Shielded<F>;

pin_project! {
    /// The future of [`shielded`](fn@shielded).
    #[must_use = "futures do nothing unless they are polled"]
    #[derive(Debug)]
    pub struct Shielded<F> {
        #[pin]
        future: F,
        shield: Option<Shield>,
    }
}

wrapper!(Shielded<F> { future });
wrapper_inspect!(Shielded<F> { future });

impl<F: Future> Future for Shielded<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        if this.shield.is_none() {
            *this.shield = Some(shield());
            register_wrapper::<Self>();
        }
        let output = ready!(this.future.poll(cx));
        *this.shield = None;
        Poll::Ready(output)
    }
}
