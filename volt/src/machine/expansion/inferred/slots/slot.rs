//! One field: written by `store`, dropped by a [`SlotGuard`], moved out by `take`.
//!
//! All blocks of a machine are one function. So the first `store` determines the type of a slot,
//! and each `guard` has it.

use core::fmt;
use core::marker::PhantomData;
use core::mem;
use core::ops::{Deref, DerefMut};
use core::pin::Pin;
use core::task::Poll;

use super::super::modes::{Mode, PollWith, Region, Token};
use super::super::probe::{NO_OFFSET, WellTyped};
use super::any_slot::{AnySlot, PlainSlot};
use volt_inspect::machine::State;

/// The place of a value whose type is inferred, and whose size was measured before.
///
/// A value of another size does not compile:
///
/// ```compile_fail,E0080
/// use volt::__private::inferred::{LayoutInfo, MachineLayout, Size, SlotSet};
///
/// struct Machine;
/// impl LayoutInfo for Machine {
///     const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout = MachineLayout { sizes: &[Size::of::<u64>()], ..MachineLayout::NONE };
/// }
///
/// // SAFETY: nothing is stored.
/// let slots = unsafe { SlotSet::<Machine, false>::of(std::ptr::null_mut()) };
/// let slot = unsafe { slots.at::<u32, 0>() };
/// ```
///
/// A value of the measured size compiles:
///
/// ```
/// use volt::__private::inferred::{LayoutInfo, MachineLayout, Size, SlotSet};
///
/// struct Machine;
/// impl LayoutInfo for Machine {
///     const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout = MachineLayout { offsets: &[0], sizes: &[Size::of::<u64>()], ..MachineLayout::NONE };
/// }
///
/// // SAFETY: nothing is stored.
/// let slots = unsafe { SlotSet::<Machine, false>::of(std::ptr::null_mut()) };
/// let slot = unsafe { slots.at::<u64, 0>() };
/// ```
///
/// A value that is not `Unpin` does not compile in a machine that is:
///
/// ```compile_fail,E0277
/// use std::marker::PhantomPinned;
/// use volt::__private::inferred::{LayoutInfo, MachineLayout, SlotSet};
///
/// struct Machine;
/// impl LayoutInfo for Machine {
///     const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout = MachineLayout { offsets: &[0], ..MachineLayout::NONE };
/// }
///
/// // SAFETY: nothing is stored.
/// let slots = unsafe { SlotSet::<Machine, true>::of(std::ptr::null_mut()) };
/// let slot = unsafe { slots.at::<PhantomPinned, 0>() };
/// ```
///
/// The type is its only parameter, because the compiler checks all parameters at each `guard`.
pub struct Slot<T>(AnySlot<T>);

/// Formats the stored value.
impl<T: fmt::Debug> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.peek().fmt(f)
    }
}

impl<T> Deref for Slot<T> {
    type Target = AnySlot<T>;

    #[inline]
    fn deref(&self) -> &AnySlot<T> {
        &self.0
    }
}

impl<T> PlainSlot<T> {
    #[inline]
    pub(crate) fn place(&self) -> *mut T {
        // SAFETY: promised to `SlotSet::at`.
        unsafe { self.base().add(self.offset()) }.cast()
    }

    /// Returns a reference to the stored value.
    #[inline]
    pub(crate) fn peek(&self) -> &T {
        // SAFETY: I1.
        unsafe { &*self.place() }
    }

    /// Stores a value that borrows nothing from the machine.
    #[cfg(feature = "serde")]
    pub(crate) fn fill(&self, value: T) {
        // SAFETY: I2.
        unsafe { self.place().write(value) };
    }
}

impl<F> AnySlot<F> {
    /// Polls the stored future, at a state of a machine. The future is dropped if it is ready or
    /// panics, and stays in its place otherwise.
    #[inline(always)]
    pub(crate) fn poll_by<M: Mode, H: PollWith<F>>(
        &self,
        mode: &mut M,
        state: &'static State,
    ) -> Poll<H::Output> {
        let future = SlotGuard::new(self.place());
        // SAFETY: I1.
        let pinned = unsafe { &mut *future.at };
        // SAFETY: I4: nothing moves a future that was stored in its place.
        let pinned = unsafe { Pin::new_unchecked(pinned) };
        match mode.poll::<F, H>(pinned, state) {
            Poll::Ready(output) => Poll::Ready(future.drop_after(output)),
            Poll::Pending => leave_pending(future),
        }
    }
}

impl<T> Slot<T> {
    /// Returns the slot at an offset. The caller of [`SlotSet::at`](super::SlotSet::at) promises
    /// the requirements.
    #[inline]
    pub(crate) const fn new(base: *mut u8, offset: usize) -> Self {
        Self(AnySlot::new(base, offset))
    }

    /// Returns the slot, or one on the stack of the poll if the plan gave it no place in the
    /// machine.
    #[inline]
    #[must_use]
    pub fn or(&self, scratch: &mut mem::MaybeUninit<T>) -> Self {
        match self.offset() {
            NO_OFFSET => Self::new(scratch.as_mut_ptr().cast(), 0),
            offset => Self::new(self.base(), offset),
        }
    }

    /// Gives the slot the type of a value.
    pub fn is(&self, _: &T) {}

    /// Stores a value. All that it borrows outlives the machine, because `'m` is longer than all of
    /// `advance`.
    #[inline]
    pub fn store<'m>(&self, _: &Region<'m>, value: T)
    where
        T: 'm,
    {
        // SAFETY: I2.
        unsafe { self.place().write(value) };
    }

    /// Stores the future into which an awaited value is converted.
    #[inline]
    pub fn store_future<'m, F>(&self, region: &Region<'m>, value: F)
    where
        F: IntoFuture<IntoFuture = T>,
        T: 'm,
    {
        self.store(region, value.into_future());
    }

    /// Stores a value that is only dropped later, if its type needs that.
    #[inline]
    pub fn store_for_drop<'m>(&self, _: &Region<'m>, value: T)
    where
        T: 'm,
    {
        if mem::needs_drop::<T>() {
            // SAFETY: I2.
            unsafe { self.place().write(value) }
        } else {
            // The place may belong to another value, so nothing is written.
            mem::forget(value)
        }
    }

    /// Stores a future that borrows locals, which stay in their places.
    ///
    /// The future contains no other borrow that is shorter than the machine. `make` itself outlives
    /// the machine, so it cannot capture a borrow of another local, or of an earlier output.
    #[inline]
    pub fn store_borrowing<'m, A, F, C>(&self, _: &Region<'m>, borrows: A, make: C)
    where
        C: FnOnce(A) -> F + 'm,
        F: IntoFuture<IntoFuture = T>,
    {
        let value = make(borrows).into_future();
        // SAFETY: I2.
        unsafe { self.place().write(value) };
    }

    /// Returns a guard, which drops the stored value unless it is left in place or moved out.
    #[inline]
    #[must_use]
    pub fn guard(&self) -> SlotGuard<T> {
        SlotGuard::new(self.place())
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

/// Returns `true` if a value needs to be dropped.
#[inline]
#[must_use]
pub const fn needs_drop<T>(_: &T) -> bool {
    mem::needs_drop::<T>()
}

/// A guard, which drops a value in its place.
pub struct SlotGuard<T> {
    at: *mut T,
    of: PhantomData<T>,
}

impl<T> SlotGuard<T> {
    #[inline]
    pub(crate) const fn new(at: *mut T) -> Self {
        let of = PhantomData;
        Self { at, of }
    }
}

impl<const IS: bool> WellTyped<IS> {
    /// Moves a value out of its place.
    ///
    /// It is a function, because a method call would need the type of the value, which may not be
    /// known yet.
    #[inline]
    #[must_use]
    pub fn take<T>(held: SlotGuard<T>) -> T {
        // SAFETY: I1: the value is there, and the guard is forgotten.
        let value = unsafe { held.at.read() };
        mem::forget(held);
        value
    }

    /// Returns the place of a value that stays there for as long as the guard is in scope.
    ///
    /// It is a function, for the same reason as [`take`](Self::take). A borrow from the place has
    /// no lifetime that the compiler knows. The macro leaves the value in place to the end of its
    /// scope, and the compiler has checked the borrows in the function's own text (I3).
    #[inline]
    #[must_use]
    pub fn as_ptr<T>(held: &SlotGuard<T>) -> *mut T {
        held.at
    }

    /// Borrows a value for a future in the same machine, no longer than the token lives, which no
    /// machine outlives.
    #[inline]
    #[must_use]
    #[expect(clippy::mut_from_ref, reason = "the place is borrowed, not the guard")]
    pub fn borrow<'t, T>(held: &SlotGuard<T>, _: &'t Token) -> &'t mut T {
        // SAFETY: I1, I3: the future is dropped before the value. Other code that reads the value
        // meanwhile does so as the compiler has allowed it in the function itself.
        unsafe { &mut *held.at }
    }
}

impl<F> SlotGuard<F> {
    /// Drops a future that is ready, and returns its output. If the drop panics, the output is not
    /// dropped, because the compiler's own coroutine does not drop it either.
    #[inline]
    fn drop_after<O>(self, output: O) -> O {
        let output = mem::ManuallyDrop::new(output);
        drop(self);
        mem::ManuallyDrop::into_inner(output)
    }
}

impl<T> Deref for SlotGuard<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: I1.
        unsafe { &*self.at }
    }
}

impl<T> DerefMut for SlotGuard<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: I1.
        unsafe { &mut *self.at }
    }
}

impl<T> Drop for SlotGuard<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: I1: the value is there, and is not used afterwards.
        unsafe { self.at.drop_in_place() };
    }
}

/// A guard for a value that may have been moved out. If it was not, the guard drops it.
pub struct ConditionalSlotGuard<T, const MOVED: bool>(mem::ManuallyDrop<SlotGuard<T>>);

impl<T, const MOVED: bool> ConditionalSlotGuard<T, MOVED> {
    #[inline]
    pub(crate) const fn new(held: SlotGuard<T>) -> Self {
        Self(mem::ManuallyDrop::new(held))
    }
}

impl<T, const MOVED: bool> fmt::Debug for ConditionalSlotGuard<T, MOVED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConditionalSlotGuard")
            .finish_non_exhaustive()
    }
}

impl<T, const MOVED: bool> Drop for ConditionalSlotGuard<T, MOVED> {
    #[inline]
    fn drop(&mut self) {
        if !MOVED {
            // SAFETY: no other code drops it; by I1 the value is there.
            unsafe { mem::ManuallyDrop::drop(&mut self.0) };
        }
    }
}

/// Implements formatting of a guard by that of its value.
macro_rules! format_as_value {
    ($($Trait:ident)*) => { $(
        impl<T: fmt::$Trait> fmt::$Trait for SlotGuard<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }
    )* };
}

format_as_value!(Binary Debug Display LowerExp LowerHex Octal UpperExp UpperHex);

/// Leaves values in their places: the machine waits, or continues in another block.
#[inline]
pub fn leave_in_place<H>(held: H) {
    mem::forget(held);
}

/// Leaves values in their places, and returns `Poll::Pending`.
#[inline]
pub fn leave_pending<H, T>(held: H) -> Poll<T> {
    mem::forget(held);
    Poll::Pending
}
