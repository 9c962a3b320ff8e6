//! Small pure pieces that belong to no floor above.

mod leak_once;
#[cfg(not(any(loom, all(test, shuttle))))]
mod per_process;
mod rng;

pub(crate) use self::leak_once::LeakOnce;
#[cfg(not(any(loom, all(test, shuttle))))]
pub(crate) use self::per_process::PerProcess;
pub(crate) use self::rng::Rng;
