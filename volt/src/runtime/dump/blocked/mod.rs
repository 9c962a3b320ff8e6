//! The futures of `block_on`, and the threads that wait for them.
//!
//! Such a future is not a task, so it is in no registry. Nor is it `Send`, so only its own thread
//! may access it. Therefore the thread inspects the future itself, on request:
//!
//! 1. `BlockOnFuture` wraps the future. Its first pending poll enters a `BlockOnState` into the
//!    list of `blocked_thread`. A future that is ready at once costs nothing.
//! 2. A dump adds a request to the state of each future that is not being polled, and wakes the
//!    thread in such a way that it does not poll the future.
//! 3. The thread passes the tree of the future to a visitor, answers, and sleeps again. A thread
//!    that was woken for another reason answers before its next poll.
//! 4. The dump waits for the answers, for a limited time.
//!
//! The wrapper has the only pinned reference to the future, and uses it for a poll or for an
//! inspection. So the compiler proves that no inspection happens during a poll. The end of
//! `block_on` drops the requests, and a dump that waits for one receives no tree.
//!
//! An inspection poll is requested in the same way. Its thread is woken as for an ordinary poll.

mod block_on_state;
mod blocked_thread;
mod block_on_future;
mod blocked_futures;

pub(in crate::runtime) use self::block_on_future::BlockOnFuture;
#[cfg(feature = "inspect")]
pub(super) use self::block_on_state::PolledFuture;
pub(super) use self::blocked_futures::BlockedFutures;
#[cfg(feature = "inspect")]
pub(super) use self::blocked_futures::poll_blocked;
pub use self::blocked_thread::BlockedThread;
