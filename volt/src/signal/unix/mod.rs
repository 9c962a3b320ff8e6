//! Any signal, as Unix has them.

mod signal_kind;
mod listening;

pub use self::listening::{RecvSignal, Signal, signal};
pub use self::signal_kind::SignalKind;
