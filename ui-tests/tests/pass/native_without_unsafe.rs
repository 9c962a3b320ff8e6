//! A crate that forbids `unsafe` and asks for documentation may have native machines.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations)]

use std::cell::RefCell;
use std::future::ready;

/// What ends the body borrows an argument.
#[volt::state_machine(native)]
pub async fn tail(cell: RefCell<u32>) -> u32 {
    ready(()).await;
    *cell.borrow()
}

/// A value that is borrowed while the body awaits.
#[volt::state_machine]
pub async fn scrutinee(cell: &RefCell<Option<u32>>) -> u32 {
    match *cell.borrow() {
        Some(number) => ready(number).await,
        None => 0,
    }
}

/// A future of any type.
#[volt::state_machine]
pub async fn generic<F: Future>(future: F) -> F::Output {
    async { future.await }.await
}

/// A type with a parameter.
#[derive(Debug)]
pub struct Conn<'a, T: ?Sized>(&'a T);

#[volt::state_machine]
impl<'a, T: ?Sized + AsRef<str>> Conn<'a, T> {
    /// A method that keeps a borrowing iterator.
    ///
    /// # Errors
    ///
    /// None.
    pub async fn read(&mut self, bytes: &[u8]) -> Result<usize, std::fmt::Error> {
        for byte in bytes.iter() {
            ready(byte).await;
        }
        Ok(self.0.as_ref().len())
    }
}

macro_rules! make {
    ($name:ident, $subtracted:expr) => {
        /// A fragment keeps its grouping.
        #[volt::state_machine(native)]
        pub async fn $name(number: i32) -> i32 {
            ready(()).await;
            100 - $subtracted + number
        }
    };
}

make!(in_macro, 30 + 1);

fn main() {
    let run = |number| {
        let mut machine = Box::pin(in_macro(number));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        machine.as_mut().poll(&mut cx)
    };
    assert_eq!(run(0), std::task::Poll::Ready(69));
}
