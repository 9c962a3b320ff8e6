//! Futures authored as explicit state machines, and the runtime that runs them.
//!
//! [`#[volt::state_machine]`](macro@state_machine) turns an ordinary `async fn` into a type with a
//! name: it can be held in a struct, printed, drawn, and asked where it stands. Any executor runs
//! it; volt's own can also list every task with the line that it waits at.
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
//! # Where to go
//!
//! | you want to | look at |
//! | --- | --- |
//! | write a machine | [`macro@state_machine`]: what a function may hold, and the options |
//! | ask a machine where it stands, draw it | [`machine`] |
//! | run futures, spawn them, see them all | [`Runtime`], [`spawn`], [`runtime`] |
//! | start a program or a test in a runtime | [`macro@main`], [`macro@test`] |
//! | stay on one thread | [`LocalRuntime`], [`spawn_local`] |
//! | cancel, shield, yield | [`JoinHandle`], [`task`] |
//! | run tasks on an executor of your own | [`raw`] |
//! | wait for a moment | [`time`] |
//! | speak TCP, UDP or Unix sockets | [`net`] |
//! | read lines and numbers, copy, buffer | [`io`] |
//! | wait for any other descriptor | [`io`] |
//! | wait for ctrl-c or another signal | [`signal`] |
//! | read and write files | [`fs`] |
//! | start other programs | [`process`] |
//! | join, race, select, group | [`future`], [`Group`] |
//!
//! # Features
//!
//! - `rt` (default): the runtime, and with it tasks, timers and sockets. Without it the crate is
//!   `no_std` and holds what machines need: the attribute, [`machine`] and [`future`].
//! - `std` (part of `rt`): the parts of [`future`] that need the standard library.
//! - `checks`: awaits of machines are checked for wakers that nobody keeps, in release builds too.
//! - `bytes`: `read_buf` of [`io::AsyncReadExt`] fills a `BytesMut` too.
//! - `serde`: dumps of the runtime as data for any format.
//! - `signal`: [`signal`], and dumps whenever the process gets a signal, on Unix.
//! - `fs`: [`fs`], files on threads that may block.
//! - `process`: [`process`], other programs, on Unix.
//! - `tokio`: a tokio runtime beside this one for libraries that ask for it, and tokio's traits on sockets.
//! - `tracing`: a span for each task, and events when it is spawned and woken, and when workers sleep.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(
    not(all(feature = "rt", feature = "fs", feature = "process", unix)),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the page above names what the features add too"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

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
pub mod io;

// Floor 6: sockets, signals and files.
#[cfg(all(feature = "rt", not(loom)))]
pub mod net;

#[cfg(all(feature = "signal", unix, not(any(loom, all(test, shuttle)))))]
pub mod signal;
#[cfg(all(feature = "fs", not(any(loom, all(test, shuttle)))))]
pub mod fs;

// Floor 7: other programs, and the signal of their ends.
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
#[doc(hidden)]
pub use machine::expansion as __private;
/// Starts a program in a runtime: the attribute of its `main`.
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
/// Makes a named state machine of an `async fn`, or of each one in an `impl`.
///
/// # Examples
///
/// Each option once:
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
/// On an `impl`, with an option for all methods and one for a single method; and the method of a
/// trait that names its future:
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
/// Runs an `async fn` as a test, in a runtime of its own.
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
