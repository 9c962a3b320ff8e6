//! A mutex without poison, and its condition variable.

#[cfg(loom)]
use loom::sync as imp;
#[cfg(all(test, shuttle))]
use shuttle::sync as imp;
#[cfg(not(any(loom, all(test, shuttle))))]
use std::sync as imp;

use std::sync::PoisonError;

type Inner<T> = imp::Mutex<T>;

pub(crate) type MutexGuard<'a, T> = imp::MutexGuard<'a, T>;

/// A mutual exclusion lock that a panic does not poison.
#[derive(Debug)]
pub(crate) struct Mutex<T>(Inner<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Inner::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value of an owned mutex.
    #[cfg(not(loom))]
    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the mutex, or returns `None` if another thread has locked it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// A condition variable over [`Mutex`].
#[derive(Debug)]
pub(crate) struct Condvar(imp::Condvar);

impl Condvar {
    pub(crate) fn new() -> Self {
        Self(imp::Condvar::new())
    }

    /// Waits for a notification for at most `limit`. Returns `true` with the guard if the time has
    /// passed. Spurious notifications happen, so callers loop.
    pub(crate) fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        limit: std::time::Duration,
    ) -> (MutexGuard<'a, T>, bool) {
        let (guard, result) = self
            .0
            .wait_timeout(guard, limit)
            .unwrap_or_else(PoisonError::into_inner);
        (guard, result.timed_out())
    }

    /// Waits for a notification, for at most `limit` if it is `Some`.
    pub(crate) fn wait<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        limit: Option<std::time::Duration>,
    ) -> MutexGuard<'a, T> {
        match limit {
            Some(limit) => self.wait_timeout(guard, limit).0,
            None => self.0.wait(guard).unwrap_or_else(PoisonError::into_inner),
        }
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}
