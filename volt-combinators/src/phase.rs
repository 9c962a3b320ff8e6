//! Where a combinator is in its life.

/// Whether a combinator can be polled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Running,
    /// Between [`enter`](Phase::enter) and [`pause`](Phase::pause) or [`finish`](Phase::finish), or
    /// after a panic there.
    Entered,
    Finished,
}

impl Phase {
    /// Marks the beginning of a poll that a panic must not leave unnoticed.
    ///
    /// # Panics
    ///
    /// Panics if the combinator called `name` has finished, or never left its last poll.
    #[inline]
    pub(crate) fn enter(&mut self, name: &str) {
        if *self != Self::Running {
            self.misused(name);
        }
        *self = Self::Entered;
    }

    /// Marks the end of a poll that returns Pending.
    #[inline]
    pub(crate) fn pause(&mut self) {
        *self = Self::Running;
    }

    /// Marks the end of the combinator.
    #[inline]
    pub(crate) fn finish(&mut self) {
        *self = Self::Finished;
    }

    /// Whether the combinator, which nobody polls, must not be polled again.
    pub(crate) fn is_over(self) -> bool {
        self != Self::Running
    }

    #[cold]
    fn misused(self, name: &str) -> ! {
        match self {
            Self::Finished => panic!("`{name}` polled after completion"),
            _ => panic!("`{name}` polled after one of its children panicked"),
        }
    }
}
