//! Sections that cancellation waits for.

use super::current_task;
use super::reference::RawTask;
use crate::machine::{register_wrapper, wrapper};
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Puts the cancellation of the current task off until the guard is dropped.
///
/// Shields nest. A task that was cancelled under one is woken as ever, and stopped at the first
/// await after the last guard is gone. Outside of a task there is nothing to put off, and the
/// guard does nothing. It stays with the task that made it, wherever it is moved.
///
/// A shield does not help against a future that is dropped by another future of the same task,
/// such as the loser of a race. Nor against the end of the runtime, which drops what it covers as it
/// drops everything that is not being polled: end the tasks that matter first.
///
/// # Panics
///
/// If the task has 65,535 shields already.
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

/// Runs a future under a [`shield`], from its first poll until it is done or dropped.
///
/// # Cancel safety
///
/// That of `future`; dropping it ends the shield.
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

/// The future of [`shielded`](fn@shielded), by which machines name it.
#[allow(
    non_camel_case_types,
    reason = "it is found by the name of the function"
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
