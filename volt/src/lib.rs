//! `async fn`s as named state machines, and a runtime for them.
//!
//! [`#[volt::state_machine]`](macro@state_machine) turns an `async fn` into a named type. The type
//! can be a field of a struct, printed and drawn, and it reports its current state. Any executor
//! runs it. The runtime of volt can also list each task with the line at which it waits.
//!
//! ```
//! # #[cfg(feature = "rt")] {
//! use std::time::Duration;
//! use volt::machine::StateMachine;
//! use volt::time::sleep;
//!
//! #[volt::state_machine]
//! async fn blink(times: u32, pause: Duration) -> u32 {
//!     let mut shown: u32 = 0;
//!     while shown < times {
//!         sleep(pause).await;
//!         shown += 1;
//!     }
//!     shown
//! }
//!
//! let machine: Blink = blink(3, Duration::from_millis(1));
//! assert_eq!(machine.state().name, "start");
//! assert_eq!(volt::block_on(machine), 3);
//! # }
//! ```
//!
//! # Overview
//!
//! | to | use |
//! | --- | --- |
//! | write a machine | [`macro@state_machine`] |
//! | read the state of a machine, draw it | [`machine`] |
//! | run, spawn and list tasks | [`Runtime`], [`spawn`], [`runtime`] |
//! | start a program or a test in a runtime | [`macro@main`], [`macro@test`] |
//! | run tasks on one thread | [`LocalRuntime`], [`spawn_local`] |
//! | cancel, shield, yield | [`JoinHandle`], [`task`] |
//! | run tasks on another executor | [`raw`] |
//! | wait for a time | [`time`] |
//! | use TCP, UDP or Unix sockets | [`net`] |
//! | read lines and numbers, copy, buffer | [`io`] |
//! | wait for another file descriptor | [`io`] |
//! | wait for ctrl-c or another signal | [`signal`] |
//! | read and write files | [`fs`] |
//! | start child processes | [`process`] |
//! | join, race, select, group | [`future`], [`Group`] |
//!
//! # Features
//!
//! - `rt` (default): the runtime, with tasks, timers and sockets. Without it the crate is `no_std`,
//!   and contains the attribute, [`machine`] and [`future`].
//! - `std` (part of `rt`): the parts of [`future`] that need the standard library.
//! - `checks`: awaits of machines are checked for lost wakers, in release builds too.
//! - `bytes`: `read_buf` of [`io::AsyncReadExt`] accepts a `BytesMut`.
//! - `serde`: `derive(Serialize, Deserialize)` of explicit machines, and dumps of the runtime can
//!   be serialized.
//! - `inspect`: an HTTP server with the state of a runtime; see [`Builder::inspect`].
//! - `signal`: [`signal`], and dumps when the process receives a signal, on Unix.
//! - `fs`: [`fs`], files on the threads of the blocking pool.
//! - `process`: [`process`], child processes, on Unix.
//! - `tokio`: a tokio context for libraries that require one, and the I/O traits of tokio for
//!   sockets.
//! - `tracing`: a span for each task, and events for spawns, wakes and the sleep of workers.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(
    not(all(
        feature = "rt",
        feature = "fs",
        feature = "inspect",
        feature = "process",
        unix
    )),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the page above names items of all features"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

// Floor 1: the base of all floors.
#[cfg(feature = "rt")]
mod loom;
#[cfg(feature = "rt")]
mod util;
pub mod machine;

// Floor 2: the task, which knows no scheduler, the driver, which knows no task, and the inspection
// server, which knows no runtime.
#[cfg(feature = "rt")]
pub mod task;
#[cfg(feature = "rt")]
mod driver;

#[cfg(all(feature = "inspect", not(loom)))]
mod inspect;

// Floor 3: the scheduler, which decides when a worker runs a task.
#[cfg(feature = "rt")]
mod scheduler;

// Floor 4: the runtime. There are no loom models from here on.
#[cfg(all(feature = "rt", not(loom)))]
pub mod runtime;

// Floor 5: timers and streams.
#[cfg(all(feature = "rt", not(loom)))]
pub mod time;
#[cfg(all(feature = "rt", not(loom)))]
pub mod io;

// Floor 6: sockets, signals and files.
#[cfg(all(feature = "rt", not(loom)))]
pub mod net;

#[cfg(all(feature = "signal", unix, not(any(loom, all(test, shuttle)))))]
pub mod signal;
#[cfg(all(feature = "fs", not(any(loom, all(test, shuttle)))))]
pub mod fs;

// Floor 7: child processes.
#[cfg(all(feature = "process", unix, not(any(loom, all(test, shuttle)))))]
pub mod process;

#[doc(inline)]
pub use volt_combinators as future;

#[cfg(all(feature = "rt", not(loom)))]
pub use self::runtime::{
    Builder, Current, Group, Handle, LocalRuntime, Runtime, TaskBuilder, block_in_place, block_on,
    spawn, spawn_blocking, spawn_blocking_mandatory, spawn_local,
};
#[cfg(all(feature = "rt", not(loom)))]
#[doc(inline)]
pub use self::task::raw;
#[cfg(feature = "rt")]
pub use self::task::{JoinError, JoinHandle};

#[doc(hidden)]
#[cfg(all(feature = "rt", not(loom)))]
pub use self::runtime::entry as __entry;
/// Without the runtime there is no budget that an await could charge.
#[doc(hidden)]
#[cfg(not(all(feature = "rt", not(loom))))]
pub mod __entry {
    pub use crate::machine::operand;
    pub use core::convert::identity as charged;
}
#[doc(hidden)]
pub use machine::expansion as __private;
/// Runs the `async fn main` of a program in a runtime.
///
/// # Examples
///
/// ```
/// #[volt::main]
/// async fn main() -> std::io::Result<()> {
///     let task = volt::spawn(async { 6 * 7 });
///     assert_eq!(task.await?, 42);
///     Ok(())
/// }
/// ```
#[cfg(all(feature = "rt", not(loom)))]
pub use volt_macros::main;
/// Creates a named state machine from an `async fn`, or from each one in an `impl`.
///
/// # Examples
///
/// With each option:
///
/// ```
/// # #[cfg(feature = "rt")] {
/// use volt::machine::StateMachine;
/// use volt::task::yield_now;
///
/// mod inner {
///     pub use volt as runtime;
/// }
///
/// #[volt::state_machine(
///     name = Counting,
///     send,
///     derive(Clone, PartialEq),
///     max_size = 16,
///     crate = inner::runtime
/// )]
/// async fn count(upto: u32) -> u32 {
///     let mut number: u32 = 0;
///     while number < upto {
///         #[state(Resting)]
///         yield_now().await;
///         number += 1;
///     }
///     number
/// }
///
/// let counting: Counting = count(3);
/// assert_eq!(Counting::STATES[1].name, "Resting");
/// assert!(counting == counting.clone());
/// assert_eq!(volt::block_on(counting), 3);
/// # }
/// ```
///
/// On an `impl`, with an option for all methods and one for a single method, and on the method of a
/// trait with an associated future:
///
/// ```
/// # #[cfg(feature = "rt")] {
/// use volt::task::yield_now;
///
/// pub trait Tick {
///     type Future<'a>: Future<Output = u64>
///     where
///         Self: 'a;
///     fn tick(&mut self) -> Self::Future<'_>;
/// }
///
/// pub struct Clock(u64);
///
/// #[volt::state_machine(send)]
/// impl Clock {
///     #[state_machine(name = WholeDay)]
///     pub async fn day(&mut self) -> u64 {
///         for _ in 0..24u32 {
///             self.hour().await;
///         }
///         self.0
///     }
///
///     pub async fn hour(&mut self) {
///         yield_now().await;
///         self.0 += 1;
///     }
///
///     #[state_machine(skip)]
///     pub async fn year(&mut self) -> u64 {
///         for _ in 0..365 {
///             self.day().await;
///         }
///         self.0
///     }
/// }
///
/// #[volt::state_machine(vis = pub)]
/// impl Tick for Clock {
///     type Future<'a> = ClockTick<'a>;
///
///     async fn tick(&mut self) -> u64 {
///         self.hour().await;
///         self.0
///     }
/// }
///
/// assert_eq!(volt::block_on(Clock(0).year()), 365 * 24);
/// assert_eq!(volt::block_on(Clock(0).tick()), 1);
/// # }
/// ```
pub use volt_macros::state_machine;
/// Runs an `async fn` as a test in its own runtime.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// #[volt::test(start_paused = true)]
/// async fn an_hour_passes() {
///     volt::time::sleep(Duration::from_secs(3600)).await;
/// }
/// ```
#[cfg(all(feature = "rt", not(loom)))]
pub use volt_macros::test;
