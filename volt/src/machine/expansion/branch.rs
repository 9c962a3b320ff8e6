//! `?` on every type that stable Rust allows it on.
//!
//! Inside of `poll` the return type of the function is wrapped in a `Poll`. There the language's
//! `?` converts only a `Result`, and loses the source location that an error's `From` may read. So
//! an expansion first splits the value into the output of `?` and its residual. The residual then
//! meets the language's own `?`, in a closure that has the return type of the function. The set of
//! types is closed, because stable code cannot implement the language's `Try`.

use core::convert::Infallible;
use core::ops::ControlFlow;
use core::task::Poll;

/// A type that supports the operator `?`.
#[diagnostic::on_unimplemented(
    message = "`?` cannot follow a value of type `{Self}`",
    label = "it is neither a `Result` nor an `Option`",
    note = "if the value is a future, write `.await` before the `?`"
)]
pub trait Branch {
    /// The output of `?`.
    type Output;
    /// The value that `?` returns from the function, a type without an output.
    type Residual;

    /// Splits the value into an output, or a residual to return.
    fn branch(self) -> ControlFlow<Self::Residual, (Self::Output,)>;
}

impl<T> Branch for Option<T> {
    type Output = T;
    type Residual = Option<Infallible>;

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, (T,)> {
        match self {
            Some(value) => ControlFlow::Continue((value,)),
            None => ControlFlow::Break(None),
        }
    }
}

impl<T, E> Branch for Result<T, E> {
    type Output = T;
    type Residual = Result<Infallible, E>;

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, (T,)> {
        match self {
            Ok(value) => ControlFlow::Continue((value,)),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }
}

impl<B, T> Branch for ControlFlow<B, T> {
    type Output = T;
    type Residual = ControlFlow<B, Infallible>;

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, (T,)> {
        match self {
            ControlFlow::Continue(value) => ControlFlow::Continue((value,)),
            ControlFlow::Break(value) => ControlFlow::Break(ControlFlow::Break(value)),
        }
    }
}

impl<T, E> Branch for Poll<Result<T, E>> {
    type Output = Poll<T>;
    type Residual = Result<Infallible, E>;

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, (Poll<T>,)> {
        match self {
            Poll::Ready(Ok(value)) => ControlFlow::Continue((Poll::Ready(value),)),
            Poll::Ready(Err(error)) => ControlFlow::Break(Err(error)),
            Poll::Pending => ControlFlow::Continue((Poll::Pending,)),
        }
    }
}

impl<T, E> Branch for Poll<Option<Result<T, E>>> {
    type Output = Poll<Option<T>>;
    type Residual = Result<Infallible, E>;

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, (Poll<Option<T>>,)> {
        match self {
            Poll::Ready(Some(Ok(value))) => ControlFlow::Continue((Poll::Ready(Some(value)),)),
            Poll::Ready(Some(Err(error))) => ControlFlow::Break(Err(error)),
            Poll::Ready(None) => ControlFlow::Continue((Poll::Ready(None),)),
            Poll::Pending => ControlFlow::Continue((Poll::Pending,)),
        }
    }
}
