//! `?` on every type that stable Rust allows it on, for functions that do not return a `Result`.
//!
//! Inside `poll` the function's own return type stands within a `Poll`. The language's `?`
//! still converts a `Result` there, but not an `Option` or a `ControlFlow`, so these go through
//! this trait. The set of types is closed: nobody else can implement the language's `Try`.

use core::ops::ControlFlow;
use core::task::Poll;

/// A value that `?` can be put after, in a function that returns `R`.
#[diagnostic::on_unimplemented(
    message = "`?` cannot turn `{Self}` into a return of `{R}`",
    label = "the function returns `{R}`"
)]
pub trait Branch<R> {
    /// What `?` gives.
    type Output;

    /// Goes on with the output, or returns from the function.
    fn branch(self) -> ControlFlow<R, Self::Output>;
}

/// A value that `?` can be put after, whatever the function returns.
#[diagnostic::on_unimplemented(message = "what `?` takes out of `{Self}` cannot be seen")]
pub trait Fallible {
    /// What `?` gives.
    type Output;
}

impl<T> Fallible for Option<T> {
    type Output = T;
}

impl<T, E> Fallible for Result<T, E> {
    type Output = T;
}

impl<B, T> Fallible for ControlFlow<B, T> {
    type Output = T;
}

impl<T, U> Branch<Option<U>> for Option<T> {
    type Output = T;

    #[inline]
    fn branch(self) -> ControlFlow<Option<U>, T> {
        match self {
            Some(value) => ControlFlow::Continue(value),
            None => ControlFlow::Break(None),
        }
    }
}

impl<T, E, U, F: From<E>> Branch<Result<U, F>> for Result<T, E> {
    type Output = T;

    #[inline]
    fn branch(self) -> ControlFlow<Result<U, F>, T> {
        match self {
            Ok(value) => ControlFlow::Continue(value),
            Err(error) => ControlFlow::Break(Err(F::from(error))),
        }
    }
}

impl<T, B, U> Branch<ControlFlow<B, U>> for ControlFlow<B, T> {
    type Output = T;

    #[inline]
    fn branch(self) -> ControlFlow<ControlFlow<B, U>, T> {
        match self {
            ControlFlow::Continue(value) => ControlFlow::Continue(value),
            ControlFlow::Break(value) => ControlFlow::Break(ControlFlow::Break(value)),
        }
    }
}

impl<T, E, U, F: From<E>> Branch<Poll<Result<U, F>>> for Result<T, E> {
    type Output = T;

    #[inline]
    fn branch(self) -> ControlFlow<Poll<Result<U, F>>, T> {
        match self {
            Ok(value) => ControlFlow::Continue(value),
            Err(error) => ControlFlow::Break(Poll::Ready(Err(F::from(error)))),
        }
    }
}
