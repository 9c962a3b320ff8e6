//! Any signal, as Unix has them.

mod signal_kind;
mod listening;

pub use self::listening::{RecvSignal, RecvSignalCall, Signal, signal};
pub use self::signal_kind::SignalKind;
