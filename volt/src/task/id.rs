//! The id of a task.

use crate::loom::IdCounter;
use std::error::Error;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// The bit that is set in the id of a task that is in no registry.
const UNREGISTERED: u64 = 1 << 63;
const GENERATION_MASK: u32 = 0x7fff_ffff;

/// The identity of a task.
///
/// Tasks that exist at the same time have different ids, even if they belong to different runtimes.
/// The id of a task may be reused long after its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(NonZeroU64);

impl TaskId {
    /// Returns the id of a task in a registry. `generation` distinguishes successive tasks in one
    /// slot. The lowest 31 bits of it are used.
    #[inline]
    pub(super) fn registered(slot: u32, generation: u32) -> Self {
        let generation = (generation & GENERATION_MASK).max(1);
        Self::from_bits((u64::from(generation) << 32) | u64::from(slot))
    }

    /// Returns a new id for a task in no registry. The id is never reused.
    pub(crate) fn next_unregistered() -> Self {
        static NEXT_ID: IdCounter = IdCounter::new();
        Self::from_bits(UNREGISTERED | NEXT_ID.next())
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        Self::try_from_bits(bits).expect("the id of a task is not zero")
    }

    /// Returns `None` if `bits` is zero.
    #[inline]
    pub(crate) fn try_from_bits(bits: u64) -> Option<Self> {
        NonZeroU64::new(bits).map(Self)
    }

    #[inline]
    pub(crate) fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// Returns `true` if the task is or was in a registry.
    pub(crate) fn is_registered(self) -> bool {
        self.slot().is_some()
    }

    /// Returns the generation of a task in a registry.
    #[inline]
    pub(super) fn generation(self) -> u32 {
        (self.to_bits() >> 32) as u32
    }

    /// Returns the slot of the task in its registry, if it is in one.
    #[inline]
    pub(super) fn slot(self) -> Option<u32> {
        (self.to_bits() & UNREGISTERED == 0).then_some(self.to_bits() as u32)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.to_bits();
        match self.slot() {
            Some(slot) => write!(f, "{slot}.{}", bits >> 32),
            None => write!(f, "#{}", bits & !UNREGISTERED),
        }
    }
}

impl FromStr for TaskId {
    type Err = ParseTaskIdError;

    /// Parses the text that [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    ///
    /// Returns an error if no task can have this id.
    fn from_str(text: &str) -> Result<Self, ParseTaskIdError> {
        let bits = match text.split_once('.') {
            Some((slot, generation)) => bits_of_registered(slot, generation),
            None => text.strip_prefix('#').and_then(bits_of_unregistered),
        };
        bits.and_then(Self::try_from_bits).ok_or(ParseTaskIdError)
    }
}

fn bits_of_registered(slot: &str, generation: &str) -> Option<u64> {
    let (slot, generation): (u32, u32) = (slot.parse().ok()?, generation.parse().ok()?);
    let is_generation = (1..=GENERATION_MASK).contains(&generation);
    is_generation.then(|| (u64::from(generation) << 32) | u64::from(slot))
}

fn bits_of_unregistered(number: &str) -> Option<u64> {
    let number: u64 = number.parse().ok()?;
    (1..UNREGISTERED)
        .contains(&number)
        .then_some(UNREGISTERED | number)
}

/// The error of a text that is not the id of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseTaskIdError;

impl fmt::Display for ParseTaskIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is not the id of a task")
    }
}

impl Error for ParseTaskIdError {}

impl fmt::Debug for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TaskId({self})")
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{ParseTaskIdError, TaskId};

    #[test]
    fn displayed_id_parses_to_itself() {
        let ids = [
            TaskId::registered(0, 1),
            TaskId::registered(u32::MAX, u32::MAX),
            TaskId::next_unregistered(),
        ];
        for id in ids {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn text_of_no_id_is_refused() {
        for text in [
            "",
            "1",
            "1.",
            ".1",
            "1.0",
            "-1.1",
            "1.4294967295",
            "#",
            "#0",
            "a.1",
        ] {
            assert_eq!(text.parse::<TaskId>(), Err(ParseTaskIdError), "{text}");
        }
    }
}
