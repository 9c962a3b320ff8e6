//! The loom shim: the only place that names atomics, cells, locks and the allocator.
//!
//! Everything concurrent in this crate imports them from here. Under `--cfg loom` they are
//! loom's, whose models try every interleaving; otherwise they are the standard library's, behind
//! the interface that both can offer: [`UnsafeCell`](cell::UnsafeCell) lends its pointer to a
//! closure, and [`Mutex`](sync::Mutex) has no poison, because no code of this crate leaves a
//! protected value half-changed when it unwinds.

#[cfg(any(feature = "std", all(test, feature = "alloc")))]
mod mutex;
mod settled;
mod const_fn;

pub(crate) use self::const_fn::const_unless_loom;
pub(crate) use self::settled::{SettledBool, SettledPtr, SettledU32};

#[cfg(not(loom))]
mod std_impl;
#[cfg(all(not(loom), feature = "alloc"))]
pub(crate) use self::std_impl::alloc;
#[cfg(not(loom))]
pub(crate) use self::std_impl::{cell, sync, thread};

#[cfg(loom)]
mod loom_impl;
#[cfg(loom)]
pub(crate) use self::loom_impl::{alloc, cell, sync, thread};
