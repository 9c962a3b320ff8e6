//! `Status`: the state of a future as its parent knows it.

use core::fmt;

/// The state of a future in a tree.
///
/// A parent that gives each child its own waker knows which child was woken. A parent that shares
/// the waker of its task reports [`Waiting`](Self::Waiting) for each child that it has polled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The future was polled and has not completed.
    #[default]
    Waiting,
    /// The future was woken and has not been polled since.
    Woken,
    /// The future has never been polled.
    NotStarted,
    /// The future has completed.
    Done,
    /// The future was dropped, or it panicked.
    Gone,
    /// The future was polled, and its task now waits for another future that does not poll it.
    Dormant,
}

impl Status {
    /// Returns the status in words: `not started`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Woken => "woken",
            Self::NotStarted => "not started",
            Self::Done => "done",
            Self::Gone => "gone",
            Self::Dormant => "dormant",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
