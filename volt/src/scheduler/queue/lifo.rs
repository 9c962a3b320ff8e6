//! The slot for the newest task. The worker polls it next, while its memory is in the cache.
//!
//! The slot is one atomic pointer. Its owner stores tasks; the owner and other workers take them.
//! Because only the owner stores, it may fill an empty slot with a plain store. Only taking
//! requires a read-modify-write.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use crossbeam_utils::CachePadded;

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::AtomicPtr;
use crate::loom::sync::atomic::Ordering::{AcqRel, Relaxed, Release};

/// A task that converts to one pointer.
///
/// # Safety
///
/// `from_raw` must accept each pointer that `into_raw` returned, once, on any thread.
pub(crate) unsafe trait IntoRawPtr: Send + Sized {
    /// Converts the task to a pointer, which owns it.
    fn into_raw(self) -> NonNull<()>;

    /// Converts the pointer back to the task.
    ///
    /// # Safety
    ///
    /// `raw` must come from `into_raw`, and must not be used again.
    unsafe fn from_raw(raw: NonNull<()>) -> Self;
}

struct LifoCell<T: IntoRawPtr> {
    task: CachePadded<AtomicPtr<()>>,
    _owns: PhantomData<T>,
}

/// The end of the owner.
pub(crate) struct LifoSlot<T: IntoRawPtr>(Arc<LifoCell<T>>);

/// The end for other workers, which only takes.
pub(crate) struct LifoStealer<T: IntoRawPtr>(Arc<LifoCell<T>>);

/// Returns both ends of an empty slot.
pub(crate) fn new_lifo_slot<T: IntoRawPtr>() -> (LifoSlot<T>, LifoStealer<T>) {
    let task = CachePadded::new(AtomicPtr::new(ptr::null_mut()));
    let slot = Arc::new(LifoCell {
        task,
        _owns: PhantomData,
    });
    (LifoSlot(Arc::clone(&slot)), LifoStealer(slot))
}

impl<T: IntoRawPtr> LifoCell<T> {
    #[inline]
    fn exchange(&self, new: *mut ()) -> Option<T> {
        // ORDERING: Release, pairs with the Acquire of the next exchange. Publishes the task.
        let old = NonNull::new(self.task.swap(new, AcqRel))?;
        // SAFETY: only pointers of `into_raw` are stored, and the swap took this one out.
        Some(unsafe { T::from_raw(old) })
    }

    #[inline]
    fn take(&self) -> Option<T> {
        if self.is_empty() {
            None
        } else {
            self.exchange(ptr::null_mut())
        }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.task.load(Relaxed).is_null()
    }
}

impl<T: IntoRawPtr> LifoSlot<T> {
    /// Stores a task, and returns the task that it displaces.
    #[inline]
    pub(crate) fn replace(&mut self, task: T) -> Option<T> {
        let raw = task.into_raw().as_ptr();
        if self.0.is_empty() {
            // ORDERING: Release, pairs with the Acquire in `exchange`. A store is enough: the slot
            // is empty, and only we, by `&mut self`, could have filled it since.
            self.0.task.store(raw, Release);
            return None;
        }
        self.0.exchange(raw)
    }

    /// Takes the task.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<T> {
        self.0.take()
    }

    /// Takes the task if its pointer has this address.
    pub(crate) fn take_if(&mut self, address: usize) -> Option<T> {
        let raw = NonNull::new(self.0.task.load(Relaxed))?;
        if raw.addr().get() != address {
            return None;
        }
        let taken = self
            .0
            .task
            .compare_exchange(raw.as_ptr(), ptr::null_mut(), AcqRel, Relaxed);
        // SAFETY: only pointers of `into_raw` are stored, and the exchange took this one out.
        taken.is_ok().then(|| unsafe { T::from_raw(raw) })
    }

    /// Returns `true` if the slot is empty.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: IntoRawPtr> LifoStealer<T> {
    /// Takes the task.
    pub(crate) fn steal(&self) -> Option<T> {
        self.0.take()
    }

    /// Returns `true` if the slot had a task at a recent moment.
    pub(crate) fn has_stealable(&self) -> bool {
        !self.0.is_empty()
    }
}

impl<T: IntoRawPtr> Drop for LifoCell<T> {
    fn drop(&mut self) {
        drop(self.exchange(ptr::null_mut()));
    }
}

impl<T: IntoRawPtr> fmt::Debug for LifoSlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LifoSlot")
            .field("empty", &self.is_empty())
            .finish()
    }
}

impl<T: IntoRawPtr> fmt::Debug for LifoStealer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LifoStealer")
            .field("has_stealable", &self.has_stealable())
            .finish()
    }
}

/// A task for tests, on the heap so that tools find leaks and double frees.
#[cfg(test)]
// SAFETY: the pointer is that of the box.
unsafe impl IntoRawPtr for Box<u32> {
    fn into_raw(self) -> NonNull<()> {
        NonNull::from(Box::leak(self)).cast()
    }

    unsafe fn from_raw(raw: NonNull<()>) -> Self {
        // SAFETY: the pointer comes from `Box::leak`.
        unsafe { Box::from_raw(raw.as_ptr().cast()) }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::new_lifo_slot;

    #[test]
    fn replace_evicts_the_older_task() {
        let (mut owner, thief) = new_lifo_slot();
        assert_eq!(owner.replace(Box::new(1)), None);
        assert!(thief.has_stealable());
        assert_eq!(owner.replace(Box::new(2)), Some(Box::new(1)));
        assert_eq!(owner.take(), Some(Box::new(2)));
        assert_eq!(owner.take(), None);
        assert!(!thief.has_stealable());
    }

    #[test]
    fn steal_leaves_the_owner_nothing() {
        let (mut owner, thief) = new_lifo_slot();
        owner.replace(Box::new(1));
        assert_eq!(thief.steal(), Some(Box::new(1)));
        assert_eq!(owner.take(), None);
        assert_eq!(thief.steal(), None);
    }

    #[test]
    fn drop_of_both_ends_drops_the_task() {
        let (mut owner, thief) = new_lifo_slot();
        owner.replace(Box::new(1));
        drop(owner);
        drop(thief); // Miri and the leak checkers watch the box.
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::new_lifo_slot;

    /// Three tasks pass through one slot while a thief steals: each arrives once.
    ///
    /// Breaks when `replace` stores without a check that the slot is empty.
    #[test]
    fn tasks_are_neither_lost_nor_doubled() {
        loom::model(|| {
            let (mut owner, thief) = new_lifo_slot();
            let other = loom::thread::spawn(move || [thief.steal(), thief.steal()]);
            let mut seen = Vec::new();
            for n in 0..3 {
                seen.extend(owner.replace(Box::new(n)));
            }
            seen.extend(owner.take());
            seen.extend(other.join().unwrap().into_iter().flatten());
            seen.extend(owner.take());
            seen.sort_unstable();
            assert_eq!(seen, [0, 1, 2].map(Box::new));
        });
    }
}
