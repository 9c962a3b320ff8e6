//! Futures composed: map, then, join, race, select, groups.
//!
//! Runtime-free, and without `std` where it is not wanted.
//!
//! | what | on what | returns |
//! | --- | --- | --- |
//! | `map`, `then`, `inspect`, `catch_unwind`, `boxed` | a future ([`FutureExt`]) | [`Compose`] |
//! | `map_ok`, `map_err`, `and_then`, `or_else` | a future of a `Result` ([`FutureExt`]) | [`Compose`] |
//! | `join` | tuple, array, `Vec`, boxed slice ([`FuturesExt`]) | [`Join`]: all outputs |
//! | `race` | as `join`, of one output type | [`Race`]: the first output, the losers dropped |
//! | `select` | as `race` | [`Select`]: one output at a time, the others in place |
//!
//! # Features
//!
//! - `std` (default): what catches panics or locks.
//! - `alloc` (in `std`): `Vec`s, and wakers that tell which future woke. Without it every future
//!   of a combinator is polled whenever one of them woke.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test, loom))]
extern crate std;

#[cfg(feature = "alloc")]
mod loom;
#[cfg(feature = "alloc")]
mod waker_cell;
#[cfg(feature = "alloc")]
mod wake_set;
mod slots;
mod turns;
mod single;
mod compose;
mod join;
mod race;
mod select;
mod futures_ext;

pub use core::future::{Pending, Ready, pending, ready};

#[cfg(feature = "alloc")]
pub use self::compose::{BoxFuture, LocalBoxFuture};
pub use self::compose::{Compose, FutureExt, compose};
pub use self::futures_ext::FuturesExt;
#[cfg(feature = "alloc")]
pub use self::join::join_all;
pub use self::join::{Join, join};
#[cfg(feature = "alloc")]
pub use self::race::race_all;
pub use self::race::{Race, race};
#[cfg(feature = "alloc")]
pub use self::select::select_all;
pub use self::select::{Next, Select, select};
#[cfg(feature = "std")]
pub use self::single::CatchUnwind;
pub use self::single::{AndThen, Inspect, Lazy, Map, MapErr, MapOk, OrElse, Then, lazy};
pub use self::slots::{Children, IntoChildren};
