//! `?` on every type that stable Rust allows it on.
//!
//! Inside `poll` the function's own return type stands within a `Poll`, where the language's `?`
//! converts a `Result` alone, and forgets the place in the source that an error's `From` may ask
//! for. So a value is first parted here, by what `?` takes out of it and what it returns; what it
//! returns then meets the language's own `?`, in a closure that returns what the function does.
//! The set of types is closed: nobody else can implement the language's `Try`.

use core::convert::Infallible;
use core::ops::ControlFlow;
use core::task::Poll;

/// A value that `?` can be put after.
#[diagnostic::on_unimplemented(
    message = "`?` cannot be put after `{Self}`",
    label = "it is neither a `Result` nor an `Option`",
    note = "if it is a future, such as a state machine, did you forget `.await` in front of the `?`"
)]
pub trait Branch {
    /// What `?` gives.
    type Output;
    /// What `?` returns, which has no output.
    type Residual;

    /// Goes on with the output, or returns from the function.
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
