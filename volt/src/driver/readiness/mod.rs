//! The readiness of descriptors, as the system reports it.

mod source;
mod reactor;
#[cfg_attr(all(test, shuttle), path = "shuttle_interrupt.rs")]
mod interrupt;

pub(super) use self::interrupt::Interrupt;
pub(super) use self::reactor::{ALARM, Reactor, Registry, Signals};
pub(crate) use self::source::{Direction, Ready};
pub(super) use self::source::{End, Place, Source};
