//! The loom shim: the only place that names atomics, cells, locks and the allocator.
//!
//! All concurrent code of this crate imports these from here. Under `--cfg loom` they are loom's,
//! whose models explore every interleaving. Otherwise they are those of the standard library,
//! behind the interface that both can offer: [`UnsafeCell`](cell::UnsafeCell) passes its pointer to
//! a closure. [`Mutex`](sync::Mutex) has no poison, because no code of this crate leaves a
//! protected value half-changed when it unwinds.

#[cfg(any(feature = "std", all(test, feature = "alloc")))]
mod mutex;
mod unraced;
mod const_fn;

pub(crate) use self::const_fn::const_unless_loom;
#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
pub(crate) use self::unraced::UnracedUsize;
pub(crate) use self::unraced::{UnracedBool, UnracedPtr, UnracedU32};

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
