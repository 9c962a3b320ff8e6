//! Reports of a scheduler to its user: statistics, hooks, slow polls, `tracing` spans and
//! orphans.

mod counter;
mod poll_times;
mod stats;
mod slow_poll;
mod slow_poll_log;
mod hooks;
mod orphans;
#[cfg_attr(
    not(all(
        feature = "inspect",
        target_os = "linux",
        not(any(loom, all(test, shuttle)))
    )),
    path = "stack_signal_disabled.rs"
)]
mod stack_signal;
#[cfg_attr(not(feature = "tracing"), path = "task_span_disabled.rs")]
mod task_span;

pub(super) use self::hooks::{Hook, WatchedPoll, call_hook, call_task_hook, poll_watched};
pub(crate) use self::hooks::{Hooks, PollTiming};
pub(crate) use self::orphans::{OrphanHook, OrphanReporter};
pub use self::poll_times::PollTimes;
pub use self::slow_poll::SlowPoll;
pub(crate) use self::slow_poll_log::MAX_SLOW_POLLS;
pub(super) use self::slow_poll_log::SlowPollLog;
#[cfg(feature = "inspect")]
pub(crate) use self::stack_signal::install_backtrace_handler;
pub(super) use self::stack_signal::thread_backtrace;
pub(super) use self::stats::Counters;
pub(crate) use self::stats::WorkerProgress;
pub use self::stats::{Stats, WorkerStats};
pub(super) use self::task_span::{TaskSpan, record_park, record_unpark, record_wake};
