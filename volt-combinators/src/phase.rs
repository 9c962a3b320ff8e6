//! The phase of a combinator.

/// The phase of a combinator. It can be polled in `Running`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Running,
    /// Between [`enter`](Phase::enter) and [`pause`](Phase::pause) or [`finish`](Phase::finish), or
    /// after a panic there.
    Entered,
    Finished,
}

impl Phase {
    /// Marks the start of a poll. A panic leaves this phase.
    ///
    /// # Panics
    ///
    /// Panics if the combinator called `name` has finished, or panicked in its last poll.
    #[inline]
    pub(crate) fn enter(&mut self, name: &str) {
        if *self != Self::Running {
            self.panic_polled_again(name);
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

    /// Returns `true` if the combinator must not be polled again. The caller is not polling it.
    pub(crate) fn is_over(self) -> bool {
        self != Self::Running
    }

    #[cold]
    fn panic_polled_again(self, name: &str) -> ! {
        match self {
            Self::Finished => panic!("`{name}` polled after completion"),
            _ => panic!("`{name}` polled after one of its children panicked"),
        }
    }
}
