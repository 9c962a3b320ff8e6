//! The inspection of a group: its futures, and the poll of all of them.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use volt_inspect::{Inspector, Node, Status, registrable};

use super::future_group::{FutureGroup, FutureId, NextFuture};

impl<F: Future> FutureGroup<F> {
    /// Polls each started future with the waker of the task, which shows it to the runtime, and
    /// again with its own waker. Returns the first output.
    ///
    /// It follows a round of an ordinary poll without an output. Does nothing if futures are left
    /// that can start.
    #[cold]
    #[inline(never)]
    pub(super) fn poll_all_to_inspect(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Option<(FutureId, F::Output)> {
        let can_start = self.places.has_unstarted() && self.places.running() < self.limit;
        let set = self.set.as_mut().filter(|_| !can_start)?;
        set.take_all(cx.waker());
        let started = self.places.started();
        for (nth, place) in started.iter().enumerate() {
            // The drop of the last waker of the futures would wake the task.
            let own = Waker::clone(&set.waker(*place as usize));
            let mut polled = self.places.poll(*place, false, cx);
            if let Some(Poll::Pending) = polled {
                polled = self
                    .places
                    .poll(*place, false, &mut Context::from_waker(&own));
            }
            if let Some(Poll::Ready((number, output))) = polled {
                // The futures after this one may have been woken.
                let rest = started[nth + 1..].iter();
                rest.for_each(|next| set.waker(*next as usize).wake_by_ref());
                let place = *place;
                return Some((FutureId { number, place }, output));
            }
        }
        None
    }
}

impl<F> volt_inspect::Inspect for FutureGroup<F> {
    /// Reports the futures by the numbers of their insertions.
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let group = self.get_mut();
        // An empty group waits for nothing.
        let ended = group.is_empty().then_some(Status::Done);
        let node = Node::new("FutureGroup").status(ended.unwrap_or_default());
        inspector.node(&node, |inspector| {
            let set = group.set.as_ref();
            let is_woken = |place| set.is_some_and(|set| set.is_woken(place));
            group.places.inspect(is_woken, inspector);
        });
    }
}

registrable!(FutureGroup<F>);

impl<F> volt_inspect::Inspect for NextFuture<'_, F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        Pin::new(&mut *self.get_mut().group).inspect(inspector);
    }
}

registrable!(NextFuture<'a, F>);
