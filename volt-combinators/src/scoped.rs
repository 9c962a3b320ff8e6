//! The output of a child of a scope.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use atomic_waker::AtomicWaker;
use concurrent_queue::{ConcurrentQueue, PopError};

use crate::loom::sync::Arc;
use volt_inspect::{Inspector, Node, Wait, register_unpin, registrable};

/// The place of a child's output.
struct OutputSlot<T> {
    /// Closed when the child is dropped.
    output: ConcurrentQueue<T>,
    waker: AtomicWaker,
}

/// Creates a slot, and returns its end for the child and its end for the waiting task.
pub(crate) fn output_slot<T>() -> (OutputSender<T>, Scoped<T>) {
    let slot = Arc::new(OutputSlot {
        output: ConcurrentQueue::bounded(1),
        waker: AtomicWaker::new(),
    });
    register_unpin::<Scoped<T>>();
    let scoped = Scoped {
        slot: slot.clone(),
        is_taken: false,
    };
    (OutputSender(slot), scoped)
}

/// The child's end of a slot. Its drop wakes the waiting task.
pub(crate) struct OutputSender<T>(Arc<OutputSlot<T>>);

impl<T> OutputSender<T> {
    pub(crate) fn send(self, output: T) {
        // The queue has room, because a child completes once.
        _ = self.0.output.push(output);
    }
}

impl<T> Drop for OutputSender<T> {
    fn drop(&mut self) {
        self.0.output.close();
        self.0.waker.wake();
    }
}

/// The output of a child of a [`scope`](fn@crate::scope). Made by
/// [`Scope::spawn`](crate::Scope::spawn).
///
/// Dropping it does not cancel the child, whose output is then dropped.
///
/// # Panics
///
/// Panics if it is polled after completion, or after the child was dropped before it completed:
/// because it panicked, or together with the scope.
pub struct Scoped<T> {
    slot: Arc<OutputSlot<T>>,
    is_taken: bool,
}

// The output is moved out; it is never pinned.
impl<T> Unpin for Scoped<T> {}

impl<T> Scoped<T> {
    /// Returns `true` if it has returned the output.
    pub fn is_terminated(&self) -> bool {
        self.is_taken
    }

    fn take(&mut self) -> Poll<T> {
        assert!(!self.is_taken, "`Scoped` polled after completion");
        match self.slot.output.pop() {
            Ok(output) => {
                self.is_taken = true;
                self.release();
                Poll::Ready(output)
            }
            Err(PopError::Empty) => Poll::Pending,
            Err(PopError::Closed) => panic!("`Scoped` polled after its child was dropped"),
        }
    }
}

impl<T> Scoped<T> {
    /// Drops the waker of the waiting task.
    fn release(&self) {
        drop(self.slot.waker.take());
    }
}

impl<T> Drop for Scoped<T> {
    fn drop(&mut self) {
        self.release();
    }
}

impl<T> Future for Scoped<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        if let Poll::Ready(output) = self.take() {
            return Poll::Ready(output);
        }
        self.slot.waker.register(cx.waker());
        // The output may have been sent before the waker was registered.
        self.take()
    }
}

impl<T> volt_inspect::Inspect for Scoped<T> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Scoped"), |inspector| {
            inspector.waits(Wait::Other(&"a child of the scope"));
        });
    }
}

registrable!(Scoped<T>);

impl<T> fmt::Debug for Scoped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let output = &self.slot.output;
        let state = match (self.is_taken, output.is_empty(), output.is_closed()) {
            (true, _, _) => "Taken",
            (_, false, _) => "Done",
            (_, _, true) => "Gone",
            _ => "Waiting",
        };
        write!(f, "Scoped({state})")
    }
}
