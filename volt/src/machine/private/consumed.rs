//! The proof that a method takes the value that it is called on.
//!
//! In `send(Request::builder().build()).await` the builder is moved if `build` takes it, and lives through
//! the await if `build` does but look. No type tells which. But a coroutine does, which keeps no more
//! than what it has to drop:
//!
//! ```text
//! send(consumed(Request::builder(), |it| it.left(), |it| async move {
//!     let mut value = it.value();
//!     { let _ = value.build(); }
//!     Bare.await
//! }).build()).await
//! ```
//!
//! Neither the closure nor what it gives is ever run. What is left of the value stands beside the one
//! byte that says where the coroutine stands, so if there is no more than that byte, nothing is left.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::lasting::{Answer, Like, NOT_BOUND};

/// Gives back `value`, with the proof that what is done to it takes it, or that nobody can tell.
///
/// The call has the span of the method.
#[inline(always)]
pub fn consumed<T, A: Answer, F: Future>(
    value: T,
    _: impl FnOnce(Like<T>) -> A,
    _: impl FnOnce(Like<T>) -> F,
) -> T {
    const {
        let is_gone = size_of::<T>() > 0 && size_of::<F>() == 1;
        assert!(A::GOES || is_gone, "{}", NOT_BOUND);
    }
    value
}

impl<T> Like<T> {
    /// A value that there never is.
    #[must_use]
    pub fn value(&self) -> T {
        unreachable!("a proof is not run")
    }
}

/// A future that takes no room.
#[derive(Debug)]
pub struct Bare;

impl Future for Bare {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Builder(u8);

    impl Drop for Builder {
        fn drop(&mut self) {}
    }

    impl Builder {
        fn build(self) -> u8 {
            self.0
        }

        fn look(&self) -> u8 {
            self.0
        }

        fn change(&mut self) -> &mut Self {
            self
        }
    }

    /// How large a coroutine is that is like this one.
    const fn size<F: Future>(_: &impl FnOnce(Like<Builder>) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn coroutine_is_a_byte_if_the_value_is_taken() {
        assert_eq!(
            consumed(
                Builder(7),
                |it| it.left(),
                |it| async move {
                    let value = it.value();
                    {
                        let _ = value.build();
                    }
                    Bare.await;
                }
            )
            .build(),
            7
        );
    }

    #[test]
    fn coroutine_is_larger_if_the_value_stays() {
        let looks = |it: Like<Builder>| async move {
            let value = it.value();
            {
                let _ = value.look();
            }
            Bare.await;
        };
        let changes = |it: Like<Builder>| async move {
            let mut value = it.value();
            {
                let _ = value.change();
            }
            Bare.await;
        };
        assert!(size(&looks) > 1 && size(&changes) > 1);
    }
}
