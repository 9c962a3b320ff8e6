//! The end of a future.

/// The way in which a future ended. It must not be polled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// The future or a function of it panicked.
    Panicked,
}

impl End {
    /// Panics because the future called `name` was polled again.
    #[cold]
    pub(super) fn panic_polled_again(self, name: &str) -> ! {
        match self {
            Self::Done => panic!("`{name}` polled after completion"),
            Self::Panicked => panic!("`{name}` polled after a panic"),
        }
    }
}
