//! Arrays of children.

use core::array;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::Context;

use super::child_storage::sealed::Sealed;
use super::child_storage::{
    ChildStorage, Children, FallibleStorage, IntoChildren, JoinStorage, SHARED_WAKER_CHILDREN,
    UniformStorage,
};
use super::pinned::{as_slice, element};
use super::slot::{ChildPoll, Slot};
use volt_inspect::{Inspector, Status};

impl<F, const N: usize> Sealed for [F; N] {}

impl<F: IntoFuture, const N: usize> IntoChildren for [F; N] {
    type Children = [F::IntoFuture; N];

    #[inline]
    fn into_storage(self) -> [Slot<F::IntoFuture>; N] {
        self.map(|child| Slot::new(child.into_future()))
    }
}

impl<F: Future, const N: usize> Children for [F; N] {
    type Storage = [Slot<F>; N];
}

/// Empties the slots of a pinned slice.
pub(super) fn clear<F: Future>(mut slots: Pin<&mut [Slot<F>]>) {
    for child in 0..slots.len() {
        element(slots.as_mut(), child).clear();
    }
}

impl<F: Future, const N: usize> ChildStorage for [Slot<F>; N] {
    const MAY_USE_WAKE_SET: bool = N > SHARED_WAKER_CHILDREN;

    #[inline]
    fn len(&self) -> usize {
        N
    }

    #[inline]
    fn poll_child(self: Pin<&mut Self>, child: usize, cx: &mut Context<'_>) -> ChildPoll {
        element(as_slice(self), child).poll(cx)
    }

    fn state(&self, child: usize) -> &'static str {
        self[child].state()
    }

    fn inspect_child(
        self: Pin<&mut Self>,
        child: usize,
        status: Status,
        inspector: &mut Inspector<'_>,
    ) {
        element(as_slice(self), child).inspect(child, status, inspector);
    }

    #[inline]
    fn clear(self: Pin<&mut Self>) {
        clear(as_slice(self));
    }
}

/// Builds an array of the values that `take` returns for each number.
fn collect<T, const N: usize>(mut take: impl FnMut(usize) -> Option<T>) -> Option<[T; N]> {
    let mut taken = [const { None }; N];
    for (child, place) in taken.iter_mut().enumerate() {
        *place = Some(take(child)?);
    }
    Some(taken.map(|place| place.expect("filled above")))
}

impl<F: Future, const N: usize> JoinStorage for [Slot<F>; N] {
    type Outputs = [F::Output; N];

    #[inline]
    fn take_all(mut self: Pin<&mut Self>) -> Option<Self::Outputs> {
        if self.iter().any(|slot| slot.output().is_none()) {
            return None;
        }
        Some(array::from_fn(|child| {
            let output = element(as_slice(self.as_mut()), child).take();
            output.expect("looked at above")
        }))
    }
}

impl<F: Future, const N: usize> UniformStorage for [Slot<F>; N] {
    type Output = F::Output;

    #[inline]
    fn take(self: Pin<&mut Self>, child: usize) -> Option<F::Output> {
        element(as_slice(self), child).take()
    }
}

impl<T, E, F: Future<Output = Result<T, E>>, const N: usize> FallibleStorage for [Slot<F>; N] {
    type Values = [T; N];
    type Error = E;

    fn take_error(self: Pin<&mut Self>, child: usize) -> Option<E> {
        match self[child].output() {
            Some(Err(_)) => element(as_slice(self), child).take()?.err(),
            _ => None,
        }
    }

    fn take_values(mut self: Pin<&mut Self>) -> Option<Self::Values> {
        collect(|child| element(as_slice(self.as_mut()), child).take()?.ok())
    }
}
