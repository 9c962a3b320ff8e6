//! Descriptors that the driver watches, and the futures that wait for their readiness.

mod readable;
mod interest;
mod poll_evented;
mod read_write;
#[cfg(unix)]
mod registered;

pub use self::interest::{Interest, Ready, ReadyFor};
pub(crate) use self::poll_evented::PollEvented;
pub(crate) use self::readable::HasRegistration;
pub use self::readable::{Readable, Writable};
#[cfg(unix)]
pub use self::registered::Registered;
