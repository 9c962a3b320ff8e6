//! Code as of other crates, whose meaning the macro cannot read from its words: helpers that box
//! futures, and macros that capture.

use std::any::type_name;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Moves a future to the heap.
pub fn heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

/// Moves a future to the heap, and hides its type.
pub fn erased<'a, T>(
    future: impl Future<Output = T> + 'a,
) -> Pin<Box<dyn Future<Output = T> + 'a>> {
    Box::pin(future)
}

/// Futures that are polled one after the other.
#[derive(Debug)]
pub struct All<F>(Vec<Pin<Box<F>>>);

/// Awaits all futures, in their order, and drops their outputs.
pub fn all<F: Future>(futures: impl IntoIterator<Item = F>) -> All<F> {
    All(futures.into_iter().map(Box::pin).collect())
}

impl<F: Future> Future for All<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(first) = self.0.first_mut() {
            if first.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            drop(self.0.remove(0));
        }
        Poll::Ready(())
    }
}

/// Returns the last name in the path of a function.
pub fn last_name<T>(_: &T) -> &'static str {
    let path = type_name::<T>();
    path.rsplit("::").next().unwrap_or(path)
}

/// Returns the length of a formatted text.
#[macro_export]
macro_rules! said {
    ($($text:tt)*) => {
        format!($($text)*).len() as u32
    };
}

/// The same, of a text that is a literal.
#[macro_export]
macro_rules! said_text {
    ($text:literal $(, $argument:expr)*) => {
        format!($text $(, $argument)*).len() as u32
    };
}

/// Binds a value to a name.
#[macro_export]
macro_rules! bound {
    ($value:tt, |$name:ident| $body:expr) => {{
        let $name = &$value;
        $body
    }};
}

/// Reads a field.
#[macro_export]
macro_rules! fields {
    ($value:ident, $field:ident) => {
        $value.$field
    };
}
