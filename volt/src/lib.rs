//! Futures authored as explicit state machines, and the runtime that runs them.
#![cfg_attr(not(feature = "rt"), no_std)]

// Floor 1: what everything stands on.
#[cfg(feature = "rt")]
mod loom;
#[cfg(feature = "rt")]
mod util;
pub mod machine;

// Floor 2: the task, which knows no scheduler, and the driver, which knows no task.
#[cfg(feature = "rt")]
pub mod task;
#[cfg(feature = "rt")]
mod driver;

// Floor 3: who runs what, and when.
#[cfg(feature = "rt")]
mod scheduler;

// Floor 4: the runtime. From here on nothing is modelled.
#[cfg(all(feature = "rt", not(loom)))]
pub mod runtime;

// Floor 5: what tasks wait for.
#[cfg(all(feature = "rt", not(loom)))]
pub mod time;
#[cfg(all(feature = "rt", not(loom)))]
mod io;

// Floor 6: sockets.
#[cfg(all(feature = "rt", not(loom)))]
pub mod net;

#[doc(inline)]
pub use volt_combinators as future;

#[cfg(all(feature = "rt", not(loom)))]
pub use self::runtime::{
    Builder, Current, Group, Handle, Runtime, block_on, spawn, spawn_blocking,
};
#[cfg(feature = "rt")]
pub use self::task::{JoinError, JoinHandle};

#[doc(hidden)]
pub use machine::private as __private;
pub use volt_macros::state_machine;
