//! The rules about threads that run one task or job for long.
//!
//! `thread_text` describes such a thread. `job_rules` is about blocking jobs,
//! `blocked_worker_rules` about polls that have not ended, and `slow_poll_rules` about ended ones.
//! `overdue_rules` is about timers that no thread fires meanwhile.

mod thread_text;
mod job_rules;
mod blocked_worker_rules;
mod slow_poll_rules;
mod overdue_rules;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;
