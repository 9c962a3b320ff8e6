//! A static value that is initialised once, without a lock, and is never dropped.
//!
//! The first thread creates the value and leaks it. Two threads at the same time both create one,
//! and one of them drops its value. So no thread waits for another. A `OnceLock` would block the
//! second thread. In a fork of the process it would block forever, if the first thread exists only
//! in the parent.

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// A cell whose value is set once and is never dropped.
#[derive(Debug)]
pub(crate) struct LeakOnce<T: 'static>(AtomicPtr<T>);

impl<T: Send + Sync> LeakOnce<T> {
    /// Creates a cell without a value.
    pub(crate) const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Returns the value, if it is set.
    pub(crate) fn get(&self) -> Option<&'static T> {
        // ORDERING: Acquire, pairs with the exchange in `get_or_leak`, which publishes the value.
        let value = self.0.load(Acquire);
        // SAFETY: Only leaked boxes are stored, whose values are never moved, changed or dropped.
        unsafe { value.as_ref() }
    }

    /// Returns the value. If it is not set, sets it to the result of `make`, unless another thread
    /// sets it first.
    pub(crate) fn get_or_leak(&self, make: impl FnOnce() -> T) -> &'static T {
        if let Some(value) = self.get() {
            return value;
        }
        let boxed = Box::into_raw(Box::new(make()));
        let stored = self
            .0
            .compare_exchange(ptr::null_mut(), boxed, AcqRel, Acquire);
        let value = match stored {
            Ok(_) => boxed,
            Err(other) => {
                // SAFETY: The pointer is that of a box, and was not stored.
                drop(unsafe { Box::from_raw(boxed) });
                other
            }
        };
        // SAFETY: The value is stored, as in `get`, and not null.
        unsafe { &*value }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::LeakOnce;
    use std::sync::Barrier;
    use std::thread;

    #[test]
    fn first_value_stays() {
        static PLACE: LeakOnce<u32> = LeakOnce::new();
        assert_eq!(PLACE.get(), None);
        assert_eq!(PLACE.get_or_leak(|| 1), &1);
        assert_eq!(PLACE.get_or_leak(|| unreachable!("the value is set")), &1);
        assert_eq!(PLACE.get(), Some(&1));
    }

    #[test]
    fn concurrent_get_or_leak_returns_one_value() {
        static PLACE: LeakOnce<u32> = LeakOnce::new();
        let both = Barrier::new(2);
        let get = |n: u32| {
            *PLACE.get_or_leak(|| {
                both.wait();
                n
            })
        };
        let [one, other] = thread::scope(|scope| {
            let other = scope.spawn(|| get(2));
            [get(1), other.join().unwrap()]
        });
        assert_eq!(one, other);
    }
}
