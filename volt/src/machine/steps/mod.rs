//! Steps: statements of a machine that run again after a crash, and the driver that stores the
//! machine before each.
//!
//! ```text
//! machine                         driver
//! checkpoint: no number yet  ──▶  gives it the next number, and reports a snapshot
//!                                 stores the snapshot, which contains the number
//! checkpoint: number stored  ◀──  polls again
//! step
//! ```
//!
//! - `step_key` has the numbers of a machine and of one execution of a step.
//! - `driver_state` has the numbers of a machine. During a poll they are in a thread-local.
//! - `checkpoints` has the awaits before steps. Without a driver they are ready at once.
//! - `attempts` counts the attempts of a step that is repeated.
//! - `step_store` is the trait of a store whose transaction contains a step's writes and the next
//!   snapshot.
//! - `step_driver` polls a machine, and reports the snapshots to store.
//!
//! A future within a step is polled without the driver: a machine there is in no snapshot.

#[cfg(feature = "std")]
mod step_key;
#[cfg(feature = "std")]
mod driver_state;
mod checkpoints;
mod attempts;
#[cfg(feature = "std")]
mod step_store;
#[cfg(feature = "std")]
mod step_driver;

pub use attempts::{
    Attempts, FirstKey, StepResult, checked_result, failed_attempts, first_key, is_last_attempt,
    set_first_key,
};
pub(super) use checkpoints::note_step;
pub use checkpoints::{
    Checkpoint, TransactionCheckpoint, checkpoint, poll_in_step, repeated_checkpoint,
    repeated_transaction_checkpoint, transaction_checkpoint,
};
#[cfg(feature = "std")]
pub use driver_state::transaction;
#[cfg(feature = "std")]
pub use step_driver::{Driven, StepDriver};
#[cfg(feature = "std")]
pub use step_key::StepKey;
#[cfg(feature = "std")]
pub use step_store::{StepStore, StoredState};
