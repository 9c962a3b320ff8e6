//! Waiting for either half of a descriptor.

use std::future::Future;
use std::io;
use std::ops::BitOr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::ready::Registers;
use crate::driver::{Direction, Registration, Waiting};
use crate::task::poll_proceed;

/// What of a descriptor is waited for: that it may be read, that it may be written, or either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interest {
    readable: bool,
    writable: bool,
}

impl Interest {
    /// That it may be read.
    pub const READABLE: Self = Self {
        readable: true,
        writable: false,
    };
    /// That it may be written.
    pub const WRITABLE: Self = Self {
        readable: false,
        writable: true,
    };

    /// Whether it asks for what may be read.
    #[must_use]
    pub const fn is_readable(self) -> bool {
        self.readable
    }

    /// Whether it asks for what may be written.
    #[must_use]
    pub const fn is_writable(self) -> bool {
        self.writable
    }
}

impl BitOr for Interest {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            readable: self.readable || other.readable,
            writable: self.writable || other.writable,
        }
    }
}

/// What of a descriptor may be ready: of what was waited for, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ready {
    readable: bool,
    writable: bool,
}

impl Ready {
    /// Whether a read may succeed; only a read tells whether it does.
    #[must_use]
    pub const fn is_readable(self) -> bool {
        self.readable
    }

    /// Whether a write may succeed; only a write tells whether it does.
    #[must_use]
    pub const fn is_writable(self) -> bool {
        self.writable
    }
}

/// The future of `ready` on a descriptor or socket.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ReadyFor<'a> {
    registration: &'a Registration,
    read: Option<Waiting>,
    write: Option<Waiting>,
}

impl<'a> ReadyFor<'a> {
    pub(crate) fn new(registers: &'a impl Registers, interest: Interest) -> Self {
        let waiting = |asked: bool, direction| asked.then(|| Waiting::new(direction));
        Self {
            registration: registers.registration(),
            read: waiting(interest.readable, Direction::Read),
            write: waiting(interest.writable, Direction::Write),
        }
    }
}

impl Future for ReadyFor<'_> {
    type Output = io::Result<Ready>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let budget = ready!(poll_proceed(cx));
        let this = &mut *self;
        let mut found = Ready {
            readable: false,
            writable: false,
        };
        for (waiting, is_ready) in [
            (&mut this.read, &mut found.readable),
            (&mut this.write, &mut found.writable),
        ] {
            if let Some(waiting) = waiting
                && let Poll::Ready(ready) = waiting.poll_ready(this.registration, cx.waker())
            {
                ready.check()?;
                *is_ready = true;
            }
        }
        if !found.readable && !found.writable {
            return Poll::Pending;
        }
        budget.made_progress();
        Poll::Ready(Ok(found))
    }
}
