//! The slot of a local that is live in several blocks of `advance`, but across no await.

use core::cell::UnsafeCell;
use core::fmt;
use core::mem::MaybeUninit;

use super::super::probe::WellTyped;
use super::slot::{ConditionalSlotGuard, SlotGuard};

/// A place for one value with an inferred type, on the stack of the poll.
pub struct StackSlot<T> {
    value: UnsafeCell<MaybeUninit<T>>,
}

impl<T> fmt::Debug for StackSlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StackSlot").finish_non_exhaustive()
    }
}

impl<T> StackSlot<T> {
    /// Returns an empty place.
    ///
    /// # Safety
    ///
    /// `guard` is called only while the place has a value, which was neither moved out nor dropped
    /// (I1).
    #[inline]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self {
            value: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// Gives the slot the type of a value.
    pub fn is(&self, _: &T) {}

    /// Stores a value.
    #[inline]
    pub fn store(&self, value: T) {
        // SAFETY: the cell belongs to this slot, and there is no reference to its contents (I1).
        unsafe { self.value.get().cast::<T>().write(value) };
    }

    /// Returns a guard, which drops the stored value unless it is left in place or moved out.
    #[inline]
    #[must_use]
    pub fn guard(&self) -> SlotGuard<T> {
        SlotGuard::new(self.value.get().cast())
    }

    /// Returns a guard for a stored value that may have been moved out before.
    #[inline]
    #[must_use]
    pub fn guard_unless<const MOVED: bool>(&self) -> ConditionalSlotGuard<T, MOVED> {
        ConditionalSlotGuard::new(self.guard())
    }

    /// Moves the stored value out of its place.
    #[inline]
    #[must_use]
    pub fn take(&self) -> T {
        WellTyped::<true>::take(self.guard())
    }
}
