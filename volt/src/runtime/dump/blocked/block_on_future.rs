//! `BlockOnFuture`: the future of `block_on`, which answers the requests of dumps on its thread.

use std::any::type_name;
use std::num::NonZeroUsize;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use pin_project_lite::pin_project;

use super::block_on_state::{BlockOnState, FutureDescription, InspectedFuture};
use super::blocked_thread::BlockedEntry;
use crate::runtime::dump::tree::Forest;
use crate::scheduler::BlockingFuture;
use crate::task;

pin_project! {
    /// A future that blocks its thread. Dumps have it from its first pending poll on.
    pub(in crate::runtime) struct BlockOnFuture<F, W> {
        // The end of the entry drops the requests, so it is before that of the future.
        entry: Option<BlockedEntry>,
        #[pin]
        future: F,
        runtime_id: NonZeroUsize,
        location: &'static Location<'static>,
        inspection_waker: W,
    }
}

impl<F, W> BlockOnFuture<F, W> {
    /// Wraps a future of a runtime. `inspection_waker` creates a waker that makes the thread call
    /// [`inspect`](BlockingFuture::inspect).
    pub(in crate::runtime) fn new(
        future: F,
        runtime_id: NonZeroUsize,
        location: &'static Location<'static>,
        inspection_waker: W,
    ) -> Self {
        Self {
            entry: None,
            future,
            runtime_id,
            location,
            inspection_waker,
        }
    }
}

impl<F: Future, W: Fn() -> Waker> Future for BlockOnFuture<F, W> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        if let Some(entry) = this.entry {
            return poll_entered(&entry.state, this.future, cx);
        }
        let polled = this.future.poll(cx);
        if polled.is_pending() {
            let description = FutureDescription {
                location: this.location,
                type_name: type_name::<F>(),
                size: size_of::<F>(),
            };
            let now = task::coarse_timestamp(Instant::now());
            let waker = (this.inspection_waker)();
            let state = BlockOnState::new(&description, cx.waker(), waker, now);
            *this.entry = Some(BlockedEntry::new(*this.runtime_id, state));
        }
        polled
    }
}

impl<F: Future, W: Fn() -> Waker> BlockingFuture for BlockOnFuture<F, W> {
    fn inspect(self: Pin<&mut Self>) {
        let this = self.project();
        if let Some(entry) = this.entry {
            answer(&entry.state, this.future);
        }
    }

    fn set_polled(self: Pin<&mut Self>, now: u32) {
        if let Some(entry) = self.project().entry {
            entry.state.set_since(now);
        }
    }
}

/// Polls a future whose first poll was pending.
fn poll_entered<F: Future>(
    state: &BlockOnState,
    mut future: Pin<&mut F>,
    cx: &mut Context<'_>,
) -> Poll<F::Output> {
    if state.has_requests() {
        answer(state, future.as_mut());
        #[cfg(feature = "inspect")]
        if let Some(polled) = poll_to_inspect(state, future.as_mut(), cx) {
            return polled;
        }
    }
    state.begin_poll();
    let polled = future.poll(cx);
    if polled.is_pending() {
        state.end_poll(true);
    }
    polled
}

/// Answers the requests for the tree of a future.
#[cold]
fn answer<F>(state: &BlockOnState, mut future: Pin<&mut F>) {
    for request in state.take_trees() {
        let mut forest = Forest::hiding(&request.secret_types);
        // The state is that of a poll, so that a dump which `Debug` takes does not wait.
        state.begin_poll();
        let inspected = forest.inspect_future(future.as_mut(), request.values);
        state.end_poll(false);
        if let Some((tree, position)) = inspected {
            let inspected = InspectedFuture {
                forest,
                tree,
                position,
            };
            // A dump that waits no longer has dropped the receiver.
            _ = request.reply.send(inspected);
        }
    }
}

/// Polls a future with a waker that records its clones, if a dump has requested it.
#[cfg(feature = "inspect")]
#[cold]
fn poll_to_inspect<F: Future>(
    state: &BlockOnState,
    future: Pin<&mut F>,
    cx: &Context<'_>,
) -> Option<Poll<F::Output>> {
    use super::block_on_state::PolledFuture;

    let replies = state.take_polls();
    if replies.is_empty() {
        return None;
    }
    state.begin_poll();
    let (polled, traces, clones) = task::poll_recorded_by(cx.waker(), future);
    let report = if polled.is_pending() {
        state.end_inspection_poll();
        let polls = state.polls();
        PolledFuture::Pending {
            traces,
            clones,
            polls,
        }
    } else {
        PolledFuture::Ended
    };
    for reply in replies {
        // As above, a dump may wait no longer.
        _ = reply.send(report.clone());
    }
    Some(polled)
}
