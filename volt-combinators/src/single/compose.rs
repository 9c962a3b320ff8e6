//! `Compose`: a future whose methods return further futures.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};
#[cfg(feature = "std")]
use std::panic::UnwindSafe;

use pin_project_lite::pin_project;
#[cfg(feature = "alloc")]
use volt_inspect::InspectFuture;
use volt_inspect::{Inspector, Registrable, register, register_nested, registrable};

use super::and_then::AndThen;
#[cfg(feature = "std")]
use super::catch_unwind::CatchUnwind;
use super::fuse::Fuse;
use super::inspect::Inspect;
use super::map::{Map, MapErr, MapOk};
use super::or_else::OrElse;
use super::then::Then;

/// A boxed future of an erased type, which can move between threads.
///
/// [`FutureExt::boxed`](crate::FutureExt::boxed) returns it. An inspection continues in the boxed
/// future. The box coerces to `Pin<Box<dyn Future<Output = T> + Send>>`, in which an inspection
/// ends.
#[cfg(feature = "alloc")]
pub type BoxFuture<'a, T> = Pin<Box<dyn InspectFuture<Output = T> + Send + 'a>>;

/// A boxed future of an erased type, which stays on its thread.
///
/// [`FutureExt::boxed_local`](crate::FutureExt::boxed_local) returns it; see [`BoxFuture`].
#[cfg(feature = "alloc")]
pub type LocalBoxFuture<'a, T> = Pin<Box<dyn InspectFuture<Output = T> + 'a>>;

pin_project! {
    /// A future whose methods return further `Compose` futures.
    ///
    /// It has the size and the behavior of the future inside.
    ///
    /// ```
    /// use core::future::ready;
    /// use volt_combinators::compose;
    ///
    /// let posts = compose(ready(Ok::<_, ()>(7)))
    ///     .map_ok(|user| user * 100)
    ///     .and_then(|first| ready(Ok(first..first + 3)))
    ///     .map_ok(Vec::from_iter);
    /// assert_eq!(futures::executor::block_on(posts), Ok(vec![700, 701, 702]));
    /// ```
    #[derive(Clone, Copy)]
    #[must_use = "futures do nothing unless polled"]
    #[repr(transparent)]
    pub struct Compose<F> {
        #[pin]
        future: F,
    }
}

/// Wraps a future, so that combinators can be chained as methods.
///
/// ```
/// # use core::future::ready;
/// let chain = volt_combinators::compose(ready(20)).map(|n| n + 1).then(|n| ready(n * 2));
/// assert_eq!(futures::executor::block_on(chain), 42);
/// ```
pub fn compose<F: IntoFuture>(future: F) -> Compose<F::IntoFuture> {
    let future = future.into_future();
    register::<Compose<F::IntoFuture>>();
    Compose::unregistered(future)
}

impl<A> Compose<A> {
    /// Wraps a future that the next method takes out again, so no inspection sees the wrapper.
    pub(crate) fn unregistered(future: A) -> Self {
        Self { future }
    }

    /// Wraps a combinator, and registers the types of both.
    fn combinator(future: A) -> Self
    where
        A: Registrable,
    {
        register_nested::<Self, A>();
        Self { future }
    }

    /// Returns a reference to the future inside.
    pub fn get_ref(&self) -> &A {
        &self.future
    }

    /// Returns the future inside.
    pub fn into_inner(self) -> A {
        self.future
    }
}

impl<A: Future> Compose<A> {
    /// Applies `f` to the output.
    pub fn map<U, F: FnOnce(A::Output) -> U>(self, f: F) -> Compose<Map<A, F>> {
        Compose::combinator(Map::new(self.future, f))
    }

    /// Runs a second future, which `f` creates from the output.
    pub fn then<I: IntoFuture, F: FnOnce(A::Output) -> I>(
        self,
        f: F,
    ) -> Compose<Then<A, I::IntoFuture, F>> {
        Compose::combinator(Then::new(self.future, f))
    }

    /// Applies `f` to the value of an `Ok`.
    pub fn map_ok<T, E, U, F: FnOnce(T) -> U>(self, f: F) -> Compose<MapOk<A, F>>
    where
        A: Future<Output = Result<T, E>>,
    {
        Compose::combinator(MapOk::new(self.future, f))
    }

    /// Applies `f` to the error of an `Err`.
    pub fn map_err<T, E, U, F: FnOnce(E) -> U>(self, f: F) -> Compose<MapErr<A, F>>
    where
        A: Future<Output = Result<T, E>>,
    {
        Compose::combinator(MapErr::new(self.future, f))
    }

    /// Runs a second future, which `f` creates from the value. An error ends the chain.
    pub fn and_then<T, E, U, I, F: FnOnce(T) -> I>(
        self,
        f: F,
    ) -> Compose<AndThen<A, I::IntoFuture, F>>
    where
        A: Future<Output = Result<T, E>>,
        I: IntoFuture<Output = Result<U, E>>,
    {
        Compose::combinator(AndThen::new(self.future, f))
    }

    /// Runs a second future, which `f` creates from the error. A value ends the chain.
    pub fn or_else<T, E, G, I, F: FnOnce(E) -> I>(
        self,
        f: F,
    ) -> Compose<OrElse<A, I::IntoFuture, F>>
    where
        A: Future<Output = Result<T, E>>,
        I: IntoFuture<Output = Result<T, G>>,
    {
        Compose::combinator(OrElse::new(self.future, f))
    }

    /// Calls `f` with a reference to the output, and returns the output.
    pub fn inspect<F: FnOnce(&A::Output)>(self, f: F) -> Compose<Inspect<A, F>> {
        Compose::combinator(Inspect::new(self.future, f))
    }

    /// Returns a future that stays pending when it is polled after completion.
    pub fn fuse(self) -> Compose<Fuse<A>> {
        Compose::combinator(Fuse::new(self.future))
    }

    /// Catches a panic of the future, and returns it as the error. The future is dropped.
    #[cfg(feature = "std")]
    pub fn catch_unwind(self) -> Compose<CatchUnwind<A>>
    where
        A: UnwindSafe,
    {
        Compose::combinator(CatchUnwind::new(self.future))
    }

    /// Moves the future to the heap, and erases its type.
    #[cfg(feature = "alloc")]
    pub fn boxed<'a>(self) -> BoxFuture<'a, A::Output>
    where
        A: Send + 'a,
    {
        register::<BoxFuture<'a, A::Output>>();
        Box::pin(self)
    }

    /// Moves a future that need not be `Send` to the heap, and erases its type.
    #[cfg(feature = "alloc")]
    pub fn boxed_local<'a>(self) -> LocalBoxFuture<'a, A::Output>
    where
        A: 'a,
    {
        register::<LocalBoxFuture<'a, A::Output>>();
        Box::pin(self)
    }
}

impl<A: Future> Future for Compose<A> {
    type Output = A::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        self.project().future.poll(cx)
    }
}

impl<A> volt_inspect::Inspect for Compose<A> {
    /// Passes on to the future inside.
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.future(self.project().future);
    }
}

registrable!(Compose<A>);

impl<A: fmt::Debug> fmt::Debug for Compose<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.future.fmt(f)
    }
}
