//! Interest in several states of a descriptor, and the future that waits for them.

use std::fmt;
use std::future::Future;
use std::io;
use std::ops::BitOr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use super::readable::{HasRegistration, report_readiness};
use crate::driver::{Direction, ReadinessWait, Registration};
use crate::task::poll_proceed;

const READABLE: u8 = 1;
const WRITABLE: u8 = 1 << 1;
const PRIORITY: u8 = 1 << 2;
const ERROR: u8 = 1 << 3;
const READ_CLOSED: u8 = 1 << 4;
const WRITE_CLOSED: u8 = 1 << 5;

/// The states that a future can wait for, each with its bit.
const DIRECTIONS: [(u8, Direction); 4] = [
    (READABLE, Direction::Read),
    (WRITABLE, Direction::Write),
    (PRIORITY, Direction::Priority),
    (ERROR, Direction::Error),
];

/// The states of a descriptor that a future waits for. Join them with `|`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interest(u8);

impl Interest {
    /// A read may succeed, or the read half is closed.
    pub const READABLE: Self = Self(READABLE);
    /// A write may succeed, or the write half is closed.
    pub const WRITABLE: Self = Self(WRITABLE);
    /// The descriptor has urgent data, such as an urgent byte of TCP. Only Linux and Android report
    /// this state.
    pub const PRIORITY: Self = Self(PRIORITY);
    /// The descriptor has an error, such as a report in the error queue of a UDP socket.
    pub const ERROR: Self = Self(ERROR);

    /// Returns `true` if it contains [`READABLE`](Self::READABLE).
    #[must_use]
    pub const fn is_readable(self) -> bool {
        self.0 & READABLE != 0
    }

    /// Returns `true` if it contains [`WRITABLE`](Self::WRITABLE).
    #[must_use]
    pub const fn is_writable(self) -> bool {
        self.0 & WRITABLE != 0
    }

    /// Returns `true` if it contains [`PRIORITY`](Self::PRIORITY).
    #[must_use]
    pub const fn is_priority(self) -> bool {
        self.0 & PRIORITY != 0
    }

    /// Returns `true` if it contains [`ERROR`](Self::ERROR).
    #[must_use]
    pub const fn is_error(self) -> bool {
        self.0 & ERROR != 0
    }

    pub(super) fn directions(self) -> impl Iterator<Item = Direction> {
        let contained = DIRECTIONS.iter().filter(move |(bit, _)| self.0 & bit != 0);
        contained.map(|(_, direction)| *direction)
    }
}

impl BitOr for Interest {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The states of a descriptor that the driver has reported. At least one of the requested states is
/// set.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ready(u8);

impl Ready {
    /// Returns `true` if a read may succeed. Only a read shows whether it does.
    #[must_use]
    pub const fn is_readable(self) -> bool {
        self.0 & READABLE != 0
    }

    /// Returns `true` if a write may succeed. Only a write shows whether it does.
    #[must_use]
    pub const fn is_writable(self) -> bool {
        self.0 & WRITABLE != 0
    }

    /// Returns `true` if there is urgent data and [`Interest::PRIORITY`] was requested.
    #[must_use]
    pub const fn is_priority(self) -> bool {
        self.0 & PRIORITY != 0
    }

    /// Returns `true` if there is an error and [`Interest::ERROR`] was requested.
    #[must_use]
    pub const fn is_error(self) -> bool {
        self.0 & ERROR != 0
    }

    /// Returns `true` if the read half is closed and [`Interest::READABLE`] was requested. Reads
    /// return the remaining bytes, and then the end of the stream or an error.
    #[must_use]
    pub const fn is_read_closed(self) -> bool {
        self.0 & READ_CLOSED != 0
    }

    /// Returns `true` if the write half is closed and [`Interest::WRITABLE`] was requested. A write
    /// fails.
    #[must_use]
    pub const fn is_write_closed(self) -> bool {
        self.0 & WRITE_CLOSED != 0
    }
}

/// Writes the names of the bits.
fn fmt_bits(bits: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const NAMES: [&str; 6] = [
        "READABLE",
        "WRITABLE",
        "PRIORITY",
        "ERROR",
        "READ_CLOSED",
        "WRITE_CLOSED",
    ];
    let mut separator = "";
    for (at, name) in NAMES.iter().enumerate() {
        if bits & 1 << at != 0 {
            write!(f, "{separator}{name}")?;
            separator = " | ";
        }
    }
    Ok(())
}

impl fmt::Debug for Interest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_bits(self.0, f)
    }
}

impl fmt::Debug for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_bits(self.0, f)
    }
}

/// The future of `ready` on a descriptor or socket.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ReadyFor<'a> {
    registration: &'a Registration,
    /// The waiters, in the order of [`DIRECTIONS`].
    waiting: [Option<ReadinessWait>; 4],
}

impl<'a> ReadyFor<'a> {
    pub(crate) fn new(source: &'a impl HasRegistration, interest: Interest) -> Self {
        register::<Self>();
        let waiting =
            |(bit, direction)| (interest.0 & bit != 0).then(|| ReadinessWait::new(direction));
        Self {
            registration: source.registration(),
            waiting: DIRECTIONS.map(waiting),
        }
    }
}

impl Inspect for ReadyFor<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("ReadyFor"), |inspector| {
            for waiting in self.waiting.iter().flatten() {
                report_readiness(waiting.direction(), inspector);
            }
        });
    }
}

registrable!(ReadyFor<'a>);

impl Future for ReadyFor<'_> {
    type Output = io::Result<Ready>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let budget = ready!(poll_proceed(cx));
        let registration = self.registration;
        let mut found = 0;
        for (waiting, (bit, direction)) in self.waiting.iter_mut().zip(DIRECTIONS) {
            let Some(waiting) = waiting else { continue };
            if let Poll::Ready(ready) = waiting.poll_ready(registration, cx.waker()) {
                ready.check()?;
                found |= bit;
                if ready.is_closed(direction) {
                    found |= bit << 4;
                }
            }
        }
        if found == 0 {
            return Poll::Pending;
        }
        budget.made_progress();
        Poll::Ready(Ok(Ready(found)))
    }
}
