//! `FutureExt`: the combinators of one future as methods.

use core::future::{Future, IntoFuture};
#[cfg(feature = "std")]
use std::panic::UnwindSafe;

#[cfg(feature = "std")]
use crate::single::CatchUnwind;
use crate::single::{AndThen, Compose, Fuse, Inspect, Map, MapErr, MapOk, OrElse, Then};
#[cfg(feature = "alloc")]
use crate::single::{BoxFuture, LocalBoxFuture};

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
        Compose::unregistered(self).map(f)
    }

    /// Runs a second future, which `f` creates from the output.
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
        Compose::unregistered(self).then(f)
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
        Compose::unregistered(self).map_ok(f)
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
        Compose::unregistered(self).map_err(f)
    }

    /// Runs a second future, which `f` creates from the value. An error ends the chain.
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
        Compose::unregistered(self).and_then(f)
    }

    /// Runs a second future, which `f` creates from the error. A value ends the chain.
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
        Compose::unregistered(self).or_else(f)
    }

    /// Calls `f` with a reference to the output, and returns the output.
    ///
    /// ```
    /// # use core::future::ready;
    /// use volt_combinators::FutureExt;
    ///
    /// let seen = ready(7).inspect(|n| println!("it is {n}"));
    /// assert_eq!(futures::executor::block_on(seen), 7);
    /// ```
    fn inspect<F: FnOnce(&Self::Output)>(self, f: F) -> Compose<Inspect<Self, F>> {
        Compose::unregistered(self).inspect(f)
    }

    /// Returns a future that stays pending when it is polled after completion.
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
        Compose::unregistered(self).fuse()
    }

    /// Catches a panic of the future, and returns it as the error. The future is dropped.
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
        Compose::unregistered(self).catch_unwind()
    }

    /// Moves the future to the heap, and erases its type.
    ///
    /// An inspection continues in the boxed future. The box coerces to a `Pin<Box<dyn Future>>`, in
    /// which an inspection ends.
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
        Compose::unregistered(self).boxed()
    }

    /// Moves a future that need not be `Send` to the heap, and erases its type.
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
        Compose::unregistered(self).boxed_local()
    }
}

impl<A: Future> FutureExt for A {}
