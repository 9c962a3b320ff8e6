//! The futures that wait for a descriptor without using it.

use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::driver::{Direction, Ready, Registration, Waiting};
use crate::machine::{Leaf, LeafCall};

/// What a driver watches.
///
/// It cannot be named outside of this crate, and so nobody else implements it.
#[expect(private_interfaces, reason = "nobody else calls or implements it")]
pub trait Registers {
    /// Its entry in the driver.
    fn registration(&self) -> &Registration;
}

/// Declares the future that waits for one half.
macro_rules! waits {
    ($(#[$attribute:meta])* $Future:ident, $Call:ident, $direction:ident) => {
        $(#[$attribute])*
        #[derive(Debug)]
        #[must_use = "futures do nothing unless polled"]
        pub struct $Future<'a> {
            registration: &'a Registration,
            waiting: Waiting,
        }

        impl<'a> $Future<'a> {
            pub(crate) fn new(registers: &'a impl Registers) -> Self {
                Self {
                    registration: registers.registration(),
                    waiting: Waiting::new(Direction::$direction),
                }
            }

            #[doc(hidden)]
            pub fn into_machine<T: Registers>(self) -> Leaf<$Call<T>> {
                Leaf::new($Call {
                    waiting: self.waiting,
                    of: PhantomData,
                })
            }
        }

        impl Future for $Future<'_> {
            type Output = io::Result<()>;

            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let registration = self.registration;
                let ready = self.waiting.poll_ready(registration, cx.waker());
                ready.map(Ready::check)
            }
        }

        /// What is left of it without what it is lent.
        #[derive(Debug)]
        pub struct $Call<T> {
            waiting: Waiting,
            of: PhantomData<fn(&T)>,
        }

        impl<T: Registers> LeafCall for $Call<T> {
            type Lent<'a> = (&'a T,) where Self: 'a;
            type Output = io::Result<()>;

            fn poll(&mut self, cx: &mut Context<'_>, (it,): (&T,)) -> Poll<Self::Output> {
                let ready = self.waiting.poll_ready(it.registration(), cx.waker());
                ready.map(Ready::check)
            }
        }
    };
}

waits!(
    /// The future of `readable` on a descriptor or socket.
    Readable,
    ReadableCall,
    Read
);
waits!(
    /// The future of `writable` on a descriptor or socket.
    Writable,
    WritableCall,
    Write
);
