//! `StepKey`: the key of one execution of a step.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The key of one execution of a step, for example for an idempotent request to another service.
///
/// It stays the same when the step runs again after a crash or an `Err`. No other execution of a
/// step of the machine has this key. `#[step(key = name)]` binds it. Its text is the number of the
/// machine and the number of the step: `7-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepKey {
    machine: u64,
    step: u64,
}

impl StepKey {
    pub(super) fn new(machine: u64, step: u64) -> Self {
        Self { machine, step }
    }

    /// Returns a key that no other step of this process has, for a machine without a driver.
    pub(super) fn of_process() -> Self {
        static PROCESS: OnceLock<u64> = OnceLock::new();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let machine = *PROCESS.get_or_init(|| RandomState::new().hash_one(std::process::id()));
        Self::new(machine, NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the number that the driver has for the machine. Without a driver it is a random
    /// number of the process.
    #[must_use]
    pub fn machine(self) -> u64 {
        self.machine
    }

    /// Returns the number of the step in its machine.
    #[must_use]
    pub fn step(self) -> u64 {
        self.step
    }
}

impl fmt::Display for StepKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.machine, self.step)
    }
}

impl Serialize for StepKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.machine, self.step).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StepKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (machine, step) = Deserialize::deserialize(deserializer)?;
        Ok(Self { machine, step })
    }
}
