//! The memory of one child: its future, then its output, then nothing.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, Status};

#[cfg(feature = "alloc")]
use crate::abort::abort;

pin_project! {
    /// The memory of one child: its future, then its output, then nothing.
    ///
    /// Future and output use the same bytes. The future is dropped in place when it completes. The
    /// type has two variants, so that a niche of the future can distinguish them. A slot is then as
    /// large as its future, and a `Vec` of futures becomes one of slots in the same allocation.
    #[project = SlotProjection]
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

/// The result of polling a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum ChildPoll {
    /// The child is pending.
    Pending,
    /// The child has just completed, and its output is in the slot.
    Completed,
    /// The child had completed before, or panicked.
    NotLive,
}

impl<F: Future> Slot<F> {
    #[inline]
    pub(super) fn new(future: F) -> Self {
        Self::Live { future }
    }

    /// Polls a live child. If the child or its destructor panics, the slot becomes empty.
    #[inline]
    pub(super) fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> ChildPoll {
        let mut guard = EmptyOnPanic(self);
        let polled = match guard.0.as_mut().project() {
            SlotProjection::Live { future } => match future.poll(cx) {
                Poll::Pending => ChildPoll::Pending,
                Poll::Ready(output) => {
                    guard.0.set(Self::Over {
                        output: Some(output),
                    });
                    ChildPoll::Completed
                }
            },
            _ => ChildPoll::NotLive,
        };
        mem::forget(guard);
        polled
    }

    /// Takes the output of a completed child.
    #[inline]
    pub(super) fn take(self: Pin<&mut Self>) -> Option<F::Output> {
        match self.project() {
            SlotProjection::Over { output } => output.take(),
            SlotProjection::Live { .. } => None,
        }
    }

    /// Drops the future or the output.
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

    /// Reports the future, or its end.
    pub(super) fn inspect(
        self: Pin<&mut Self>,
        child: usize,
        status: Status,
        inspector: &mut Inspector<'_>,
    ) {
        match self.project() {
            SlotProjection::Live { future } => inspector.child(child, status, future),
            SlotProjection::Over { output: Some(_) } => inspector.ended_child(child, Status::Done),
            SlotProjection::Over { output: None } => inspector.ended_child(child, Status::Gone),
        }
    }

    #[inline]
    pub(super) fn output(&self) -> Option<&F::Output> {
        match self {
            Self::Over { output } => output.as_ref(),
            Self::Live { .. } => None,
        }
    }

    /// Returns the output of a completed child.
    ///
    /// Aborts the program if there is none, without unwinding.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn into_output(self) -> F::Output {
        match self {
            Self::Over {
                output: Some(output),
            } => output,
            other => {
                mem::forget(other);
                abort("outputs were taken before all children had completed")
            }
        }
    }
}

/// Empties the slot during a panic.
struct EmptyOnPanic<'a, F: Future>(Pin<&'a mut Slot<F>>);

impl<F: Future> Drop for EmptyOnPanic<'_, F> {
    fn drop(&mut self) {
        self.0.as_mut().clear();
    }
}

impl<F: Future> fmt::Debug for Slot<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.state())
    }
}
