//! Futures composed: map, then, join, race, select, groups.
//!
//! Runtime-free, and without `std` where it is not wanted.
//!
//! | what | on what | returns |
//! | --- | --- | --- |
//! | `map`, `then`, `inspect`, `fuse`, `catch_unwind`, `boxed` | a future ([`FutureExt`]) | [`Compose`] |
//! | `map_ok`, `map_err`, `and_then`, `or_else` | a future of a `Result` ([`FutureExt`]) | [`Compose`] |
//! | `join` | tuple, array, `Vec`, boxed slice ([`FuturesExt`]) | [`Join`]: all outputs |
//! | `try_join` | as `join`, of `Result`s | [`TryJoin`]: all values, or the first error, the rest dropped |
//! | `settle` | as `try_join` | [`Settle`]: all values, or all errors |
//! | `partition` | as `race_ok` | [`Partition`]: all values and all errors |
//! | `race` | as `join`, of one output type | [`Race`]: the first output, the losers dropped |
//! | `race_ok` | as `race`, of `Result`s | [`RaceOk`]: the first value, or all errors |
//! | `select` | as `race` | [`Select`]: one output at a time, the others in place |
//! | [`FutureGroup`] | futures of one type, any number, in the caller's task | outputs as they come |
//! | [`scope`](fn@scope) | children that borrow, in the caller's task | what the body returns |
//! | [`Group`] | children on a runtime ([`Spawn`]) | values, or errors with their ids |
//!
//! # Limits
//!
//! Thirty-two futures of a combinator share a count of the wakers that they keep, and can keep two
//! and a half million at a time. Where there are no atomics of 64 bits eight share one, and can keep
//! eighty thousand. Some more end the program, as too many clones of an `Arc` do: to count on would
//! free memory in use. One or two futures keep clones of their task's waker, and have its limit.
//!
//! # Features
//!
//! - `std` (default): what catches panics: [`Group`] and `catch_unwind`.
//! - `alloc` (in `std`): `Vec`s, and wakers that tell which future woke. Without it a combinator has
//!   these out of a [`StaticWakeSet`], or polls all its futures whenever one of them woke.
//! - `futures-core`: `Stream` for [`Select`] and the groups, `FusedFuture` for what can tell that it
//!   has ended.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test, loom))]
extern crate std;

#[cfg(any(feature = "alloc", target_has_atomic = "ptr"))]
mod abort;
#[cfg(target_has_atomic = "ptr")]
mod loom;
#[cfg(target_has_atomic = "ptr")]
mod wake_set;
mod slots;
mod phase;
mod calls;
mod poll_pass;
mod combinator;
mod single;
mod composing;
#[cfg(feature = "alloc")]
mod errors;
mod joining;
mod try_joining;
#[cfg(feature = "alloc")]
mod settling;
#[cfg(feature = "alloc")]
mod partitioning;
mod racing;
#[cfg(feature = "alloc")]
mod racing_ok;
mod selecting;
mod futures_ext;
#[cfg(feature = "alloc")]
mod future_group;
#[cfg(feature = "alloc")]
mod scoped;
#[cfg(feature = "alloc")]
mod inbox;
#[cfg(feature = "alloc")]
mod scope;
#[cfg(feature = "std")]
mod group;
#[cfg(feature = "futures-core")]
mod fused;

#[cfg(feature = "alloc")]
pub use self::composing::{BoxFuture, LocalBoxFuture};
pub use self::composing::{Compose, FutureExt, compose};
#[cfg(feature = "alloc")]
pub use self::errors::Errors;
#[cfg(feature = "alloc")]
pub use self::future_group::{FutureGroup, FutureId, NextOf};
pub use self::futures_ext::FuturesExt;
#[cfg(feature = "std")]
pub use self::group::{
    Child, ChildId, Group, GroupError, GroupHandle, JoinAll, NextChild, Panic, Policy, Spawn,
    TaskError, Wait,
};
#[cfg(feature = "alloc")]
pub use self::joining::join_all;
pub use self::joining::{Join, join};
#[cfg(feature = "alloc")]
pub use self::partitioning::{Partition, partition_all};
#[cfg(feature = "alloc")]
pub use self::racing::race_all;
pub use self::racing::{Race, race};
#[cfg(feature = "alloc")]
pub use self::racing_ok::{RaceOk, race_ok_all};
#[cfg(feature = "alloc")]
pub use self::scope::{Scope, ScopeFuture, scope};
#[cfg(feature = "alloc")]
pub use self::scoped::Scoped;
#[cfg(feature = "alloc")]
pub use self::selecting::select_all;
pub use self::selecting::{Next, Select, select};
#[cfg(feature = "alloc")]
pub use self::settling::{Settle, settle_all};
#[cfg(feature = "std")]
pub use self::single::CatchUnwind;
pub use self::single::{
    AndThen, Fuse, Inspect, Lazy, Map, MapErr, MapOk, OrElse, Pending, Ready, Then, lazy, pending,
    ready,
};
pub use self::slots::{Children, IntoChildren};
#[cfg(feature = "alloc")]
pub use self::try_joining::try_join_all;
pub use self::try_joining::{TryJoin, try_join};
#[cfg(all(target_has_atomic = "ptr", not(loom)))]
pub use self::wake_set::StaticWakeSet;
