//! Boxed storages of `Vec`s, boxed slices and iterators.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::mem;
use core::pin::Pin;
use core::task::Context;

use super::array::clear;
use super::child_storage::sealed::Sealed;
use super::child_storage::{
    ChildStorage, Children, FallibleStorage, IntoChildren, JoinStorage, UniformStorage,
};
use super::pinned::{element, into_outputs};
use super::slot::{ChildPoll, Slot};
use volt_inspect::{Inspector, Status};

/// A boxed storage of children.
#[doc(hidden)]
pub struct BoxedStorage<F: Future>(Pin<Box<[Slot<F>]>>);

impl<F: Future> BoxedStorage<F> {
    fn new<I: IntoFuture<IntoFuture = F, Output = F::Output>>(
        children: impl Iterator<Item = I>,
    ) -> Self {
        let slots: Box<[_]> = children
            .map(|child| Slot::new(child.into_future()))
            .collect();
        Self(Box::into_pin(slots))
    }

    #[inline]
    fn slot(self: Pin<&mut Self>, child: usize) -> Pin<&mut Slot<F>> {
        element(self.get_mut().0.as_mut(), child)
    }

    /// Takes the outputs of all children, which must have completed.
    #[inline]
    fn into_outputs(self: Pin<&mut Self>) -> Vec<F::Output> {
        let empty = Box::into_pin(Box::default());
        into_outputs(mem::replace(&mut self.get_mut().0, empty))
    }
}

impl<F: Future> fmt::Debug for BoxedStorage<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<F> Sealed for Vec<F> {}
impl<F> Sealed for Box<[F]> {}

impl<F: IntoFuture> IntoChildren for Vec<F> {
    type Children = Vec<F::IntoFuture>;

    #[inline]
    fn into_storage(self) -> BoxedStorage<F::IntoFuture> {
        BoxedStorage::new(self.into_iter())
    }
}

impl<F: Future> Children for Vec<F> {
    type Storage = BoxedStorage<F>;
}

impl<F: IntoFuture> IntoChildren for Box<[F]> {
    type Children = Box<[F::IntoFuture]>;

    #[inline]
    fn into_storage(self) -> BoxedStorage<F::IntoFuture> {
        BoxedStorage::new(self.into_vec().into_iter())
    }
}

impl<F: Future> Children for Box<[F]> {
    type Storage = BoxedStorage<F>;
}

impl<F: Future> ChildStorage for BoxedStorage<F> {
    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn poll_child(self: Pin<&mut Self>, child: usize, cx: &mut Context<'_>) -> ChildPoll {
        self.slot(child).poll(cx)
    }

    fn state(&self, child: usize) -> &'static str {
        self.0[child].state()
    }

    fn inspect_child(
        self: Pin<&mut Self>,
        child: usize,
        status: Status,
        inspector: &mut Inspector<'_>,
    ) {
        self.slot(child).inspect(child, status, inspector);
    }

    #[inline]
    fn clear(self: Pin<&mut Self>) {
        clear(self.get_mut().0.as_mut());
    }
}

impl<F: Future> JoinStorage for BoxedStorage<F> {
    type Outputs = Vec<F::Output>;

    #[inline]
    fn take_all(self: Pin<&mut Self>) -> Option<Self::Outputs> {
        Some(fitted(self.into_outputs()))
    }
}

impl<F: Future> UniformStorage for BoxedStorage<F> {
    type Output = F::Output;

    #[inline]
    fn take(self: Pin<&mut Self>, child: usize) -> Option<F::Output> {
        self.slot(child).take()
    }
}

impl<T, E, F: Future<Output = Result<T, E>>> FallibleStorage for BoxedStorage<F> {
    type Values = Vec<T>;
    type Error = E;

    fn take_error(self: Pin<&mut Self>, child: usize) -> Option<E> {
        match self.0[child].output() {
            Some(Err(_)) => self.slot(child).take()?.err(),
            _ => None,
        }
    }

    fn take_values(self: Pin<&mut Self>) -> Option<Self::Values> {
        let values: Option<_> = self.into_outputs().into_iter().map(Result::ok).collect();
        values.map(fitted)
    }
}

/// Unused bytes that the outputs may keep: returning fewer costs more than it saves.
const SPARE: usize = 64;

/// Frees the memory that the futures used and their outputs do not.
///
/// Outputs are collected in place, in the allocation of the futures.
#[inline]
fn fitted<T>(mut outputs: Vec<T>) -> Vec<T> {
    let unused = outputs.capacity() - outputs.len();
    if unused.saturating_mul(size_of::<T>()) > SPARE {
        outputs.shrink_to_fit();
    }
    outputs
}

/// The futures of an iterator.
#[derive(Debug)]
pub(crate) struct FromIter<I>(pub(crate) I);

impl<I> Sealed for FromIter<I> {}

impl<I: Iterator<Item: IntoFuture>> IntoChildren for FromIter<I> {
    type Children = Vec<<I::Item as IntoFuture>::IntoFuture>;

    #[inline]
    fn into_storage(self) -> BoxedStorage<<I::Item as IntoFuture>::IntoFuture> {
        BoxedStorage::new(self.0)
    }
}
