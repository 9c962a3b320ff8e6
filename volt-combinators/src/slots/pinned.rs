//! Pins handed on from a whole to its parts.
//!
//! # Invariant
//!
//! - I1: Tuples, arrays and slices are pinned with their elements: they have no destructor of their
//!   own, are `Unpin` only if all their elements are, and nothing here moves an element out of one
//!   that is pinned, except out of slots whose futures are gone.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};
use core::pin::Pin;

#[cfg(feature = "alloc")]
use super::slot::Slot;

/// Pins one field of a pinned tuple.
macro_rules! pin_field {
    ($tuple:expr, $n:tt) => {
        // SAFETY: I1: a tuple.
        unsafe { Pin::map_unchecked_mut($tuple, |tuple| &mut tuple.$n) }
    };
}
pub(super) use pin_field;

/// Pins one element of a pinned slice.
#[inline]
pub(crate) fn element<T>(slice: Pin<&mut [T]>, n: usize) -> Pin<&mut T> {
    // SAFETY: I1: a slice.
    unsafe { slice.map_unchecked_mut(|slice| &mut slice[n]) }
}

/// A pinned array, seen as the slice that it is.
#[inline]
pub(crate) fn as_slice<T, const N: usize>(array: Pin<&mut [T; N]>) -> Pin<&mut [T]> {
    // SAFETY: I1: an array.
    unsafe { array.map_unchecked_mut(|array| array.as_mut_slice()) }
}

/// The outputs of a boxed row, each of whose children has left one.
///
/// Does not return if one has not: a future must not be moved, not even to unwind.
#[cfg(feature = "alloc")]
pub(super) fn into_outputs<F: Future>(row: Pin<Box<[Slot<F>]>>) -> Vec<F::Output> {
    // SAFETY: I1: a slot with a future in it ends the program before anybody can look at that.
    let slots = unsafe { Pin::into_inner_unchecked(row) };
    let outputs = slots.into_vec().into_iter().map(Slot::into_output);
    outputs.collect()
}
