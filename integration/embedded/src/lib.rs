//! A weather station without an allocator or the standard library.
//!
//! Its program is [`station`](station()), a machine that any loop can poll. `by_hand` polls it in a
//! loop of its own. `on_embassy` runs it as a task of embassy's executor, in a static of the
//! machine's type.
//!
//! # Generic functions
//!
//! Without the feature `alloc`, a machine stores its coroutine itself:
//!
//! ```
//! # use std::future::ready;
//! #[volt::state_machine(inline = 64)]
//! async fn twice<F: Future<Output = u32> + Clone>(future: F) -> u32 {
//!     let first = future.clone().await;
//!     first + future.await
//! }
//! # let mut machine = std::pin::pin!(twice(ready(2)));
//! # let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
//! # assert_eq!(machine.as_mut().poll(&mut cx), std::task::Poll::Ready(4));
//! ```
//!
//! The option `boxed` is an error there:
//!
//! ```compile_fail
//! #[volt::state_machine(boxed)]
//! async fn twice<F: Future<Output = u32> + Clone>(future: F) -> u32 {
//!     let first = future.clone().await;
//!     first + future.await
//! }
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod clock;
mod program;

pub use clock::{Ticks, tick, ticks};
pub use program::{Pins, station, transmit};
#[cfg(not(feature = "plain"))]
pub use program::{Station, Transmit};
