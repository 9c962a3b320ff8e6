//! One child's place: its future, then its output, then nothing.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

#[cfg(feature = "alloc")]
use crate::abort::abort;

pin_project! {
    /// One child's place: its future, then its output, then nothing.
    ///
    /// Both lie in the same bytes. The future is dropped in place when it completes. There are two
    /// variants, so that one value that a future cannot have tells them apart: a place is no larger
    /// than its future then, and a `Vec` of futures becomes one of places where it lies.
    #[project = Place]
    pub enum Slot<F: Future> {
        #[doc(hidden)]
        Live {
            #[pin]
            future: F,
        },
        #[doc(hidden)]
        Over { output: Option<F::Output> },
    }
}

/// What became of a child that had its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum Turn {
    /// It waits.
    Pending,
    /// It completed now, and its output lies in the slot.
    Completed,
    /// It was over before.
    Over,
}

impl<F: Future> Slot<F> {
    #[inline]
    pub(super) fn new(future: F) -> Self {
        Self::Live { future }
    }

    /// Polls a live child. If it panics, or its destructor does, the slot is gone.
    #[inline]
    pub(super) fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Turn {
        let mut bomb = Bomb(self);
        let turn = match bomb.0.as_mut().project() {
            Place::Live { future } => match future.poll(cx) {
                Poll::Pending => Turn::Pending,
                Poll::Ready(output) => {
                    bomb.0.set(Self::Over {
                        output: Some(output),
                    });
                    Turn::Completed
                }
            },
            _ => Turn::Over,
        };
        mem::forget(bomb);
        turn
    }

    /// The output of a child that completed; leaves nothing.
    #[inline]
    pub(super) fn take(self: Pin<&mut Self>) -> Option<F::Output> {
        match self.project() {
            Place::Over { output } => output.take(),
            Place::Live { .. } => None,
        }
    }

    /// Drops what is there.
    #[inline]
    pub(super) fn clear(mut self: Pin<&mut Self>) {
        self.set(Self::Over { output: None });
    }

    pub(super) fn state(&self) -> &'static str {
        match self {
            Self::Live { .. } => "Live",
            Self::Over { output: Some(_) } => "Done",
            Self::Over { output: None } => "Gone",
        }
    }

    #[inline]
    pub(super) fn output(&self) -> Option<&F::Output> {
        match self {
            Self::Over { output } => output.as_ref(),
            Self::Live { .. } => None,
        }
    }

    /// The output of a child that completed.
    ///
    /// Ends the program if there is none, without unwinding.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn into_output(self) -> F::Output {
        match self {
            Self::Over {
                output: Some(output),
            } => output,
            other => {
                mem::forget(other);
                abort("a row is emptied whose children have not all completed")
            }
        }
    }
}

/// Empties the slot when a panic passes by.
struct Bomb<'a, F: Future>(Pin<&'a mut Slot<F>>);

impl<F: Future> Drop for Bomb<'_, F> {
    fn drop(&mut self) {
        self.0.as_mut().clear();
    }
}

impl<F: Future> fmt::Debug for Slot<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.state())
    }
}
