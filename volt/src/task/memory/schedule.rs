//! The interfaces that a task requires of its scheduler and of its metadata.

use super::owner_thread::OwnerThread;
use crate::task::id::TaskId;
use crate::task::inspect::ErasedFuture;
use crate::task::orphan::{Orphan, OrphanAction};
use crate::task::reference::Runnable;
use std::any::{Any, type_name};
use std::fmt;
use std::io;
#[cfg(not(any(loom, all(test, shuttle))))]
use std::mem::offset_of;
#[cfg(feature = "tracing")]
use std::num::NonZeroU64;
use std::num::NonZeroUsize;
use std::panic::Location;
use std::pin::Pin;

/// The scheduler of a task, as the task sees it.
///
/// The value is stored in the allocation of the task. The task keeps a reference to itself during
/// each call, so the value lives until the call returns, even if another thread runs, completes and
/// drops the queued task meanwhile.
pub(crate) trait Schedule: Send + Sync + Sized + 'static {
    /// Queues a task that was woken or cancelled while it was idle.
    fn schedule(&self, task: Runnable);

    /// Queues a task that was woken during its poll, after other tasks.
    fn reschedule(&self, task: Runnable) {
        self.schedule(task);
    }

    /// Removes a complete task from the scheduler.
    ///
    /// The thread that completes the task calls this once, after it dropped the future and before
    /// it notifies the handle. The task is still allocated.
    fn release(&self, id: TaskId);

    /// Stores the runtime of the task in `slot`, for a thread outside of it that is to poll the
    /// task. The runtime knows the type of the slot, an `Option` that is `None`.
    ///
    /// A task without a [`runtime_id`](Self::runtime_id) has no workers, so any thread is outside.
    /// By default there is no such runtime, and only the scheduler polls its tasks.
    fn store_foreign_runtime(&self, slot: &mut dyn Any) {
        let _ = slot;
    }

    /// Returns a number that is the same for all tasks that may be polled inside of each other.
    ///
    /// By default there is no such number, and the task is not polled inside of others.
    fn runtime_id(&self) -> Option<NonZeroUsize> {
        None
    }

    /// Returns `true` if this process is a fork of the process that has the threads of the
    /// scheduler. By default the scheduler has no threads of its own, and this is `false`.
    fn is_inherited(&self) -> bool {
        false
    }

    /// Returns `true` if the tasks of the scheduler are blocking jobs. The value does not change.
    fn is_job(&self) -> bool {
        false
    }

    /// Returns the error of the system because of which the task never ran.
    ///
    /// The task calls this once, when the handle takes the result. By default there is no such
    /// error.
    fn refusal(&self) -> Option<io::Error> {
        None
    }

    /// Reports a task that waits without a waker.
    ///
    /// Only an [`AbortHandle`](crate::task::AbortHandle) or the end of the runtime can end it. The
    /// thread that polled the task or dropped its last waker calls this once for a task. That
    /// thread may hold any locks.
    fn orphaned(&self, orphan: &Orphan) {
        let _ = orphan;
    }

    /// Returns the policy for orphans. The value does not change.
    fn orphan_action(&self) -> OrphanAction {
        OrphanAction::Keep
    }
}

/// The bytes of metadata, for debuggers.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub(crate) enum MetadataLayout {
    /// A debugger reads neither a name nor a location.
    Unknown = 0,
    /// The metadata are a pointer to the location of the spawn.
    Location = 1,
    /// The metadata are a pointer to a name and the location.
    Named = 2,
}

#[cfg(not(any(loom, all(test, shuttle))))]
impl MetadataLayout {
    /// The offsets of the name and of the location in a box of [`NamedMetadata`].
    pub(in crate::task) const NAMED_BOX: [usize; 2] = [offset_of!(Named, 0), offset_of!(Named, 1)];
}

/// The metadata of a task with the future `F`.
pub(crate) trait Metadata<F>: Send + Sync + 'static {
    /// The bytes of the metadata, for debuggers.
    const LAYOUT: MetadataLayout = MetadataLayout::Unknown;

    /// Returns the location of the spawn.
    fn location(&self) -> &'static Location<'static>;

    /// Returns the name that the spawner gave to the task.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Returns the name of the type of the future, for diagnostics.
    fn type_name(&self) -> &'static str {
        type_name::<F>()
    }

    /// Returns the size of the future in bytes.
    fn future_size(&self) -> usize {
        size_of::<F>()
    }

    /// Returns the id of the `tracing` span of the task.
    #[cfg(feature = "tracing")]
    fn span(&self) -> Option<NonZeroU64> {
        None
    }

    /// Returns the thread that the future is bound to. The value does not change. By default the
    /// future may move to any thread.
    #[inline]
    fn owner(&self) -> Option<&OwnerThread> {
        None
    }

    /// Returns the future to inspect: the one of the task, unless that is a wrapper.
    ///
    /// The future may have references into itself, so the inspector creates no shared reference to
    /// it.
    fn inspection_target(&self, future: Pin<&mut F>) -> Option<ErasedFuture>
    where
        F: 'static,
    {
        Some(ErasedFuture::new(future))
    }
}

/// Implements the descriptive methods of [`Metadata`] by those of a field.
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
    const LAYOUT: MetadataLayout = MetadataLayout::Location;

    fn location(&self) -> &'static Location<'static> {
        self
    }
}

/// The metadata of a task with a name.
#[derive(Clone)]
pub(crate) struct NamedMetadata(Box<Named>);

type Named = (Box<str>, &'static Location<'static>);

impl NamedMetadata {
    pub(crate) fn new(name: impl Into<Box<str>>, location: &'static Location<'static>) -> Self {
        Self(Box::new((name.into(), location)))
    }
}

impl<F> Metadata<F> for NamedMetadata {
    const LAYOUT: MetadataLayout = MetadataLayout::Named;

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
