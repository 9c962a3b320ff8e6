//! Fluent chaining of futures.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};
#[cfg(feature = "std")]
use std::panic::UnwindSafe;

use pin_project_lite::pin_project;

use crate::combinator::own_name;
#[cfg(feature = "std")]
use crate::single::CatchUnwind;
use crate::single::{AndThen, Fuse, Inspect, Map, MapErr, MapOk, OrElse, Then};

/// A boxed future that can go to other threads, its type forgotten.
#[cfg(feature = "alloc")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed future that stays on its thread, its type forgotten.
#[cfg(feature = "alloc")]
pub type LocalBoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

pin_project! {
    /// A future that chains fluently: each method returns another `Compose`.
    ///
    /// It is as large as what it holds, and behaves exactly as that does.
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

/// Makes a future chain fluently.
///
/// ```
/// # use core::future::ready;
/// let chain = volt_combinators::compose(ready(20)).map(|n| n + 1).then(|n| ready(n * 2));
/// assert_eq!(futures::executor::block_on(chain), 42);
/// ```
pub fn compose<F: IntoFuture>(future: F) -> Compose<F::IntoFuture> {
    Compose::new(future.into_future())
}

own_name! {
    /// The future of [`compose`](fn@compose), under the function's own name.
    pub type compose<F> = Compose<<F as IntoFuture>::IntoFuture>;
}

impl<A> Compose<A> {
    fn new(future: A) -> Self {
        Self { future }
    }

    /// The future inside.
    pub fn get_ref(&self) -> &A {
        &self.future
    }

    /// The future inside.
    pub fn into_inner(self) -> A {
        self.future
    }
}

impl<A: Future> Compose<A> {
    /// Applies `f` to the output.
    pub fn map<U, F: FnOnce(A::Output) -> U>(self, f: F) -> Compose<Map<A, F>> {
        Compose::new(Map::new(self.future, f))
    }

    /// Runs a second future, which `f` makes of the output.
    pub fn then<I: IntoFuture, F: FnOnce(A::Output) -> I>(
        self,
        f: F,
    ) -> Compose<Then<A, I::IntoFuture, F>> {
        Compose::new(Then::new(self.future, f))
    }

    /// Applies `f` to the value of an `Ok`.
    pub fn map_ok<T, E, U, F: FnOnce(T) -> U>(self, f: F) -> Compose<MapOk<A, F>>
    where
        A: Future<Output = Result<T, E>>,
    {
        Compose::new(MapOk::new(self.future, f))
    }

    /// Applies `f` to the error of an `Err`.
    pub fn map_err<T, E, U, F: FnOnce(E) -> U>(self, f: F) -> Compose<MapErr<A, F>>
    where
        A: Future<Output = Result<T, E>>,
    {
        Compose::new(MapErr::new(self.future, f))
    }

    /// Runs a second future, which `f` makes of the value; an error ends the chain.
    pub fn and_then<T, E, U, I, F: FnOnce(T) -> I>(
        self,
        f: F,
    ) -> Compose<AndThen<A, I::IntoFuture, F>>
    where
        A: Future<Output = Result<T, E>>,
        I: IntoFuture<Output = Result<U, E>>,
    {
        Compose::new(AndThen::new(self.future, f))
    }

    /// Runs a second future, which `f` makes of the error; a value ends the chain.
    pub fn or_else<T, E, G, I, F: FnOnce(E) -> I>(
        self,
        f: F,
    ) -> Compose<OrElse<A, I::IntoFuture, F>>
    where
        A: Future<Output = Result<T, E>>,
        I: IntoFuture<Output = Result<T, G>>,
    {
        Compose::new(OrElse::new(self.future, f))
    }

    /// Shows the output to `f` and passes it on.
    pub fn inspect<F: FnOnce(&A::Output)>(self, f: F) -> Compose<Inspect<A, F>> {
        Compose::new(Inspect::new(self.future, f))
    }

    /// Stays pending when it is polled after it was ready.
    pub fn fuse(self) -> Compose<Fuse<A>> {
        Compose::new(Fuse::new(self.future))
    }

    /// Catches a panic of the future, which is the error then; the future is dropped.
    #[cfg(feature = "std")]
    pub fn catch_unwind(self) -> Compose<CatchUnwind<A>>
    where
        A: UnwindSafe,
    {
        Compose::new(CatchUnwind::new(self.future))
    }

    /// Moves the future to the heap and forgets its type.
    #[cfg(feature = "alloc")]
    pub fn boxed<'a>(self) -> BoxFuture<'a, A::Output>
    where
        A: Send + 'a,
    {
        Box::pin(self.future)
    }

    /// As [`boxed`](Self::boxed), for futures that stay on their thread.
    #[cfg(feature = "alloc")]
    pub fn boxed_local<'a>(self) -> LocalBoxFuture<'a, A::Output>
    where
        A: 'a,
    {
        Box::pin(self.future)
    }
}

impl<A: Future> Future for Compose<A> {
    type Output = A::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        self.project().future.poll(cx)
    }
}

impl<A: fmt::Debug> fmt::Debug for Compose<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.future.fmt(f)
    }
}

/// The combinators of one future, as methods of every future.
///
/// They are those of [`Compose`], which they return.
#[doc(alias("isFuture", "PollResult"))]
pub trait FutureExt: Future + Sized {
    /// Applies `f` to the output.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let doubled = ready(21).map(|n| n * 2);
    /// assert_eq!(futures::executor::block_on(doubled), 42);
    /// ```
    fn map<U, F: FnOnce(Self::Output) -> U>(self, f: F) -> Compose<Map<Self, F>> {
        Compose::new(self).map(f)
    }

    /// Runs a second future, which `f` makes of the output.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let next = ready(1).then(|n| ready(n + 1));
    /// assert_eq!(futures::executor::block_on(next), 2);
    /// ```
    #[doc(alias = "andThen")]
    fn then<I: IntoFuture, F: FnOnce(Self::Output) -> I>(
        self,
        f: F,
    ) -> Compose<Then<Self, I::IntoFuture, F>> {
        Compose::new(self).then(f)
    }

    /// Applies `f` to the value of an `Ok`.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let length = ready(Ok::<_, ()>("four")).map_ok(str::len);
    /// assert_eq!(futures::executor::block_on(length), Ok(4));
    /// ```
    fn map_ok<T, E, U, F: FnOnce(T) -> U>(self, f: F) -> Compose<MapOk<Self, F>>
    where
        Self: Future<Output = Result<T, E>>,
    {
        Compose::new(self).map_ok(f)
    }

    /// Applies `f` to the error of an `Err`.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let failed = ready(Err::<(), _>(404)).map_err(|code| format!("error {code}"));
    /// assert_eq!(futures::executor::block_on(failed).unwrap_err(), "error 404");
    /// ```
    fn map_err<T, E, U, F: FnOnce(E) -> U>(self, f: F) -> Compose<MapErr<Self, F>>
    where
        Self: Future<Output = Result<T, E>>,
    {
        Compose::new(self).map_err(f)
    }

    /// Runs a second future, which `f` makes of the value; an error ends the chain.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let parsed = ready(Ok("7")).and_then(|text| ready(text.parse::<u8>()));
    /// assert_eq!(futures::executor::block_on(parsed), Ok(7));
    /// ```
    #[doc(alias = "andThen")]
    fn and_then<T, E, U, I, F: FnOnce(T) -> I>(
        self,
        f: F,
    ) -> Compose<AndThen<Self, I::IntoFuture, F>>
    where
        Self: Future<Output = Result<T, E>>,
        I: IntoFuture<Output = Result<U, E>>,
    {
        Compose::new(self).and_then(f)
    }

    /// Runs a second future, which `f` makes of the error; a value ends the chain.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let mirrored = ready(Err("down")).or_else(|_| ready(Ok::<_, ()>("page")));
    /// assert_eq!(futures::executor::block_on(mirrored), Ok("page"));
    /// ```
    fn or_else<T, E, G, I, F: FnOnce(E) -> I>(self, f: F) -> Compose<OrElse<Self, I::IntoFuture, F>>
    where
        Self: Future<Output = Result<T, E>>,
        I: IntoFuture<Output = Result<T, G>>,
    {
        Compose::new(self).or_else(f)
    }

    /// Shows the output to `f` and passes it on.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let seen = ready(7).inspect(|n| println!("it is {n}"));
    /// assert_eq!(futures::executor::block_on(seen), 7);
    /// ```
    fn inspect<F: FnOnce(&Self::Output)>(self, f: F) -> Compose<Inspect<Self, F>> {
        Compose::new(self).inspect(f)
    }

    /// Stays pending when it is polled after it was ready.
    ///
    /// ```
    /// # use core::future::ready;
    /// use core::task::{Context, Poll, Waker};
    /// use volt_combinators::FutureExt;
    ///
    /// let mut fused = core::pin::pin!(ready(7).fuse());
    /// let mut cx = Context::from_waker(Waker::noop());
    /// assert_eq!(fused.as_mut().poll(&mut cx), Poll::Ready(7));
    /// assert!(fused.poll(&mut cx).is_pending());
    /// ```
    fn fuse(self) -> Compose<Fuse<Self>> {
        Compose::new(self).fuse()
    }

    /// Catches a panic of the future, which is the error then; the future is dropped.
    ///
    /// ```
    /// use volt_combinators::FutureExt;
    ///
    /// let caught = async { panic!("bad page") }.map(|()| 1).catch_unwind();
    /// assert!(futures::executor::block_on(caught).is_err());
    /// ```
    #[cfg(feature = "std")]
    fn catch_unwind(self) -> Compose<CatchUnwind<Self>>
    where
        Self: UnwindSafe,
    {
        Compose::new(self).catch_unwind()
    }

    /// Moves the future to the heap and forgets its type.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::{BoxFuture, FutureExt};
    ///
    /// let mut any: Vec<BoxFuture<'_, u8>> = vec![ready(1).boxed(), async { 2 }.boxed()];
    /// assert_eq!(futures::executor::block_on(any.remove(1)), 2);
    /// ```
    #[cfg(feature = "alloc")]
    fn boxed<'a>(self) -> BoxFuture<'a, Self::Output>
    where
        Self: Send + 'a,
    {
        Box::pin(self)
    }

    /// As [`boxed`](Self::boxed), for futures that stay on their thread.
    ///
    /// ```
    /// # use core::future::ready;
    /// use std::rc::Rc;
    /// use volt_combinators::{FutureExt, LocalBoxFuture};
    ///
    /// let local: LocalBoxFuture<'_, Rc<u8>> = ready(Rc::new(7)).boxed_local();
    /// assert_eq!(*futures::executor::block_on(local), 7);
    /// ```
    #[cfg(feature = "alloc")]
    fn boxed_local<'a>(self) -> LocalBoxFuture<'a, Self::Output>
    where
        Self: 'a,
    {
        Box::pin(self)
    }
}

impl<A: Future> FutureExt for A {}
