//! Schedulers of one worker, which run on the thread that calls `block_on`.

mod blocking_future;
mod local_scheduler_guard;
mod local_worker;

pub(crate) use self::blocking_future::BlockingFuture;
pub(crate) use self::local_scheduler_guard::is_pinned_to_this_thread;
pub(crate) use self::local_worker::LocalWorker;
