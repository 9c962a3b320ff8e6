//! The loom shim: the only place that names atomics, cells, locks and threads.
//!
//! Everything concurrent in this crate imports them from here. Under `--cfg loom` they are
//! loom's, whose models try every interleaving; otherwise they are the standard library's, behind
//! the interface that both can offer: [`UnsafeCell`](cell::UnsafeCell) lends its pointer to a
//! closure, and [`Mutex`](sync::Mutex) has no poison, because no code of this crate leaves a
//! protected value half-changed when it unwinds.
//!
//! Under `--cfg shuttle` the tests get shuttle's, whose runs of a whole scheduler draw one
//! interleaving after the other.

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
#[cfg(not(any(loom, all(test, shuttle))))]
mod per_process;

pub(crate) use self::leak_once::LeakOnce;
#[cfg(not(any(loom, all(test, shuttle))))]
pub(crate) use self::per_process::PerProcess;
pub(crate) use self::statics::{IdCounter, StickyFlag};
