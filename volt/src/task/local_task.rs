//! Tasks whose future is bound to one thread.

use super::handle::{JoinHandle, JoinInterest};
use super::inspect::ErasedFuture;
use super::memory;
use super::memory::{Metadata, OwnerThread, Schedule, delegate_metadata};
use super::reference::Runnable;
use std::future::Future;
use std::pin::Pin;

/// Creates a task from a future that is bound to this thread. The queue of the task must stay on
/// this thread too.
///
/// If the task is nevertheless run or ended on another thread, its future is abandoned: see
/// [`OwnerThread`].
///
/// The position of a machine in the task is not reported, because inspectors run on other threads.
pub(crate) fn new_local_task<F, S, M>(
    future: F,
    scheduler: S,
    metadata: M,
) -> (Runnable, JoinHandle<F::Output>)
where
    F: Future + 'static,
    S: Schedule,
    M: Metadata<F>,
{
    let metadata = LocalMetadata {
        metadata,
        owner: OwnerThread::current(),
    };
    let (life, handle) = memory::allocate(future, scheduler, metadata);
    // SAFETY: The reference is the one of the handle, and the output is the one of the future. An
    // output that is not `Send` is dropped on this thread: by the runner, or by the handle, which
    // stays on this thread.
    let joiner = unsafe { JoinInterest::new(handle) };
    (Runnable::new(life), JoinHandle::new(joiner))
}

/// The metadata of a task whose future is bound to a thread and is not inspected.
struct LocalMetadata<M> {
    metadata: M,
    owner: OwnerThread,
}

impl<F, M: Metadata<F>> Metadata<F> for LocalMetadata<M> {
    delegate_metadata!(metadata);

    #[cfg(feature = "tracing")]
    fn span(&self) -> Option<std::num::NonZeroU64> {
        self.metadata.span()
    }

    fn owner(&self) -> Option<&OwnerThread> {
        Some(&self.owner)
    }

    fn inspection_target(&self, _: Pin<&mut F>) -> Option<ErasedFuture>
    where
        F: 'static,
    {
        None
    }
}
