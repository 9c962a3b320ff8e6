//! The end of a future.

use volt_inspect::Status;

/// The way in which a future ended. It must not be polled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// The future or a function of it panicked.
    Panicked,
}

impl End {
    /// Returns the status of a future that has ended.
    pub(super) fn status(self) -> Status {
        match self {
            Self::Done => Status::Done,
            Self::Panicked => Status::Gone,
        }
    }

    /// Panics because the future called `name` was polled again.
    #[cold]
    pub(super) fn panic_polled_again(self, name: &str) -> ! {
        match self {
            Self::Done => panic!("`{name}` polled after completion"),
            Self::Panicked => panic!("`{name}` polled after a panic"),
        }
    }
}
