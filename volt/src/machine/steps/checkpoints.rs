//! The awaits before steps.

#![allow(
    non_camel_case_types,
    reason = "a generic machine names the future of a function by the name of the function"
)]

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(feature = "std")]
use super::driver_state::{set_found_step, with_current, without_driver};
#[cfg(feature = "std")]
use super::step_key::StepKey;

/// The output of a checkpoint.
#[cfg(feature = "std")]
pub(super) type Key = StepKey;
#[cfg(not(feature = "std"))]
pub(super) type Key = ();

/// The await before a step.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Checkpoint {
    /// The number that the driver has given to this execution of the step.
    number: Option<u64>,
    /// The key of the first attempt of the step, if this is a later one. A snapshot contains the
    /// number of the first attempt, so all attempts have one key.
    first: Option<Key>,
}

/// The await before a step with a transaction.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct TransactionCheckpoint(Checkpoint);

/// The type with the name of the function.
pub type checkpoint = Checkpoint;
/// The type with the name of the function.
pub type transaction_checkpoint = TransactionCheckpoint;
/// The type with the name of the function.
pub type repeated_checkpoint = Checkpoint;
/// The type with the name of the function.
pub type repeated_transaction_checkpoint = TransactionCheckpoint;

/// Returns the await before a step.
pub const fn checkpoint() -> Checkpoint {
    repeated_checkpoint(None)
}

/// Returns the await before a step with a transaction.
pub const fn transaction_checkpoint() -> TransactionCheckpoint {
    repeated_transaction_checkpoint(None)
}

/// Returns the await before an attempt of a step. `first` is the key of the first attempt, if
/// this is a later one.
pub const fn repeated_checkpoint(first: Option<Key>) -> Checkpoint {
    Checkpoint {
        number: None,
        first,
    }
}

/// Returns the await before an attempt of a step with a transaction.
pub const fn repeated_transaction_checkpoint(first: Option<Key>) -> TransactionCheckpoint {
    TransactionCheckpoint(repeated_checkpoint(first))
}

impl Checkpoint {
    #[cfg(feature = "std")]
    fn arrive(&mut self, has_transaction: bool, cx: &mut Context<'_>) -> Poll<Key> {
        let Self { number, first } = self;
        let arrived = with_current(|state| {
            // A key without a driver has no number of the machine.
            *first = first.filter(|key| key.machine() == state.machine);
            let arrived = state.arrive(number, has_transaction, cx);
            arrived.map(|key| first.unwrap_or(key))
        });
        arrived.unwrap_or_else(|| Poll::Ready(StepKey::of_process()))
    }

    #[cfg(not(feature = "std"))]
    fn arrive(&mut self, _: bool, _: &mut Context<'_>) -> Poll<Key> {
        Poll::Ready(self.first.unwrap_or_default())
    }

    /// Returns the number in a snapshot: that of the first attempt.
    fn stored_number(&self) -> Option<u64> {
        #[cfg(feature = "std")]
        if let Some(first) = self.first {
            return Some(first.step());
        }
        self.number
    }
}

impl Future for Checkpoint {
    type Output = Key;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Key> {
        self.arrive(false, cx)
    }
}

impl Future for TransactionCheckpoint {
    type Output = Key;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Key> {
        self.0.arrive(true, cx)
    }
}

impl Serialize for Checkpoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.stored_number().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Checkpoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Option::deserialize(deserializer)?;
        Ok(Self {
            number,
            first: None,
        })
    }
}

impl Serialize for TransactionCheckpoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TransactionCheckpoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Checkpoint::deserialize(deserializer).map(Self)
    }
}

/// Polls a future of a step. The checkpoints of machines within it have no driver.
#[inline]
pub fn poll_in_step<T>(poll: impl FnOnce() -> T) -> T {
    #[cfg(feature = "std")]
    return without_driver(poll);
    #[cfg(not(feature = "std"))]
    poll()
}

/// Records that the machine that is being written is in a step.
pub(in crate::machine) fn note_step() {
    #[cfg(feature = "std")]
    set_found_step();
}
