//! Pin projections from a tuple, array or slice to its elements.
//!
//! # Invariant
//!
//! - I1: Tuples, arrays and slices are pinned with their elements. They have no destructor of their
//!   own, are `Unpin` only if all their elements are, and no code here moves an element out of a
//!   pinned one, except an output of a slot without a future.

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

/// Returns a pinned array as a pinned slice.
#[inline]
pub(crate) fn as_slice<T, const N: usize>(array: Pin<&mut [T; N]>) -> Pin<&mut [T]> {
    // SAFETY: I1: an array.
    unsafe { array.map_unchecked_mut(|array| array.as_mut_slice()) }
}

/// Returns the outputs of a boxed storage, whose children must have completed.
///
/// Aborts if one has not: a future must not be moved, not even during unwinding.
#[cfg(feature = "alloc")]
pub(super) fn into_outputs<F: Future>(storage: Pin<Box<[Slot<F>]>>) -> Vec<F::Output> {
    // SAFETY: I1: a slot with a future aborts the program before any code can observe that.
    let slots = unsafe { Pin::into_inner_unchecked(storage) };
    let outputs = slots.into_vec().into_iter().map(Slot::into_output);
    outputs.collect()
}
