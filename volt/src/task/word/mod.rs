//! The state word: one atomic integer, and every transition of it as a pure function.
//!
//! [`Snapshot`] is one value of the word. [`State`] is the word itself; its methods are the
//! transitions. Their results, such as [`ToIdle`], name the duties of the caller.

mod snapshot;
mod outcome;
mod state_word;
mod orphan_transitions;

pub(in crate::task) use self::outcome::{
    Cancel, Claim, ClaimToRun, DropHandle, DropWaker, JoinSlot, RemoveShield, ToComplete,
    ToCompleteUnread, ToIdle, ToRunning, ToScheduled, ToScheduledByValue,
};
pub use self::snapshot::Lifecycle;
pub(in crate::task) use self::snapshot::{CancelOrphans, ShieldOverflow, Snapshot, flag};
pub(in crate::task) use self::state_word::State;
