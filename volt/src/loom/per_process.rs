//! A static value behind a mutex, which each process has separately, including forks.
//!
//! A fork has the memory of its parent, but only the thread that forked. A mutex that another
//! thread had locked stays locked in the fork forever. So a fork uses a new value, with its initial
//! contents. The value of the parent stays in memory, and the fork does not access it.
//!
//! The values form a list with one element for each generation. A process finds its own by its id.

use std::process;

use super::leak_once::LeakOnce;
use super::mutex::{Mutex, MutexGuard};

/// A static that the threads of a process share, but not its forks.
#[derive(Debug)]
pub(crate) struct PerProcess<T: 'static>(LeakOnce<ProcessValue<T>>);

/// The value of one process, and the link to the values of its forks.
#[derive(Debug)]
struct ProcessValue<T: 'static> {
    process: u32,
    value: Mutex<T>,
    of_forks: LeakOnce<Self>,
}

impl<T: Default + Send> PerProcess<T> {
    /// Creates a static whose value is created at its first use.
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
    fn fork_has_an_unlocked_new_value() {
        static VALUE: PerProcess<u32> = PerProcess::new();
        let mut held = VALUE.of(1).lock();
        *held = 7;
        let mut fork = VALUE
            .of(2)
            .try_lock()
            .expect("the value of the fork is unlocked");
        assert_eq!(std::mem::replace(&mut *fork, 8), 0);
        assert_eq!(*VALUE.of(3).lock(), 0, "the value of a fork of the fork");
        drop((held, fork));
        assert_eq!(
            [1, 2, 3].map(|process| *VALUE.of(process).lock()),
            [7, 8, 0]
        );
    }
}
