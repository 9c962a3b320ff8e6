//! What a task wants of its scheduler, and of what is known about it.

use super::owner_thread::OwnerThread;
use crate::task::id::TaskId;
use crate::task::inspect::ErasedFuture;
use crate::task::orphan::{Orphan, OrphanAction};
use crate::task::reference::Runnable;
use std::any::type_name;
use std::fmt;
use std::io;
#[cfg(feature = "tracing")]
use std::num::NonZeroU64;
use std::num::NonZeroUsize;
use std::panic::Location;
use std::pin::Pin;

/// The queue that a task goes to when it is woken.
///
/// The task calls these through a value in its own allocation. It holds a reference to itself
/// for as long as such a call lasts, so the value is there until the call returns, also when the
/// task that was queued is run, completed and dropped by another thread meanwhile.
pub(crate) trait Schedule: Send + Sync + Sized + 'static {
    /// Queues a task that was woken or cancelled while it waited.
    fn schedule(&self, task: Runnable);

    /// Queues a task that was woken while it ran, behind others.
    fn reschedule(&self, task: Runnable) {
        self.schedule(task);
    }

    /// Forgets a task that is done. Called exactly once, by the thread that completes it, after
    /// the future is dropped and before the handle hears of it; the task is still allocated.
    fn release(&self, id: TaskId);

    /// Calls `run`, in which a task of the scheduler is polled, on a thread that is in none, or if
    /// the task has no [`runtime_id`](Self::runtime_id). False where that may not be, and nothing
    /// was called: by default.
    fn poll_on_foreign_thread(&self, run: &mut dyn FnMut()) -> bool {
        let _ = run;
        false
    }

    /// A number that is the same for all tasks whose runners may run each other inside, and no
    /// other: by default, nobody may.
    fn runtime_id(&self) -> Option<NonZeroUsize> {
        None
    }

    /// Whether this process is a fork of the one that has the scheduler's threads: by default, it
    /// is said to need none.
    fn is_inherited(&self) -> bool {
        false
    }

    /// Why the system would not run a task that is complete, was cancelled, and was never polled;
    /// asked for once. By default, there is no such reason.
    fn refusal(&self) -> Option<io::Error> {
        None
    }

    /// A task waits for a wake, and nobody has a waker for it any more: without an
    /// [`AbortHandle`](crate::task::AbortHandle) or the end of the runtime it will stay as it is for
    /// ever. Called once for a task, by the thread that polled it or dropped its last waker,
    /// which may hold whatever locks.
    fn orphaned(&self, orphan: &Orphan) {
        let _ = orphan;
    }

    /// What becomes of such tasks; always the same.
    fn orphan_action(&self) -> OrphanAction {
        OrphanAction::Keep
    }
}

/// What is known about a task of the future `F` beside that.
pub(crate) trait Metadata<F>: Send + Sync + 'static {
    /// Where it was spawned.
    fn location(&self) -> &'static Location<'static>;

    /// What its spawner called it.
    fn name(&self) -> Option<&str> {
        None
    }

    /// The type of the future, for people.
    fn type_name(&self) -> &'static str {
        type_name::<F>()
    }

    /// The size of the future, in bytes.
    fn future_size(&self) -> usize {
        size_of::<F>()
    }

    /// The span that the task is in, as the subscriber of `tracing` knows it.
    #[cfg(feature = "tracing")]
    fn span(&self) -> Option<NonZeroU64> {
        None
    }

    /// The thread that the future stays on: by default it may go anywhere. Always the same.
    #[inline]
    fn owner(&self) -> Option<&OwnerThread> {
        None
    }

    /// The future to ask where the task stands: the task's own, unless that is a wrapper. It may
    /// have references into itself, so nobody may make a shared reference to it.
    fn inspection_target(&self, future: Pin<&mut F>) -> Option<ErasedFuture>
    where
        F: 'static,
    {
        Some(ErasedFuture::new(future))
    }
}

/// Within an implementation of [`Metadata`]: describes the task as that metadata does.
macro_rules! delegate_metadata {
    ($metadata:ident) => {
        fn location(&self) -> &'static ::std::panic::Location<'static> {
            self.$metadata.location()
        }

        fn name(&self) -> Option<&str> {
            self.$metadata.name()
        }

        fn type_name(&self) -> &'static str {
            self.$metadata.type_name()
        }

        fn future_size(&self) -> usize {
            self.$metadata.future_size()
        }
    };
}

pub(crate) use delegate_metadata;

impl<F> Metadata<F> for &'static Location<'static> {
    fn location(&self) -> &'static Location<'static> {
        self
    }
}

/// The metadata of a task with a name.
#[derive(Clone)]
pub(crate) struct NamedMetadata(Box<(Box<str>, &'static Location<'static>)>);

impl NamedMetadata {
    pub(crate) fn new(name: impl Into<Box<str>>, location: &'static Location<'static>) -> Self {
        Self(Box::new((name.into(), location)))
    }
}

impl<F> Metadata<F> for NamedMetadata {
    fn location(&self) -> &'static Location<'static> {
        self.0.1
    }

    fn name(&self) -> Option<&str> {
        Some(&self.0.0)
    }
}

impl fmt::Debug for NamedMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamedMetadata({:?}, {})", self.0.0, self.0.1)
    }
}
