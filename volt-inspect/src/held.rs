//! `Held`: the task that holds a lock, and the place at which it acquired the lock.

use core::fmt;
use core::panic::Location;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU32, fence};

use crate::node::Place;
use crate::registry::current_task;
use crate::wait::Wait;

/// The task that holds a lock, and the place at which it acquired the lock.
///
/// A lock stores it, and a waiting future reports it with [`wait`](Self::wait). A dump of volt then
/// names the holder of the lock, and finds tasks that wait for each other's locks. A `Held` takes
/// 16 bytes on a 64-bit target. Each call takes a few instructions, without a loop.
///
/// The holder is the task that a runtime polls when the lock calls [`set`](Self::set). The id is
/// that of the task in its runtime. If a task passes its guard to another task, the other task can
/// call `set` again.
///
/// # A lock
///
/// ```
/// use std::cell::RefCell;
/// use std::collections::VecDeque;
/// use std::pin::Pin;
/// use std::task::{Context, Poll, Waker};
/// use volt_inspect::{Held, Inspect, Inspector, Node, registrable};
///
/// /// A lock for the tasks of one thread.
/// #[derive(Default)]
/// struct Lock {
///     is_locked: std::cell::Cell<bool>,
///     waiters: RefCell<VecDeque<Waker>>,
///     held: Held,
/// }
///
/// struct Acquire<'a>(&'a Lock);
///
/// struct Guard<'a>(&'a Lock);
///
/// impl Lock {
///     fn acquire(&self) -> Acquire<'_> {
///         volt_inspect::register::<Acquire<'_>>();
///         Acquire(self)
///     }
/// }
///
/// impl<'a> Future for Acquire<'a> {
///     type Output = Guard<'a>;
///
///     fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Guard<'a>> {
///         if self.0.is_locked.replace(true) {
///             self.0.waiters.borrow_mut().push_back(cx.waker().clone());
///             return Poll::Pending;
///         }
///         self.0.held.set();
///         Poll::Ready(Guard(self.0))
///     }
/// }
///
/// impl Drop for Guard<'_> {
///     fn drop(&mut self) {
///         self.0.held.clear();
///         self.0.is_locked.set(false);
///         if let Some(waker) = self.0.waiters.borrow_mut().pop_front() {
///             waker.wake();
///         }
///     }
/// }
///
/// impl Inspect for Acquire<'_> {
///     fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
///         inspector.node(&Node::new("Acquire"), |inspector| {
///             let address = std::ptr::from_ref(self.0).addr();
///             inspector.waits(self.0.held.wait(address));
///         });
///     }
/// }
///
/// registrable!(Acquire<'a>);
/// # let lock = Lock::default();
/// # let cx = &mut Context::from_waker(Waker::noop());
/// # let Poll::Ready(guard) = Pin::new(&mut lock.acquire()).poll(cx) else { panic!() };
/// # assert!(Pin::new(&mut lock.acquire()).poll(cx).is_pending());
/// # assert!(lock.held.place().is_some());
/// # drop(guard);
/// # assert!(lock.held.place().is_none());
/// ```
pub struct Held {
    /// The halves of the task's id. Both are zero outside of a task.
    task: [AtomicU32; 2],
    /// Null while the lock is free, and while the id is written.
    place: AtomicPtr<Location<'static>>,
}

#[cfg(test)]
const _: () = assert!(size_of::<Held>() <= 16);

impl Held {
    /// Returns the state of a free lock.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            task: [const { AtomicU32::new(0) }; 2],
            place: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Records that the current task has acquired the lock at the place of the caller.
    #[track_caller]
    pub fn set(&self) {
        self.set_at(Location::caller());
    }

    /// Records that the current task has acquired the lock at this place.
    ///
    /// A future whose constructor has recorded the place of its caller calls it.
    pub fn set_at(&self, place: &'static Location<'static>) {
        let task = current_task();
        self.place.store(ptr::null_mut(), Relaxed);
        // ORDERING: Release, pairs with the Acquire fence of `holder`: a reader that sees a half of
        // this id sees the null, or the place of a later call.
        fence(Release);
        self.task[0].store(task as u32, Relaxed);
        self.task[1].store((task >> 32) as u32, Relaxed);
        // ORDERING: Release, pairs with the first load of `holder`.
        self.place.store(ptr::from_ref(place).cast_mut(), Release);
    }

    /// Records that the lock is free.
    pub fn clear(&self) {
        self.place.store(ptr::null_mut(), Relaxed);
    }

    /// Returns the id of the task that holds the lock, in its runtime. It is `None` if the lock is
    /// free, or was acquired outside of a task.
    #[must_use]
    pub fn task(&self) -> Option<u64> {
        self.holder()?.0
    }

    /// Returns the place at which the lock was acquired, or `None` if the lock is free.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        Some(self.holder()?.1)
    }

    /// Returns the wait of a future for this lock. `address` is the address of the lock.
    #[must_use]
    pub fn wait(&self, address: usize) -> Wait<'static> {
        let holder = self.holder();
        Wait::Lock {
            address,
            holder: holder.and_then(|(task, _)| task),
            place: holder.map(|(_, place)| place),
            waiters: None,
        }
    }

    /// Returns the holder, or `None` if the lock is free or the holder changes during the call.
    fn holder(&self) -> Option<(Option<u64>, Place)> {
        // ORDERING: Acquire, pairs with the Release of `set_at`: the halves of that call are seen,
        // or those of a later one.
        let place = self.place.load(Acquire);
        let [low, high] = [0, 1].map(|half: usize| self.task[half].load(Relaxed));
        // ORDERING: Acquire, pairs with the fence of `set_at`.
        fence(Acquire);
        if self.place.load(Relaxed) != place {
            return None;
        }
        // SAFETY: only `set_at` writes it, from a static reference.
        let place = unsafe { place.as_ref() }?;
        let task = u64::from(high) << 32 | u64::from(low);
        Some(((task != 0).then_some(task), Place::from(place)))
    }
}

impl Default for Held {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held")
            .field("task", &self.task())
            .field("place", &self.place())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Held;

    #[test]
    fn place_is_known_while_held() {
        let held = Held::new();
        assert_eq!((held.task(), held.place()), (None, None));
        held.set();
        let line = line!() - 1;
        assert_eq!(held.place().map(|place| place.line), Some(line));
        assert_eq!(held.task(), None);
        held.clear();
        assert_eq!(held.place(), None);
    }
}
