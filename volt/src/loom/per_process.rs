//! A value behind a mutex that each process has for itself, also a fork.
//!
//! A fork has the memory of its parent, but of the threads only the one that forked. A mutex that
//! another thread held stays locked there for ever. So a fork gets a value of its own, as new as if
//! the program had just begun; that of its parent stays where it was, untouched.
//!
//! The values form a list with one element a generation: a process finds its own by its id.

use std::process;

use super::leak_once::LeakOnce;
use super::mutex::{Mutex, MutexGuard};

/// A static that all threads of a process share, and no fork.
#[derive(Debug)]
pub(crate) struct PerProcess<T: 'static>(LeakOnce<ProcessValue<T>>);

/// What one process has, and what its forks have.
#[derive(Debug)]
struct ProcessValue<T: 'static> {
    process: u32,
    value: Mutex<T>,
    of_forks: LeakOnce<Self>,
}

impl<T: Default + Send> PerProcess<T> {
    /// It gets its value when that is first asked for.
    pub(crate) const fn new() -> Self {
        Self(LeakOnce::new())
    }

    /// Locks the value of this process.
    pub(crate) fn lock(&self) -> MutexGuard<'static, T> {
        self.of(process::id()).lock()
    }

    fn of(&self, process: u32) -> &'static Mutex<T> {
        let make = || ProcessValue {
            process,
            value: Mutex::new(T::default()),
            of_forks: LeakOnce::new(),
        };
        let mut own = self.0.get_or_leak(make);
        while own.process != process {
            own = own.of_forks.get_or_leak(make);
        }
        &own.value
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::PerProcess;

    #[test]
    fn fork_finds_the_lock_free_and_the_value_new() {
        static VALUE: PerProcess<u32> = PerProcess::new();
        let mut held = VALUE.of(1).lock();
        *held = 7;
        let mut fork = VALUE.of(2).try_lock().expect("it is another one");
        assert_eq!(std::mem::replace(&mut *fork, 8), 0);
        assert_eq!(*VALUE.of(3).lock(), 0, "of a fork of the fork");
        drop((held, fork));
        assert_eq!(
            [1, 2, 3].map(|process| *VALUE.of(process).lock()),
            [7, 8, 0]
        );
    }
}
