//! Boxes whose content has a type that is known where the box is created.
//!
//! ```text
//! let read: Pin<Box<dyn Future<Output = ()>>> = {
//!     let value = Box::pin(read(page));        a box of a known type, which is coerced
//!     value_2.is(&value);                      the type of the value
//!     value
//! };
//! slot_1.store_future(region, read);           a box of a `dyn Future`
//! ```
//!
//! The local is declared once and is not mutable, so a box in its slot contains a future of that
//! type. The inspection uses the type in place of `dyn Future`.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
#[cfg(feature = "alloc")]
use core::pin::Pin;

#[cfg(feature = "alloc")]
use super::super::modes::{TraceAny, TracedFuture};
use super::slot::Slot;
#[cfg(feature = "alloc")]
use crate::machine::walk::Walk;

/// The type of the value with which a local is declared.
pub struct ValueType<T>(AnyValueType<T>);

/// The type of a value that is no box. Methods of a [`ValueType`] whose bounds do not hold are
/// found here.
#[derive(Debug)]
pub struct AnyValueType<T>(PhantomData<fn(T) -> T>);

impl<T> ValueType<T> {
    /// Returns a type that is inferred.
    #[expect(clippy::new_without_default, reason = "written by `state_machine`")]
    #[must_use]
    pub const fn new() -> Self {
        Self(AnyValueType(PhantomData))
    }

    /// Infers the type of a value.
    #[inline]
    pub fn is(&self, _: &T) {}
}

impl<T> fmt::Debug for ValueType<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueType").finish_non_exhaustive()
    }
}

impl<T> Deref for ValueType<T> {
    type Target = AnyValueType<T>;

    fn deref(&self) -> &AnyValueType<T> {
        &self.0
    }
}

impl<T> AnyValueType<T> {
    /// Returns the slot, in which the trace continues by its own type.
    pub fn __volt_content<'a, S>(&self, slot: &'a Slot<S>) -> &'a Slot<S> {
        slot
    }
}

#[cfg(feature = "alloc")]
impl<F> ValueType<Pin<Box<F>>> {
    /// Returns the content of the box in a slot.
    ///
    /// # Safety
    ///
    /// The slot is filled by a value that was coerced from a `Pin<Box<F>>`.
    pub unsafe fn __volt_content<'a, D: ?Sized>(
        &self,
        slot: &'a Slot<Pin<Box<D>>>,
    ) -> BoxContent<'a, F, D> {
        let of = PhantomData;
        BoxContent { slot, of }
    }
}

/// A future of type `F` in a box in a slot.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct BoxContent<'a, F, D: ?Sized> {
    slot: &'a Slot<Pin<Box<D>>>,
    of: PhantomData<fn(F) -> F>,
}

#[cfg(feature = "alloc")]
impl<F, D: ?Sized> BoxContent<'_, F, D> {
    /// Returns the future, in which the trace continues.
    pub fn __volt_trace_future(&self) -> TracedFuture<'_> {
        TracedFuture::Any(self)
    }
}

#[cfg(feature = "alloc")]
impl<F, D: ?Sized> TraceAny for BoxContent<'_, F, D> {
    fn walk_if_registered(&self, walk: &mut Walk<'_, '_>) {
        let pointer = self.slot.place().cast::<*const D>();
        // SAFETY: I1. A pinned box has the representation of a pointer to its content.
        let content = unsafe { pointer.read() };
        // SAFETY: a coercion does not change the content, whose type is `F` by `__volt_content`.
        // Exclusive access to the box is exclusive access to its content, which is pinned.
        unsafe { walk.future(content.cast::<F>()) };
    }
}
