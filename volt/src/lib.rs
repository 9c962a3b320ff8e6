//! Futures authored as explicit state machines, and the runtime that runs them.
#![cfg_attr(not(feature = "rt"), no_std)]

// Floor 1: what everything stands on.
#[cfg(feature = "rt")]
mod loom;
pub mod machine;

// Floor 2: the task, which knows no scheduler, and the driver, which knows no task.
#[cfg(feature = "rt")]
pub mod task;
#[cfg(feature = "rt")]
mod driver;

// Floor 4: the runtime.
#[cfg(feature = "rt")]
mod runtime;

// Floor 5: what tasks wait for.
#[cfg(feature = "rt")]
pub mod time;
#[cfg(feature = "rt")]
mod io;

// Floor 6: sockets.
#[cfg(feature = "rt")]
pub mod net;
