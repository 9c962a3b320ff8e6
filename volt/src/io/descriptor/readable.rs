//! Futures that wait for the readiness of a descriptor without using it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, Node, Wait, register, registrable};

use crate::driver::{Direction, ReadinessWait, Registration};
use crate::task::poll_proceed;

/// A descriptor or socket that a driver watches.
///
/// Other crates cannot name this trait, so they cannot implement it.
#[expect(
    private_interfaces,
    reason = "other crates neither call nor implement it"
)]
pub trait HasRegistration {
    /// Returns its registration with the driver.
    fn registration(&self) -> &Registration;
}

fn poll_ready_with_budget(
    cx: &mut Context<'_>,
    registration: &Registration,
    waiting: &mut ReadinessWait,
) -> Poll<io::Result<()>> {
    let budget = ready!(poll_proceed(cx));
    let ready = ready!(waiting.poll_ready(registration, cx.waker()));
    budget.made_progress();
    Poll::Ready(ready.check())
}

/// Reports to the current node of an inspector that it waits for one half of a descriptor.
pub(super) fn report_readiness(direction: Direction, inspector: &mut Inspector<'_>) {
    let (operation, direction) = match direction {
        Direction::Read => ("readable", volt_inspect::Direction::Read),
        Direction::Write => ("writable", volt_inspect::Direction::Write),
        Direction::Priority => ("urgent data", volt_inspect::Direction::Read),
        Direction::Error => ("an error of the descriptor", volt_inspect::Direction::Read),
    };
    inspector.waits(Wait::Io {
        operation,
        direction,
        address: None,
        descriptor: None,
    });
}

/// Declares the future that waits for one direction.
macro_rules! impl_readiness_future {
    ($(#[$attribute:meta])* $Future:ident, $direction:ident) => {
        $(#[$attribute])*
        #[derive(Debug)]
        #[must_use = "futures do nothing unless polled"]
        pub struct $Future<'a> {
            registration: &'a Registration,
            waiting: ReadinessWait,
        }

        impl<'a> $Future<'a> {
            pub(crate) fn new(source: &'a impl HasRegistration) -> Self {
                register::<Self>();
                Self {
                    registration: source.registration(),
                    waiting: ReadinessWait::new(Direction::$direction),
                }
            }
        }

        impl Inspect for $Future<'_> {
            fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
                inspector.node(&Node::new(stringify!($Future)), |inspector| {
                    report_readiness(Direction::$direction, inspector);
                });
            }
        }

        registrable!($Future<'a>);

        impl Future for $Future<'_> {
            type Output = io::Result<()>;

            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let registration = self.registration;
                poll_ready_with_budget(cx, registration, &mut self.waiting)
            }
        }
    };
}

impl_readiness_future!(
    /// The future of `readable` on a descriptor or socket.
    Readable,
    Read
);
impl_readiness_future!(
    /// The future of `writable` on a descriptor or socket.
    Writable,
    Write
);
