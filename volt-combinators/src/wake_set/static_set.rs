//! A wake set in a static, for programs without an allocator.

use core::fmt;

use super::block::{Group, Head};
use super::memory::Block;
use super::set::WakeSet;
use super::word::CHILDREN;
use crate::loom::sync::atomic::Ordering;

/// The wakers of a combinator's futures, in a static: room for `GROUPS` times 32 futures, or 8
/// where there are no atomics of 64 bits.
///
/// Without an allocator, a combinator polls all its futures whenever one of them woke. With such a
/// set it polls those that woke, and no others.
///
/// ```
/// use core::future::ready;
/// use volt_combinators::{FuturesExt, StaticWakeSet};
///
/// static WAKES: StaticWakeSet<1> = StaticWakeSet::new();
///
/// let joined = [ready(1), ready(2), ready(3)].join().wake_set(&WAKES);
/// assert_eq!(futures::executor::block_on(joined), [1, 2, 3]);
/// ```
///
/// One combinator at a time can have it, until it ends and its futures have dropped the wakers
/// that they kept. One that does not get it goes on without it. How many wakers they may keep is
/// [limited](crate#limits), by millions.
pub struct StaticWakeSet<const GROUPS: usize> {
    head: Head,
    /// The first group stands in the head, so one of these is not used.
    more: [Group; GROUPS],
}

impl<const GROUPS: usize> StaticWakeSet<GROUPS> {
    /// How many futures it has room for.
    pub const ROOM: usize = GROUPS * CHILDREN;

    /// Makes a set that nobody has.
    #[expect(
        clippy::new_without_default,
        reason = "a static is made by a constant function"
    )]
    pub const fn new() -> Self {
        Self {
            head: Head::new(),
            more: [const { Group::new() }; GROUPS],
        }
    }

    /// Whether a combinator, or a waker that outlived one, has it.
    pub fn is_taken(&self) -> bool {
        // ORDERING: Relaxed: it may have changed before the answer is read.
        self.head.is_taken.load(Ordering::Relaxed)
    }

    /// Takes the set for that many children, if it has room and nobody has it.
    pub(crate) fn take(&'static self, children: usize) -> Option<WakeSet> {
        if children > Self::ROOM {
            return None;
        }
        let block = Block::in_static(&self.head, &self.more, children.div_ceil(CHILDREN))?;
        Some(WakeSet::new(block))
    }
}

impl<const GROUPS: usize> fmt::Debug for StaticWakeSet<GROUPS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticWakeSet")
            .field("is_taken", &self.is_taken())
            .finish_non_exhaustive()
    }
}
