//! A wake set in a static, for programs without an allocator.

use core::fmt;

use super::block::{Group, Head};
use super::memory::Block;
use super::set::WakeSet;
use super::word::CHILDREN;
use crate::loom::sync::atomic::Ordering;

/// Wakers for the futures of a combinator, in a static. It has room for `GROUPS` times 32 futures,
/// or 8 on targets without 64-bit atomics.
///
/// Without an allocator, a combinator polls all its futures whenever one of them was woken. With a
/// static set it polls only the woken futures.
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
/// One combinator at a time can use the set, until it ends and its futures have dropped the wakers
/// that they cloned. Another combinator runs without it meanwhile. The number of cloned wakers is
/// [limited](crate#limits), by millions.
pub struct StaticWakeSet<const GROUPS: usize> {
    head: Head,
    /// The first group is in the head, so one of these is not used.
    more: [Group; GROUPS],
}

impl<const GROUPS: usize> StaticWakeSet<GROUPS> {
    /// The number of futures that fit in the set.
    pub const CAPACITY: usize = GROUPS * CHILDREN;

    /// Creates a set that is not in use.
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

    /// Returns `true` if a combinator uses the set, or a waker that outlived one.
    pub fn is_taken(&self) -> bool {
        // ORDERING: Relaxed: the value may change before the caller reads it.
        self.head.is_taken.load(Ordering::Relaxed)
    }

    /// Takes the set for this number of children, if it has room and is not in use.
    pub(crate) fn take(&'static self, children: usize) -> Option<WakeSet> {
        if children > Self::CAPACITY {
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
