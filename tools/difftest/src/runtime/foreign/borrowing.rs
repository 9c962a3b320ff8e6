//! Code as of other crates: futures that borrow, unnamed futures, and macros that await.

use std::cell::{RefCell, RefMut};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::super::future::{Step, step};
use super::super::log::{event, quiet};
use super::super::value::{DropLogger, Look, d, look, touch};

/// A future that changes what it borrows at each poll.
#[derive(Debug)]
pub struct BorrowingFuture<'a> {
    value: &'a mut DropLogger,
    step: Step<u32>,
}

/// Changes the value at each poll; returns its number.
pub fn lend(id: u32, value: &mut DropLogger) -> BorrowingFuture<'_> {
    BorrowingFuture {
        value,
        step: step(id, id),
    }
}

impl Future for BorrowingFuture<'_> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        touch(self.value);
        let polled = Pin::new(&mut self.step).poll(cx);
        polled.map(|id| id ^ self.value.number())
    }
}

impl Drop for BorrowingFuture<'_> {
    fn drop(&mut self) {
        quiet("unlent", self.value.number());
    }
}

/// A future of an `async fn` that borrows.
pub async fn seen<T: Look + ?Sized>(id: u32, value: &T) -> u32 {
    look(value);
    step(id, ()).await;
    look(value);
    value.number()
}

/// A future of an `async fn` that borrows two values.
pub async fn both<T: Look + ?Sized>(id: u32, first: &mut DropLogger, second: &T) -> u32 {
    touch(first);
    step(id, ()).await;
    look(second);
    first.number()
}

/// Returns a value that is created from another one.
pub fn of(id: u32, value: &DropLogger) -> DropLogger {
    look(value);
    d(id)
}

/// A future of an `async fn` that borrows, and returns a value.
pub async fn beside<T>(id: u32, other: &DropLogger, value: T) -> T {
    step(id, ()).await;
    look(other);
    value
}

/// Returns a boxed future that borrows.
pub fn boxed<'a, T: Look + ?Sized>(
    id: u32,
    value: &'a T,
) -> Pin<Box<dyn Future<Output = u32> + 'a>> {
    Box::pin(seen(id, value))
}

/// A value that is converted to a future by `.await`.
#[derive(Debug)]
pub struct Request(pub u32);

impl IntoFuture for Request {
    type Output = u32;
    type IntoFuture = Step<u32>;

    fn into_future(self) -> Step<u32> {
        event("request", self.0);
        step(self.0, self.0)
    }
}

/// A value in a `RefCell`.
#[derive(Debug)]
pub struct ForeignOwner(RefCell<DropLogger>);

/// The guard of a borrowed `RefCell`.
#[derive(Debug)]
pub struct ForeignGuard<'a>(RefMut<'a, DropLogger>);

/// Returns a value in a `RefCell`.
pub fn foreign_owner(value: DropLogger) -> ForeignOwner {
    ForeignOwner(RefCell::new(value))
}

impl ForeignOwner {
    /// Borrows the value.
    ///
    /// # Panics
    ///
    /// Panics if the value is already borrowed.
    pub fn open(&self) -> ForeignGuard<'_> {
        let value = self.0.borrow_mut();
        event("open", value.number());
        ForeignGuard(value)
    }

    /// Borrows the value, as [`open`](Self::open), although most methods of this name do not.
    #[allow(
        clippy::should_implement_trait,
        reason = "the name is not that of the trait's method"
    )]
    pub fn clone(&self) -> ForeignGuard<'_> {
        self.open()
    }

    /// Borrows the value, as [`open`](Self::open), although most methods of this name do not.
    pub fn to_owned(&self) -> ForeignGuard<'_> {
        self.open()
    }

    /// Returns a future that borrows, although most methods of this name return a number.
    #[allow(clippy::len_without_is_empty, reason = "it is no length")]
    pub async fn len(&self) -> u32 {
        step(1, ()).await;
        self.open().number()
    }
}

impl std::ops::Deref for ForeignGuard<'_> {
    type Target = DropLogger;

    fn deref(&self) -> &DropLogger {
        &self.0
    }
}

impl std::ops::DerefMut for ForeignGuard<'_> {
    fn deref_mut(&mut self) -> &mut DropLogger {
        &mut self.0
    }
}

impl Drop for ForeignGuard<'_> {
    fn drop(&mut self) {
        quiet("close", self.0.number());
    }
}

/// A trait whose method is a future without a name.
pub trait Visit {
    /// Looks, waits, and looks again.
    fn visit(&self, id: u32) -> impl Future<Output = u32>;
}

impl Visit for DropLogger {
    async fn visit(&self, id: u32) -> u32 {
        seen(id, self).await
    }
}

/// The first of two futures to be ready.
#[derive(Debug)]
pub enum First<A, B> {
    /// The first.
    One(A),
    /// The second.
    Other(B),
}

/// Awaits two futures concurrently.
#[macro_export]
macro_rules! join {
    ($one:expr, $other:expr $(,)?) => {{
        let mut one = ::std::pin::pin!($one);
        let mut other = ::std::pin::pin!($other);
        let (mut first, mut second) = (None, None);
        ::std::future::poll_fn(|cx| {
            if first.is_none() {
                first = $crate::ready(one.as_mut(), cx);
            }
            if second.is_none() {
                second = $crate::ready(other.as_mut(), cx);
            }
            if first.is_some() && second.is_some() {
                ::std::task::Poll::Ready(())
            } else {
                ::std::task::Poll::Pending
            }
        })
        .await;
        (first.expect("ready"), second.expect("ready"))
    }};
}

/// Returns the output of a future, if it is ready.
pub fn ready<F: Future>(future: Pin<&mut F>, cx: &mut Context<'_>) -> Option<F::Output> {
    match future.poll(cx) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Awaits two futures until one is ready, and runs its branch.
#[macro_export]
macro_rules! select {
    ($a:pat = $one:expr => $first:expr, $b:pat = $other:expr => $second:expr $(,)?) => {{
        let first = {
            let mut one = ::std::pin::pin!($one);
            let mut other = ::std::pin::pin!($other);
            ::std::future::poll_fn(|cx| {
                if let ::std::task::Poll::Ready(it) = ::std::future::Future::poll(one.as_mut(), cx)
                {
                    return ::std::task::Poll::Ready($crate::First::One(it));
                }
                ::std::future::Future::poll(other.as_mut(), cx).map($crate::First::Other)
            })
            .await
        };
        match first {
            $crate::First::One($a) => $first,
            $crate::First::Other($b) => $second,
        }
    }};
}

/// Evaluates an expression twice.
#[macro_export]
macro_rules! twice {
    ($it:expr) => {
        u32::wrapping_mul($it, 2) ^ $it
    };
}

/// Returns from the function, which is not visible at the call.
#[macro_export]
macro_rules! throw {
    ($it:expr) => {
        return $it
    };
}
