//! Tasks whose future stays on one thread, in a queue of that thread.

use super::handle::{JoinHandle, JoinInterest};
use super::inspect::ErasedFuture;
use super::memory;
use super::memory::{Metadata, OwnerThread, Schedule, delegate_metadata};
use super::reference::Runnable;
use std::future::Future;
use std::pin::Pin;

/// Makes a task of a future that stays on this thread, as must the queue that the task is in.
///
/// If the task is run or ended on another thread all the same, its future is abandoned: see
/// [`OwnerThread`].
///
/// The position of a machine in it is not told, as whoever asks may be on another thread.
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
    // SAFETY: It is the handle's reference, and the output is that of the future. An output that
    // is not `Send` is dropped on this thread too: by the runner, or by a handle that stays here.
    let joiner = unsafe { JoinInterest::new(handle) };
    (Runnable::new(life), JoinHandle::new(joiner))
}

/// The metadata of a task that nobody may look into.
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
