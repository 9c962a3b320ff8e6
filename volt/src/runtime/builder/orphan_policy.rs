//! The policy for tasks that no waker can wake.

use crate::scheduler::{OrphanHook, OrphanReporter};
use crate::task::{Orphan, OrphanAction};

/// The policy for orphans: tasks that wait although no waker for them exists; see
/// [`Builder::orphans`](crate::runtime::Builder::orphans).
///
/// With each policy, orphans are counted in [`Stats::orphans`](crate::runtime::Stats::orphans),
/// marked in a [`Dump`](crate::runtime::Dump), and passed to the hook
/// [`Builder::on_orphan`](crate::runtime::Builder::on_orphan).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrphanPolicy {
    /// The task stays as it is. After a shutdown, [`is_orphaned`](crate::JoinError::is_orphaned)
    /// returns `true` for the error of its handle. If the task is cancelled, the error is a
    /// cancellation.
    #[default]
    Ignore,
    /// The task stays as it is. One line on the standard error reports its name and where it waits.
    Log,
    /// The task is cancelled: its future is dropped even if it is shielded.
    /// [`JoinError::is_orphaned`](crate::JoinError::is_orphaned) returns `true` for the error of
    /// its handle.
    Cancel,
    /// The task is cancelled as with `Cancel`, but its handle returns a panic, with the line of
    /// `Log` as the message. This policy is for tests.
    Panic,
}

impl OrphanPolicy {
    /// Converts the policy for the scheduler.
    pub(super) fn into_orphans(self, hook: Option<OrphanHook>) -> OrphanReporter {
        let fate = match self {
            Self::Ignore | Self::Log => OrphanAction::Keep,
            Self::Cancel => OrphanAction::Cancel,
            Self::Panic => OrphanAction::Panic,
        };
        match self {
            Self::Log => {
                OrphanReporter::new(fate, Some(Box::new(move |orphan| log(orphan, &hook))))
            }
            _ => OrphanReporter::new(fate, hook),
        }
    }
}

fn log(orphan: &Orphan, then: &Option<OrphanHook>) {
    eprintln!("{orphan}");
    if let Some(hook) = then {
        hook(orphan);
    }
}
