//! `inspected`: a wrapper that shows a future in dumps.

use super::erased_future::ErasedFuture;
use super::inspection_map::InspectionEntry;
use crate::task::current_task;
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Shows a state machine in the dumps of the task that polls it, even if it is in a box or behind
/// types of another crate.
///
/// A [dump](crate::Handle::dump) follows the awaits of a task from machine to machine. A web
/// framework boxes the future of a handler, so the dump does not reach it. The returned future
/// registers itself with its task when it first waits, and
/// [`TaskInfo::within`](crate::task::TaskInfo::within) contains its states. This costs two locks
/// for a future that waits, and nothing for others. A future that is not a machine is not shown.
///
/// # Cancel safety
///
/// The same as that of `future`.
///
/// # Examples
///
/// ```
/// use volt::task::{inspected, yield_now};
///
/// #[volt::state_machine]
/// async fn handler(name: String) -> usize {
///     yield_now().await;
///     name.len()
/// }
///
/// let boxed: std::pin::Pin<Box<dyn Future<Output = usize> + Send>> =
///     Box::pin(inspected(handler("page".to_owned())));
/// assert_eq!(volt::block_on(boxed), 4);
/// ```
pub fn inspected<F: Future + Send + 'static>(future: F) -> Inspected<F> {
    Inspected {
        future,
        entry: None,
    }
}

pin_project! {
    /// The future of [`inspected`].
    #[must_use = "futures do nothing unless they are polled"]
    #[derive(Debug)]
    pub struct Inspected<F> {
        #[pin]
        future: F,
        // `Some` while the future waits in a task.
        entry: Option<InspectionEntry>,
    }

    impl<F> PinnedDrop for Inspected<F> {
        fn drop(this: Pin<&mut Self>) {
            *this.project().entry = None;
        }
    }
}

impl<F: Future + Send + 'static> Future for Inspected<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let task = current_task::address();
        let is_elsewhere = |entry: &InspectionEntry| Some(entry.task()) != task;
        if this.entry.as_ref().is_some_and(is_elsewhere) {
            *this.entry = None;
        }
        let polled = this.future.as_mut().poll(cx);
        if polled.is_ready() {
            *this.entry = None;
        } else if this.entry.is_none()
            && let Some(task) = task
        {
            let future = ErasedFuture::new(this.future);
            // SAFETY: The future is pinned. Its drop, and a poll by another task, first drop the
            // entry.
            *this.entry = Some(unsafe { InspectionEntry::new(task, future) });
        }
        polled
    }
}
