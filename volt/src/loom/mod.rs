//! The loom shim: the only module that names atomics, cells, locks and threads.
//!
//! All concurrent code of this crate imports them from here. Under `--cfg loom` they are those of
//! loom, whose models try all interleavings. Otherwise they are those of the standard library, with
//! the interface that both have in common: [`UnsafeCell`](cell::UnsafeCell) passes its pointer to a
//! closure. [`Mutex`](sync::Mutex) has no poison, because unwinding never leaves a partial change
//! in a protected value of this crate.
//!
//! Under `--cfg shuttle` the tests use those of shuttle, which runs a whole scheduler in randomly
//! chosen interleavings.

mod mutex;

#[cfg(not(any(loom, all(test, shuttle))))]
mod std_impl;
#[cfg(not(any(loom, all(test, shuttle))))]
pub(crate) use self::std_impl::{cell, hint, sync, thread, thread_local_const};

#[cfg(loom)]
mod loom_impl;
#[cfg(loom)]
pub(crate) use self::loom_impl::{cell, hint, sync, thread, thread_local_const};

#[cfg(all(test, shuttle))]
mod shuttle_impl;
#[cfg(all(test, shuttle))]
pub(crate) use self::shuttle_impl::{cell, hint, sync, thread, thread_local_const};

// Statics outlive each run of a model, so these use the atomics of the standard library.
mod statics;
mod leak_once;
mod shared_slice;
#[cfg(not(any(loom, all(test, shuttle))))]
mod per_process;

pub(crate) use self::leak_once::LeakOnce;
#[cfg(not(any(loom, all(test, shuttle))))]
pub(crate) use self::per_process::PerProcess;
pub(crate) use self::shared_slice::SharedSlice;
pub(crate) use self::statics::{IdCounter, StickyFlag};
