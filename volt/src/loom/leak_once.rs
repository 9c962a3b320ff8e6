//! A value that a static gets once and keeps for ever, without a lock.
//!
//! Whoever comes first makes the value and leaks it. Of two who come at once both make one, and one
//! of them drops its own. So nobody ever waits for anybody. A `OnceLock` would make the second wait:
//! in a fork of the process for ever, if the first was another thread.

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// A place for a value that is never dropped.
#[derive(Debug)]
pub(crate) struct LeakOnce<T: 'static>(AtomicPtr<T>);

impl<T: Send + Sync> LeakOnce<T> {
    /// A place without a value.
    pub(crate) const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// The value, if there is one.
    pub(crate) fn get(&self) -> Option<&'static T> {
        // ORDERING: Acquire, pairs with the exchange in `get_or_leak`, which publishes the value.
        let value = self.0.load(Acquire);
        // SAFETY: Only leaked boxes are stored, whose values nobody moves, changes or drops.
        unsafe { value.as_ref() }
    }

    /// The value; if there is none yet, the one that is made here or, meanwhile, elsewhere.
    pub(crate) fn get_or_leak(&self, make: impl FnOnce() -> T) -> &'static T {
        if let Some(value) = self.get() {
            return value;
        }
        let made = Box::into_raw(Box::new(make()));
        let stored = self
            .0
            .compare_exchange(ptr::null_mut(), made, AcqRel, Acquire);
        let value = match stored {
            Ok(_) => made,
            Err(other) => {
                // SAFETY: It comes from a box, and nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
                other
            }
        };
        // SAFETY: It is what was stored, and not null: see `get`.
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
        assert_eq!(PLACE.get_or_leak(|| unreachable!("there is one")), &1);
        assert_eq!(PLACE.get(), Some(&1));
    }

    #[test]
    fn those_who_come_at_once_get_the_same_value() {
        static PLACE: LeakOnce<u32> = LeakOnce::new();
        let both = Barrier::new(2);
        let come = |n: u32| {
            *PLACE.get_or_leak(|| {
                both.wait();
                n
            })
        };
        let [one, other] = thread::scope(|scope| {
            let other = scope.spawn(|| come(2));
            [come(1), other.join().unwrap()]
        });
        assert_eq!(one, other);
    }
}
