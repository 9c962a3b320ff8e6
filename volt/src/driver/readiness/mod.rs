//! The readiness of descriptors, as reported by the system.

mod source;
mod reactor;
mod peers;
#[cfg_attr(all(test, shuttle), path = "shuttle_interrupt.rs")]
mod interrupt;

pub(super) use self::interrupt::Interrupt;
pub(crate) use self::peers::SocketWaiter;
pub(super) use self::reactor::{IoRegistry, Reactor, Signals, WAIT_TIMER};
pub(super) use self::source::{CloseReason, IoSource, WakerPlace};
pub(crate) use self::source::{Direction, ReadyEvent};
