//! Signals that the process gets, on Unix.
//!
//! [`ctrl_c`](fn@ctrl_c) waits for the key that ends a program, and [`unix::signal`] listens for any
//! signal that can be caught. Any number of listeners hear of a signal, in any number of runtimes.
//! They share one registration: a further listener takes some memory, and no descriptor.
//!
//! The first listener of a signal takes over what the signal does, for the rest of the process: it no
//! longer ends the process, even after the last listener is gone.
//!
//! In a fork of the process listeners of the parent hear nothing of the child's signals. A child that
//! makes a runtime of its own makes listeners of its own.

mod listener_registry;
mod relay;
pub mod unix;
mod ctrl_c_future;

pub use self::ctrl_c_future::{CtrlC, ctrl_c};
pub use self::unix::SignalKind;
