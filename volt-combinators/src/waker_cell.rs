//! A cell for one waker, filled by one owner and emptied by whoever wakes first.
//!
//! A combinator is polled with its parent's waker, and its children wake from any thread. The
//! parent's waker must therefore change hands without a lock, and must be *called* outside of any
//! exclusion: an executor may run the parent inside `wake`, and the parent may poll, or drop, the
//! very combinator that is being woken.
//!
//! # Protocol
//!
//! The owner publishes work *after* it armed the cell; a waker calls [`WakerCell::wake`] *after*
//! it published its own bit. Whichever comes second sees the other.
//!
//! ```text
//!             register (1)
//!     EMPTY ───────────────► ARMED
//!      ▲  ▲ ◄────────────── │  │
//!      │   register, close (2) │ wake (3)
//!      │                       ▼
//!      └─────────────────── BUSY
//!              wake (4)
//! ```
//!
//! 1. The owner writes a clone of the waker, then stores ARMED.
//! 2. The owner takes the cell back, to compare, replace or release the waker.
//! 3. A waking thread claims the cell. Others that come now find nothing to do.
//! 4. The waking thread has moved the waker out; it calls it *after* this store.
//!
//! An owner that meets BUSY cannot register. It wakes the waker that it was given instead: it is
//! polled again, and nothing was missed.
//!
//! # Invariants
//!
//! - I1: The contents are touched only by the owner while EMPTY (the owner is the only one that
//!   leaves that state), or by the one thread that moved ARMED to BUSY.
//! - I2: The contents are a waker while ARMED and BUSY, and `None` or a stale `None` while EMPTY.
//! - I3: There is one owner: `register` and `close` are never called concurrently.
//!
//! The models stand at the end of this file and in `wake_set`.

use core::fmt;
use core::task::Waker;

use crate::loom::cell::UnsafeCell;
use crate::loom::sync::atomic::{AtomicU8, Ordering};

const EMPTY: u8 = 0;
const ARMED: u8 = 1;
const BUSY: u8 = 2;

/// A waker that its owner leaves for whoever wakes first.
pub(crate) struct WakerCell {
    state: AtomicU8,
    waker: UnsafeCell<Option<Waker>>,
}

// SAFETY: I1: the state hands the contents to one thread at a time, and `Waker` is `Send`.
unsafe impl Send for WakerCell {}
// SAFETY: as above; nothing else is shared.
unsafe impl Sync for WakerCell {}

impl WakerCell {
    pub(crate) fn new() -> Self {
        Self {
            state: AtomicU8::new(EMPTY),
            waker: UnsafeCell::new(None),
        }
    }

    /// Leaves a clone of `waker` in the cell, unless one that wakes the same task is there.
    ///
    /// # Safety
    ///
    /// - Only the owner may call it, never concurrently with itself or with [`close`](Self::close).
    #[inline]
    pub(crate) unsafe fn register(&self, waker: &Waker) {
        // ORDERING: Acquire pairs with the Release in `wake`: the contents were moved out.
        match self.state.load(Ordering::Acquire) {
            EMPTY => {
                // SAFETY: I1: EMPTY, and we are the owner by contract.
                unsafe { self.fill(waker.clone()) }
            }
            // SAFETY: forwarded contract.
            ARMED => unsafe { self.renew(waker) },
            _ => waker.wake_by_ref(),
        }
    }

    /// Compares the waker in an armed cell with the new one.
    ///
    /// # Safety
    ///
    /// - As for [`register`](Self::register).
    unsafe fn renew(&self, waker: &Waker) {
        if !self.reclaim() {
            // A waking thread was quicker. It wakes the old waker, which may be another task's.
            waker.wake_by_ref();
            return;
        }
        // SAFETY: I1: `reclaim` brought the cell to EMPTY, and we are the owner.
        let old = self.waker.with_mut(|cell| unsafe { (*cell).take() });
        match old {
            // SAFETY: as above.
            Some(old) if old.will_wake(waker) => unsafe { self.fill(old) },
            // SAFETY: as above. `old` is dropped after the new one is in place.
            _ => unsafe { self.fill(waker.clone()) },
        }
    }

    /// Writes the waker and arms the cell.
    ///
    /// # Safety
    ///
    /// - The cell is EMPTY and the caller is its owner.
    #[inline]
    unsafe fn fill(&self, waker: Waker) {
        // SAFETY: I1 by contract. What is overwritten is `None` (I2), so nothing is dropped.
        self.waker.with_mut(|cell| unsafe { *cell = Some(waker) });
        // ORDERING: Release pairs with the Acquire in `wake`. Publishes the waker.
        self.state.store(ARMED, Ordering::Release);
    }

    /// Takes an armed cell back. Returns whether the contents are the caller's.
    fn reclaim(&self) -> bool {
        // ORDERING: Relaxed: only the owner arms, so the contents were written by this thread or
        // came here with the owner.
        self.state
            .compare_exchange(ARMED, EMPTY, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    /// Wakes and releases the waker, if there is one that nobody else claimed.
    #[inline]
    pub(crate) fn wake(&self) {
        // ORDERING: Acquire pairs with the Release in `fill`.
        if self
            .state
            .compare_exchange(ARMED, BUSY, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            return;
        }
        // SAFETY: I1: we moved ARMED to BUSY.
        let waker = self.waker.with_mut(|cell| unsafe { (*cell).take() });
        // ORDERING: Release pairs with the Acquire in `register`: the contents are out.
        self.state.store(EMPTY, Ordering::Release);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Releases the waker. Later calls of [`wake`](Self::wake) do nothing.
    ///
    /// # Safety
    ///
    /// - As for [`register`](Self::register).
    pub(crate) unsafe fn close(&self) {
        if self.reclaim() {
            // SAFETY: I1: `reclaim` brought the cell to EMPTY, and we are the owner.
            let waker = self.waker.with_mut(|cell| unsafe { (*cell).take() });
            drop(waker);
        }
    }
}

impl fmt::Debug for WakerCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state.load(Ordering::Relaxed) {
            EMPTY => "Empty",
            ARMED => "Armed",
            _ => "Busy",
        };
        write!(f, "WakerCell({state})")
    }
}
