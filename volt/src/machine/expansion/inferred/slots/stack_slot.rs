//! A local that goes from one block of `advance` to another, and lives over no await.

use core::cell::UnsafeCell;
use core::fmt;
use core::mem::MaybeUninit;

use super::super::probe::WellTyped;
use super::slot::{ConditionalSlotGuard, SlotGuard};

/// Room for a value on the stack of the poll, of a type that is inferred.
pub struct StackSlot<T> {
    value: UnsafeCell<MaybeUninit<T>>,
}

impl<T> fmt::Debug for StackSlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StackSlot").finish_non_exhaustive()
    }
}

impl<T> StackSlot<T> {
    /// Room for one value.
    ///
    /// # Safety
    ///
    /// `guard` is called only where a value was put and neither taken nor dropped since (I1).
    #[inline]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self {
            value: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// Gives the room the type of a value.
    pub fn is(&self, _: &T) {}

    /// Stores a value.
    #[inline]
    pub fn store(&self, value: T) {
        // SAFETY: the cell is this one's, and nobody has a reference to what is in it (I1).
        unsafe { self.value.get().cast::<T>().write(value) };
    }

    /// The value that is stored.
    #[inline]
    #[must_use]
    pub fn guard(&self) -> SlotGuard<T> {
        SlotGuard::new(self.value.get().cast())
    }

    /// The value that is stored, if it was not taken before.
    #[inline]
    #[must_use]
    pub fn guard_unless<const MOVED: bool>(&self) -> ConditionalSlotGuard<T, MOVED> {
        ConditionalSlotGuard::new(self.guard())
    }

    /// The value that is stored, out of its place.
    #[inline]
    #[must_use]
    pub fn take(&self) -> T {
        WellTyped::<true>::take(self.guard())
    }
}
