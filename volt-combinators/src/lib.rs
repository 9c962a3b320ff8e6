//! Combinators for futures: map, then, join, race, select, and groups.
//!
//! The crate needs no runtime. It needs no `std`, and no allocator, if the features are off.
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
//! Thirty-two futures of a combinator share one counter of the wakers that they keep. The counter
//! allows two and a half million wakers. On targets without 64-bit atomics, eight futures share a
//! counter that allows eighty thousand. A clone beyond the limit aborts the program, as too many
//! clones of an `Arc` do, because an overflow would free memory in use. One or two futures clone
//! the waker of their task, and have the limit of that waker.
//!
//! # Features
//!
//! - `std` (default): [`Group`] and `catch_unwind`, which catch panics.
//! - `alloc` (in `std`): `Vec`s, and a waker for each future, so that only woken futures are
//!   polled. Without it a combinator takes these wakers from a [`StaticWakeSet`], or polls all its
//!   futures whenever one of them was woken.
//! - `futures-core`: `Stream` for [`Select`] and the groups, and `FusedFuture` for futures that
//!   know whether they have ended.
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
mod poll_children;
mod poll_pass;
mod single;
mod future_ext;
mod multi;
mod aliases;
#[cfg(feature = "alloc")]
mod future_group;
#[cfg(feature = "alloc")]
mod scoped;
#[cfg(feature = "alloc")]
mod inbox;
#[cfg(feature = "alloc")]
mod scope;
#[cfg(feature = "std")]
mod poll_budget;
#[cfg(feature = "std")]
mod group;
#[cfg(feature = "futures-core")]
mod futures_core;

pub use core::future::{Pending, Ready, pending, ready};

pub use self::aliases::{compose, join, pending, race, ready, try_join};
#[cfg(feature = "alloc")]
pub use self::aliases::{join_all, partition_all, race_all, race_ok_all, settle_all, try_join_all};
pub use self::future_ext::FutureExt;
#[cfg(feature = "alloc")]
pub use self::future_group::{FutureGroup, FutureId, NextFuture};
#[cfg(feature = "std")]
pub use self::group::{
    Child, ChildId, Group, GroupError, GroupHandle, JoinAll, NextChild, Panic, Policy, Spawn,
    TaskError, Wait,
};
#[cfg(feature = "alloc")]
pub use self::multi::{
    Errors, Partition, RaceOk, Settle, join_all, partition_all, race_all, race_ok_all, select_all,
    settle_all, try_join_all,
};
pub use self::multi::{
    FuturesExt, Join, Next, Race, Select, TryJoin, join, race, select, try_join,
};
#[cfg(feature = "std")]
pub use self::poll_budget::PollBudget;
#[cfg(feature = "alloc")]
pub use self::scope::{Scope, ScopeFuture, scope};
#[cfg(feature = "alloc")]
pub use self::scoped::Scoped;
#[cfg(feature = "std")]
pub use self::single::CatchUnwind;
pub use self::single::{
    AndThen, Compose, Fuse, Inspect, Lazy, Map, MapErr, MapOk, OrElse, Then, compose, lazy,
};
#[cfg(feature = "alloc")]
pub use self::single::{BoxFuture, LocalBoxFuture};
pub use self::slots::{Children, IntoChildren};
#[cfg(all(target_has_atomic = "ptr", not(loom)))]
pub use self::wake_set::StaticWakeSet;
#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
#[doc(hidden)]
pub use self::wake_set::{WakeSetInfo, for_each_wake_set, parent_of_child_waker};
