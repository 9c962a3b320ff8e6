//! Futures that borrow, futures without a name, and macros that await: what other crates have.

use std::cell::{RefCell, RefMut};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::future::{Step, step};
use super::log::{event, quiet};
use super::value::{D, Look, d, look, touch};

/// A future that changes what it borrows at each poll.
#[derive(Debug)]
pub struct Lent<'a> {
    value: &'a mut D,
    step: Step<u32>,
}

/// Changes the value at each poll; gives its number.
pub fn lend(id: u32, value: &mut D) -> Lent<'_> {
    Lent {
        value,
        step: step(id, id),
    }
}

impl Future for Lent<'_> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        touch(self.value);
        let polled = Pin::new(&mut self.step).poll(cx);
        polled.map(|id| id ^ self.value.number())
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        quiet("unlent", self.value.number());
    }
}

/// A future of the compiler's that borrows.
pub async fn seen<T: Look + ?Sized>(id: u32, value: &T) -> u32 {
    look(value);
    step(id, ()).await;
    look(value);
    value.number()
}

/// A future of the compiler's that borrows two values.
pub async fn both<T: Look + ?Sized>(id: u32, first: &mut D, second: &T) -> u32 {
    touch(first);
    step(id, ()).await;
    look(second);
    first.number()
}

/// A value that is made of another one.
pub fn of(id: u32, value: &D) -> D {
    look(value);
    d(id)
}

/// A future of the compiler's that borrows, and gives a value back.
pub async fn beside<T>(id: u32, other: &D, value: T) -> T {
    step(id, ()).await;
    look(other);
    value
}

/// A future behind a pointer, which borrows.
pub fn boxed<'a, T: Look + ?Sized>(
    id: u32,
    value: &'a T,
) -> Pin<Box<dyn Future<Output = u32> + 'a>> {
    Box::pin(seen(id, value))
}

/// What becomes a future only when it is awaited.
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

/// A value behind a lock.
#[derive(Debug)]
pub struct Cellar(RefCell<D>);

/// The lock, while it is held.
#[derive(Debug)]
pub struct Key<'a>(RefMut<'a, D>);

/// A value behind a lock.
pub fn cellar(value: D) -> Cellar {
    Cellar(RefCell::new(value))
}

impl Cellar {
    /// Takes the lock, which nobody else has.
    ///
    /// # Panics
    ///
    /// When somebody has it.
    pub fn open(&self) -> Key<'_> {
        let value = self.0.borrow_mut();
        event("open", value.number());
        Key(value)
    }
}

impl std::ops::Deref for Key<'_> {
    type Target = D;

    fn deref(&self) -> &D {
        &self.0
    }
}

impl std::ops::DerefMut for Key<'_> {
    fn deref_mut(&mut self) -> &mut D {
        &mut self.0
    }
}

impl Drop for Key<'_> {
    fn drop(&mut self) {
        quiet("close", self.0.number());
    }
}

/// A trait whose method is a future without a name.
pub trait Visit {
    /// Looks, waits, and looks again.
    fn visit(&self, id: u32) -> impl Future<Output = u32>;
}

impl Visit for D {
    async fn visit(&self, id: u32) -> u32 {
        seen(id, self).await
    }
}

/// Which of two futures was ready first.
#[derive(Debug)]
pub enum First<A, B> {
    /// The first.
    One(A),
    /// The second.
    Other(B),
}

/// Awaits two futures side by side.
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
            match first.is_some() && second.is_some() {
                true => ::std::task::Poll::Ready(()),
                false => ::std::task::Poll::Pending,
            }
        })
        .await;
        (first.expect("ready"), second.expect("ready"))
    }};
}

/// The output of a future, if it is ready.
pub fn ready<F: Future>(future: Pin<&mut F>, cx: &mut Context<'_>) -> Option<F::Output> {
    match future.poll(cx) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Awaits two futures until one is ready, and goes on with its branch.
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

/// Twice the same tokens: an expression that is evaluated twice.
#[macro_export]
macro_rules! twice {
    ($it:expr) => {
        u32::wrapping_mul($it, 2) ^ $it
    };
}

/// Leaves the function, which the word at the call does not say.
#[macro_export]
macro_rules! throw {
    ($it:expr) => {
        return $it
    };
}
