//! Signals of the process, on Unix.
//!
//! [`ctrl_c`](fn@ctrl_c) waits for ctrl-c, and [`unix::signal`] listens for any signal that can be
//! caught. A signal can have any number of listeners, in any number of runtimes. They share one
//! registration, so a further listener needs some memory, but no descriptor.
//!
//! The first listener of a signal replaces the default action of the signal for the rest of the
//! process. So the signal no longer ends the process, even after the last listener was dropped.
//!
//! In a fork of the process, the listeners of the parent receive no signals of the child. The child
//! can create a runtime and listeners of its own.

mod listener_registry;
mod relay;
pub mod unix;
mod ctrl_c_future;

pub use self::ctrl_c_future::{CtrlC, ctrl_c};
pub use self::unix::SignalKind;
