//! One field: written by `store`, there while it is [`SlotGuard`], given back by `take`.
//!
//! All blocks of a machine are one function. So a slot gets its type from the first `store`, and has it at
//! each `guard`.

use core::fmt;
use core::marker::PhantomData;
use core::mem;
use core::ops::{Deref, DerefMut};
use core::pin::Pin;
use core::task::Poll;

use super::super::modes::{Mode, PollWith, Region, Token};
use super::super::probe::{NO_OFFSET, WellTyped};
use crate::machine::state::State;

/// The place of a value whose type is inferred, and whose size was asked before.
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
/// One of that size does:
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
/// Neither does one that is not `Unpin` in a machine that is:
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
/// The type is its only parameter: the compiler goes through all of them at each `guard`.
pub struct Slot<T>(AnySlot<T>);

/// The same, whatever is stored. So a method of a [`Slot`] whose bounds do not hold is found here, and no trait has to be
/// in scope for a question.
pub struct AnySlot<T> {
    base: *mut u8,
    /// A constant, so that each use has the place for itself.
    offset: usize,
    ty: PhantomData<fn(T) -> T>,
}

/// What is stored, where it is.
impl<T: fmt::Debug> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.peek().fmt(f)
    }
}

impl<T> fmt::Debug for AnySlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnySlot").finish_non_exhaustive()
    }
}

impl<T> Deref for Slot<T> {
    type Target = AnySlot<T>;

    #[inline]
    fn deref(&self) -> &AnySlot<T> {
        &self.0
    }
}

impl<T> AnySlot<T> {
    #[inline]
    pub(crate) fn place(&self) -> *mut T {
        // SAFETY: promised to `at`.
        unsafe { self.base.add(self.offset) }.cast()
    }

    /// Looks at the value that is stored.
    #[inline]
    pub(crate) fn peek(&self) -> &T {
        // SAFETY: I1.
        unsafe { &*self.place() }
    }
}

impl<F> AnySlot<F> {
    /// Polls the future that is stored, at a state of a machine. It is dropped if it is ready or panics, and stays in its place
    /// if not.
    #[inline(always)]
    pub(crate) fn poll_by<M: Mode, H: PollWith<F>>(
        &self,
        mode: &mut M,
        state: &'static State,
    ) -> Poll<H::Output> {
        let future = SlotGuard::new(self.place());
        // SAFETY: I1.
        let pinned = unsafe { &mut *future.at };
        // SAFETY: I4: nothing moves a future that was put into its place.
        let pinned = unsafe { Pin::new_unchecked(pinned) };
        match mode.poll::<F, H>(pinned, state) {
            Poll::Ready(output) => Poll::Ready(future.drop_after(output)),
            Poll::Pending => leave_pending(future),
        }
    }
}

impl<T> Slot<T> {
    /// That at an offset, which is promised to [`SlotSet::at`](super::SlotSet::at).
    #[inline]
    pub(crate) const fn new(base: *mut u8, offset: usize) -> Self {
        let ty = PhantomData;
        Self(AnySlot { base, offset, ty })
    }

    /// The slot, or one on the stack of the poll if the plan gave it no place in the machine.
    #[inline]
    #[must_use]
    pub fn or(&self, scratch: &mut mem::MaybeUninit<T>) -> Self {
        match self.0.offset {
            NO_OFFSET => Self::new(scratch.as_mut_ptr().cast(), 0),
            offset => Self::new(self.0.base, offset),
        }
    }

    /// Gives the slot the type of a value.
    pub fn is(&self, _: &T) {}

    /// Stores a value. Whatever it borrows outlives the machine: `'m` is longer than all of `advance`.
    #[inline]
    pub fn store<'m>(&self, _: &Region<'m>, value: T)
    where
        T: 'm,
    {
        // SAFETY: I2.
        unsafe { self.place().write(value) };
    }

    /// Stores the future that a value becomes where it is awaited.
    #[inline]
    pub fn store_future<'m, F>(&self, region: &Region<'m>, value: F)
    where
        F: IntoFuture<IntoFuture = T>,
        T: 'm,
    {
        self.store(region, value.into_future());
    }

    /// Stores a value that is only there to be dropped, if that does anything.
    #[inline]
    pub fn store_for_drop<'m>(&self, _: &Region<'m>, value: T)
    where
        T: 'm,
    {
        match mem::needs_drop::<T>() {
            // SAFETY: I2.
            true => unsafe { self.place().write(value) },
            // The place may be another's: nothing is written.
            false => mem::forget(value),
        }
    }

    /// Stores the future of what is made of locals that are lent and stay in their places.
    ///
    /// Nothing else can be in it that is shorter than the machine: `make` itself outlives it, so what
    /// is borrowed of another local, or of an earlier output, cannot ride along.
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

    /// The value that is stored. It is dropped with this, if nobody keeps or takes it.
    #[inline]
    #[must_use]
    pub fn guard(&self) -> SlotGuard<T> {
        SlotGuard::new(self.place())
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

/// Whether the end of a value does anything.
#[inline]
#[must_use]
pub const fn needs_drop<T>(_: &T) -> bool {
    mem::needs_drop::<T>()
}

/// A value in its place, which is this one's to drop.
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
    /// A function, for a method would ask for the type of what is held, which may not be known yet.
    #[inline]
    #[must_use]
    pub fn take<T>(held: SlotGuard<T>) -> T {
        // SAFETY: I1: it is there, and `held` is forgotten.
        let value = unsafe { held.at.read() };
        mem::forget(held);
        value
    }

    /// The place of a value that stays there for as long as it is in scope.
    ///
    /// A function, as [`take`](Self::take) is. What borrows from the place has no lifetime that the compiler knows: the
    /// macro keeps the value to the end of its scope, and the compiler has checked the borrows in the
    /// function's own text (I3).
    #[inline]
    #[must_use]
    pub fn as_ptr<T>(held: &SlotGuard<T>) -> *mut T {
        held.at
    }

    /// Lends a value to a future that lies beside it. No longer than for the token, which no machine
    /// outlives.
    #[inline]
    #[must_use]
    #[expect(clippy::mut_from_ref, reason = "the place is lent, not what holds it")]
    pub fn borrow<'t, T>(held: &SlotGuard<T>, _: &'t Token) -> &'t mut T {
        // SAFETY: I1, I3: the future is dropped before the value, and who else looks at the value
        // meanwhile does what the compiler allowed in the function itself.
        unsafe { &mut *held.at }
    }
}

impl<F> SlotGuard<F> {
    /// Drops a future that is done, and goes on with what it gave. If that panics the output is not
    /// dropped: nor does the compiler's own coroutine do that.
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
        // SAFETY: I1: it is there, and this is its end.
        unsafe { self.at.drop_in_place() };
    }
}

/// A value in its place, if nobody took it. Then it is this one's to drop.
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
            // SAFETY: nobody drops it besides; I1 says that the value is there.
            unsafe { mem::ManuallyDrop::drop(&mut self.0) };
        }
    }
}

/// What is held is shown as the local that it is.
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

/// Leaves values in their places: the machine waits, or goes on in another block.
#[inline]
pub fn leave_in_place<H>(held: H) {
    mem::forget(held);
}

/// Leaves values in their places, and waits.
#[inline]
pub fn leave_pending<H, T>(held: H) -> Poll<T> {
    mem::forget(held);
    Poll::Pending
}
