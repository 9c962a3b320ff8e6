//! Dumps: lists of the live tasks and of the threads that block on futures.
//!
//! `collect` inspects the tasks, and stores the `tree` of futures of each. `blocked`
//! has the futures of `block_on`; `thread_activity` reads the state of threads in long polls.
//! `waits` finds tasks that wait for each other, and waits that no tree shows. `groups` counts
//! tasks by the `place` at which they wait, and `group_history` remembers the
//! numbers; `spawns` counts them by the place of their spawn. `findings` are probable causes of a
//! hang, and a `diff` compares two dumps.
//! `by_poll` completes the trees of a dump by inspection polls, and a `poll_report` names the tasks
//! that were not reached.
//! `text` and `json` write all of it. `values` reads the values of one task for the server.

mod waits;
mod thread_activity;
mod place;
#[cfg(feature = "inspect")]
mod poll_report;
mod tree;
mod blocked;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type it defines"
)]
mod dump;
mod collect;
mod groups;
mod spawns;
#[cfg(feature = "inspect")]
mod group_history;
mod findings;
mod diff;
#[cfg(feature = "inspect")]
mod by_poll;
mod text;
mod json;
#[cfg(feature = "inspect")]
mod values;
#[cfg(all(feature = "signal", unix))]
mod dump_on_signal;
mod dump_when_stuck;
#[cfg(all(test, not(any(loom, shuttle))))]
mod sample;

pub(super) use self::blocked::BlockOnFuture;
pub use self::blocked::BlockedThread;
#[cfg(feature = "inspect")]
pub use self::by_poll::PollLimits;
#[cfg(feature = "inspect")]
pub(super) use self::by_poll::PollSamples;
pub use self::diff::{DumpDiff, GroupChange};
pub use self::dump::Dump;
#[cfg(all(feature = "signal", unix))]
pub use self::dump_on_signal::DumpOnSignal;
pub use self::dump_when_stuck::{StuckCause, StuckReport};
pub use self::findings::{Finding, FindingKind, FindingLimits, Severity};
#[cfg(feature = "inspect")]
pub(super) use self::group_history::GroupHistory;
pub use self::groups::TaskGroup;
#[cfg(feature = "inspect")]
pub(super) use self::json::MachineJson;
pub use self::json::{DiffJson, DumpJson};
pub use self::place::Place;
#[cfg(feature = "inspect")]
pub use self::poll_report::{PollReport, UnreachedReason, UnreachedTask};
pub use self::spawns::SpawnCount;
pub use self::text::DumpSummary;
pub use self::thread_activity::{PollingThread, ThreadActivity};
pub use self::tree::TreeNode;
#[cfg(feature = "inspect")]
pub(super) use self::values::ValueReader;
pub use self::waits::SocketWait;
