//! Signals of Unix.

mod signal_kind;
mod signal_listener;

pub use self::signal_kind::SignalKind;
pub use self::signal_listener::{RecvSignal, Signal, signal};
