//! Descriptors that tasks can wait for.
//!
//! The sockets of [`net`](crate::net) stand on what is here, and [`Registered`] offers it for
//! descriptors of any other kind: pipes, terminals, event counters, sockets of other libraries.

mod attempt;
mod watched;
mod bytes;
mod ready;
#[cfg(unix)]
mod registered;

pub(crate) use self::attempt::attempted;
pub use self::ready::{Readable, ReadableCall, Registers, Writable, WritableCall};
#[cfg(unix)]
pub use self::registered::Registered;
pub(crate) use self::watched::Watched;
