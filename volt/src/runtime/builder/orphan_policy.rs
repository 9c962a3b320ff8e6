//! What a runtime does about tasks that nobody can wake.

use crate::scheduler::{OrphanHook, OrphanReporter};
use crate::task::{Orphan, OrphanAction};

/// What becomes of a task that waits while nobody is left who could wake it; see
/// [`Builder::orphans`](crate::runtime::Builder::orphans).
///
/// Whatever it is, such tasks are counted in [`Stats::orphans`](crate::runtime::Stats::orphans) and marked
/// in a [`Dump`](crate::runtime::Dump), and [`Builder::on_orphan`](crate::runtime::Builder::on_orphan) hears of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrphanPolicy {
    /// It stays as it is. Should the runtime end, the error of its handle says
    /// [`is_orphaned`](crate::JoinError::is_orphaned); if somebody cancels it, that it was cancelled.
    #[default]
    Ignore,
    /// It stays, and one line on the standard error says who it is and where it waits.
    Log,
    /// It is cancelled: its future is dropped, shielded or not, and its handle gets an error for
    /// which [`JoinError::is_orphaned`](crate::JoinError::is_orphaned) holds.
    Cancel,
    /// As `Cancel`, but it ends as if it had panicked, with the line of `Log` for a message. What
    /// the program does about panics it does about this; for tests.
    Panic,
}

impl OrphanPolicy {
    /// The policy as the scheduler wants it.
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
