//! Boxes of a project, in a file of their own: with and without `Send`, by an alias and by a type.

use std::pin::Pin;
use std::task::{Context, Poll};

pub(super) type Local<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

pub(super) fn erase<'a, T>(
    future: impl Future<Output = T> + 'a,
) -> Pin<Box<dyn Future<Output = T> + 'a>> {
    Box::pin(future)
}

pub(super) fn erase_by_alias<'a, T>(future: impl Future<Output = T> + 'a) -> Local<'a, T> {
    Box::pin(future)
}

pub(super) fn keep<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

pub(super) trait InBox: Future + Sized {
    fn in_box<'a>(self) -> Local<'a, Self::Output>
    where
        Self: 'a,
    {
        Box::pin(self)
    }
}

impl<F: Future> InBox for F {}

pub(super) struct Later<'a, T>(Pin<Box<dyn Future<Output = T> + 'a>>);

impl<'a, T> Later<'a, T> {
    pub(super) fn of(future: impl Future<Output = T> + 'a) -> Self {
        Self(Box::pin(future))
    }
}

impl<T> Future for Later<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.0.as_mut().poll(cx)
    }
}
