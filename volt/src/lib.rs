//! Futures authored as explicit state machines, and the runtime that runs them.
//!
//! [`state_machine`](macro@state_machine) makes a named type of an ordinary `async fn`: an enum
//! with one variant a suspend point, which holds what is alive there and nothing else. It can be
//! stored, printed, measured and drawn; it needs no allocation and runs on any executor. The
//! [`runtime`] runs such futures, and all others.
//!
//! ```
//! use volt::machine::StateMachine;
//! use volt::task::yield_now;
//!
//! #[volt::state_machine]
//! async fn count_to(limit: u32) -> u32 {
//!     let mut count: u32 = 0;
//!     while count < limit {
//!         yield_now().await;
//!         count += 1;
//!     }
//!     count
//! }
//!
//! let machine: CountTo = count_to(3);
//! assert_eq!(machine.state().name, "start");
//!
//! let count = volt::block_on(async { volt::spawn(machine).await });
//! assert_eq!(count.unwrap(), 3);
//! ```
//!
//! # Where to go
//!
//! - [`state_machine`](macro@state_machine): what a function may hold, and the options.
//! - [`machine`]: what can be asked of a machine, and how futures of your own take part.
//! - [`Runtime`], [`spawn`], [`block_on`], [`Handle::dump`]: running tasks, and finding them.
//! - [`task`]: handles, cancellation, shields.
//! - [`time`] and [`net`]: sleeps, timeouts, sockets.
//! - [`future`]: join, race, select, and the rest of [`volt_combinators`]; [`Group`] for tasks that
//!   belong together.
//! - The book, in `book/`, tells it all in order.
//!
//! # Features
//!
//! - `rt` (default): the runtime. Without it the crate is `no_std` and holds the macro, what
//!   expanded machines name, and the combinators.
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
