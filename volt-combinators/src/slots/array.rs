//! Arrays of children.

use core::array;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::Context;

use super::row::sealed::Sealed;
use super::row::{Children, FallibleRow, IntoChildren, JoinRow, Row, UniformRow};
use super::slot::{Slot, Turn};

impl<F, const N: usize> Sealed for [F; N] {}

impl<F: IntoFuture, const N: usize> IntoChildren for [F; N] {
    type Children = [F::IntoFuture; N];

    #[inline]
    fn into_row(self) -> [Slot<F::IntoFuture>; N] {
        self.map(|child| Slot::new(child.into_future()))
    }
}

impl<F: Future, const N: usize> Children for [F; N] {
    type Row = [Slot<F>; N];
}

/// Pins one element of a pinned slice.
#[inline]
pub(crate) fn slot<T>(slots: Pin<&mut [T]>, child: usize) -> Pin<&mut T> {
    // SAFETY: I1: slices are pinned with their elements; nothing is moved out of here.
    unsafe { slots.map_unchecked_mut(|slots| &mut slots[child]) }
}

/// Drops what is in the slots of a pinned slice.
pub(super) fn clear<F: Future>(mut slots: Pin<&mut [Slot<F>]>) {
    for child in 0..slots.len() {
        slot(slots.as_mut(), child).set(Slot::Gone);
    }
}

fn slice<F: Future, const N: usize>(row: Pin<&mut [Slot<F>; N]>) -> Pin<&mut [Slot<F>]> {
    // SAFETY: I1: an array seen as the slice that it is.
    unsafe { row.map_unchecked_mut(|row| row.as_mut_slice()) }
}

impl<F: Future, const N: usize> Row for [Slot<F>; N] {
    #[inline]
    fn len(&self) -> usize {
        N
    }

    #[inline]
    fn poll_child(self: Pin<&mut Self>, child: usize, cx: &mut Context<'_>) -> Turn {
        slot(slice(self), child).poll(cx)
    }

    fn state(&self, child: usize) -> &'static str {
        self[child].state()
    }

    #[inline]
    fn clear(self: Pin<&mut Self>) {
        clear(slice(self));
    }
}

/// Builds an array of what `take` finds for each number.
fn collect<T, const N: usize>(mut take: impl FnMut(usize) -> Option<T>) -> Option<[T; N]> {
    let mut taken = [const { None }; N];
    for (child, place) in taken.iter_mut().enumerate() {
        *place = Some(take(child)?);
    }
    Some(taken.map(|place| place.expect("filled above")))
}

impl<F: Future, const N: usize> JoinRow for [Slot<F>; N] {
    type Outputs = [F::Output; N];

    #[inline]
    fn take_all(mut self: Pin<&mut Self>) -> Option<Self::Outputs> {
        if self.iter().any(|slot| slot.output().is_none()) {
            return None;
        }
        Some(array::from_fn(|child| {
            let output = slot(slice(self.as_mut()), child).take();
            output.expect("looked at above")
        }))
    }
}

impl<F: Future, const N: usize> UniformRow for [Slot<F>; N] {
    type Output = F::Output;

    #[inline]
    fn take(self: Pin<&mut Self>, child: usize) -> Option<F::Output> {
        slot(slice(self), child).take()
    }
}

impl<T, E, F: Future<Output = Result<T, E>>, const N: usize> FallibleRow for [Slot<F>; N] {
    type Values = [T; N];
    type Error = E;

    fn take_error(self: Pin<&mut Self>, child: usize) -> Option<E> {
        match self[child].output() {
            Some(Err(_)) => slot(slice(self), child).take()?.err(),
            _ => None,
        }
    }

    fn take_values(mut self: Pin<&mut Self>) -> Option<Self::Values> {
        collect(|child| slot(slice(self.as_mut()), child).take()?.ok())
    }
}
