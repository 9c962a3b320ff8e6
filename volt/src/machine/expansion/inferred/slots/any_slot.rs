//! `AnySlot`: the place of a value, for methods that do not depend on its type.
//!
//! A [`Slot`](super::slot::Slot) dereferences to an `AnySlot`, that to a `PlainSlot`, and that to
//! an `UnknownSlot`. So a method that all of them have is that of the first one whose bounds hold.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

/// A slot of any type. A method of a [`Slot`](super::slot::Slot) whose bounds do not hold is found
/// here, without a trait in scope.
pub struct AnySlot<T>(PlainSlot<T>);

/// A slot of any type. A method of an [`AnySlot`] whose bounds do not hold is found here.
///
/// Its own methods are found in [`UnknownSlot`], if their bounds do not hold.
pub struct PlainSlot<T> {
    base: *mut u8,
    /// A constant, so that each use knows the place.
    offset: usize,
    ty: PhantomData<fn(T) -> T>,
}

impl<T> AnySlot<T> {
    #[inline]
    pub(super) const fn new(base: *mut u8, offset: usize) -> Self {
        let ty = PhantomData;
        Self(PlainSlot { base, offset, ty })
    }
}

impl<T> Clone for AnySlot<T> {
    fn clone(&self) -> Self {
        *self
    }
}

/// A copy in the form of a stored value has no lifetime, which the borrow checker would follow.
impl<T> Copy for AnySlot<T> {}

impl<T> Clone for PlainSlot<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PlainSlot<T> {}

impl<T> fmt::Debug for AnySlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnySlot").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for PlainSlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainSlot").finish_non_exhaustive()
    }
}

impl<T> Deref for AnySlot<T> {
    type Target = PlainSlot<T>;

    #[inline]
    fn deref(&self) -> &PlainSlot<T> {
        &self.0
    }
}

/// A slot whose type is not known. A method of a [`PlainSlot`] whose bounds do not hold is found
/// here.
#[derive(Debug)]
pub struct UnknownSlot(());

impl<T> Deref for PlainSlot<T> {
    type Target = UnknownSlot;

    #[inline]
    fn deref(&self) -> &UnknownSlot {
        const { &UnknownSlot(()) }
    }
}

impl<T> PlainSlot<T> {
    #[inline]
    pub(super) const fn base(&self) -> *mut u8 {
        self.base
    }

    #[inline]
    pub(super) const fn offset(&self) -> usize {
        self.offset
    }
}
