//! Sections that cancellation waits for.

use super::context;
use super::ptr::TaskPtr;
use super::state::RemoveShield;
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
/// such as the loser of a race; and at the end of the runtime it is not waited for without end.
///
/// # Panics
///
/// If the task has 65,535 shields already.
///
/// # Examples
///
/// ```ignore
/// let shield = volt::task::shield();
/// journal.write(&entry).await?;
/// journal.commit().await?;
/// drop(shield);
/// ```
#[must_use = "the shield ends when the guard is dropped"]
#[track_caller]
pub fn shield() -> Shield {
    let Some(task) = context::current() else {
        return Shield(None);
    };
    // SAFETY: The task of this thread is alive.
    let added = unsafe { task.state() }.add_shield();
    assert!(added.is_ok(), "a task cannot have more than 65535 shields");
    Shield(Some(task))
}

/// The guard of [`shield`].
#[must_use = "the shield ends when the guard is dropped"]
pub struct Shield(Option<TaskPtr>);

// SAFETY: The guard works on the state word, from any thread.
unsafe impl Send for Shield {}
// SAFETY: A shared guard does nothing.
unsafe impl Sync for Shield {}

impl Drop for Shield {
    fn drop(&mut self) {
        let Some(task) = self.0 else { return };
        // SAFETY: I1: the shield's reference keeps the task.
        match unsafe { task.state() }.remove_shield() {
            RemoveShield::Done => {}
            RemoveShield::Submit => {
                // SAFETY: `Submit` gave us the life reference, and left us the shield's.
                unsafe { task.schedule() };
                // SAFETY: The shield's reference is given back once.
                unsafe { task.drop_ref() };
            }
            // SAFETY: That was the last reference.
            RemoveShield::Dealloc => unsafe { task.dealloc() },
        }
    }
}

impl fmt::Debug for Shield {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: I1: the shield's reference keeps the task.
        let id = self.0.map(|task| unsafe { task.id() });
        f.debug_tuple("Shield").field(&id).finish()
    }
}

/// Runs a future under a [`shield`], from its first poll until it is done or dropped.
///
/// # Examples
///
/// ```ignore
/// volt::task::shielded(transaction.commit()).await?;
/// ```
pub fn shielded<F: Future>(future: F) -> Shielded<F> {
    Shielded {
        future,
        shield: None,
    }
}

pin_project! {
    /// The future of [`shielded`].
    #[must_use = "futures do nothing unless they are polled"]
    #[derive(Debug)]
    pub struct Shielded<F> {
        #[pin]
        future: F,
        shield: Option<Shield>,
    }
}

impl<F: Future> Future for Shielded<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        if this.shield.is_none() {
            *this.shield = Some(shield());
        }
        let output = ready!(this.future.poll(cx));
        *this.shield = None;
        Poll::Ready(output)
    }
}
