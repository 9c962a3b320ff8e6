//! The name of a task among those alive.

use crate::loom::IdCounter;
use std::fmt;
use std::num::NonZeroU64;

/// Set in the id of a task that is in no registry.
const UNREGISTERED: u64 = 1 << 63;
const GENERATION_MASK: u32 = 0x7fff_ffff;

/// The identity of a task.
///
/// No two tasks that are alive at the same time have the same id, also if they belong to different
/// runtimes. Long after a task is gone, another one may get its id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(NonZeroU64);

impl TaskId {
    /// The id of a task in a registry. `generation` keeps apart the tasks that have one slot
    /// after another; its lowest 31 bits count.
    #[inline]
    pub(super) fn registered(slot: u32, generation: u32) -> Self {
        let generation = (generation & GENERATION_MASK).max(1);
        Self::from_bits((u64::from(generation) << 32) | u64::from(slot))
    }

    /// An id for a task in no registry, which no other task ever has.
    pub(super) fn next_unregistered() -> Self {
        static NEXT_ID: IdCounter = IdCounter::new();
        Self::from_bits(UNREGISTERED | NEXT_ID.next())
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        Self::try_from_bits(bits).expect("the id of a task is not zero")
    }

    /// `None` of zero.
    #[inline]
    pub(super) fn try_from_bits(bits: u64) -> Option<Self> {
        NonZeroU64::new(bits).map(Self)
    }

    #[inline]
    pub(crate) fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// Whether the task is, or was, in a registry.
    pub(crate) fn is_registered(self) -> bool {
        self.slot().is_some()
    }

    /// The generation of a task in a registry.
    #[inline]
    pub(super) fn generation(self) -> u32 {
        (self.to_bits() >> 32) as u32
    }

    /// The place in the registry, if the task is in one.
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

impl fmt::Debug for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TaskId({self})")
    }
}
