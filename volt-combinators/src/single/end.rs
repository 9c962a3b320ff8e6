//! How a future ended that must not be polled again.

/// How a future ended that must not be polled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// A future or a function in it panicked.
    Panicked,
}

impl End {
    /// Says so, of the future called `name`.
    #[cold]
    pub(super) fn misused(self, name: &str) -> ! {
        match self {
            Self::Done => panic!("`{name}` polled after completion"),
            Self::Panicked => panic!("`{name}` polled after a panic"),
        }
    }
}
