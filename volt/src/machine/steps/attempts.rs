//! The attempts of a step with `retry`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::checkpoints::Key;
#[cfg(feature = "std")]
use super::driver_state::drop_transaction;

/// The attempts of a step that have returned an error. It is a local of the machine, so it survives
/// a crash. A snapshot contains only their number, which is zero if it is missing.
#[derive(Clone, Copy, Debug)]
pub struct Attempts {
    failed: u32,
    /// The key of the first attempt, which all attempts use. In a snapshot, the checkpoint has its
    /// number.
    first: Option<Key>,
}

impl Attempts {
    /// No attempt has failed.
    pub const NEW: Self = Self {
        failed: 0,
        first: None,
    };
}

/// The key of the first attempt, if the checkpoint of that has been ready. The expansion writes
/// this type, so that the macro knows that the key borrows nothing.
pub type FirstKey = Option<Key>;

/// Returns the key of the first attempt, if the checkpoint of that has been ready.
#[must_use]
pub fn first_key(attempts: &Attempts) -> FirstKey {
    attempts.first
}

/// Returns the key of a step, and keeps it for the next attempt. `key` is that of the checkpoint
/// before the current attempt.
pub fn set_first_key(attempts: &mut Attempts, key: Key) -> Key {
    *attempts.first.get_or_insert(key)
}

/// Returns the number of attempts that have failed.
#[must_use]
pub fn failed_attempts(attempts: &Attempts) -> u32 {
    attempts.failed
}

/// The value of a step with `retry`, a `Result`.
#[diagnostic::on_unimplemented(
    message = "a step with `retry` requires a `Result`, not `{Self}`",
    label = "the value of the step"
)]
pub trait StepResult {
    /// Returns `true` if the step is not repeated.
    fn is_success(&self) -> bool;
}

impl<T, E> StepResult for Result<T, E> {
    fn is_success(&self) -> bool {
        self.is_ok()
    }
}

/// Returns the value of an attempt, which must be a `Result`, and `true` if it is `Ok`.
#[must_use]
pub fn checked_result<R: StepResult>(result: R) -> (R, bool) {
    let is_ok = result.is_success();
    (result, is_ok)
}

/// Returns `true` if the step ends with this attempt: its result is `Ok`, or it was repeated as
/// often as allowed. The transaction of an attempt that has failed is dropped.
pub fn is_last_attempt(attempts: &mut Attempts, is_success: bool, retry: u32) -> bool {
    if is_success {
        return true;
    }
    #[cfg(feature = "std")]
    drop_transaction();
    if attempts.failed >= retry {
        return true;
    }
    attempts.failed += 1;
    false
}

impl Serialize for Attempts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Some(self.failed).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Attempts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A missing field of a snapshot is read as `None`.
        let failed = Option::<u32>::deserialize(deserializer)?;
        let failed = failed.unwrap_or_default();
        Ok(Self {
            failed,
            first: None,
        })
    }
}
