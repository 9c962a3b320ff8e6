//! One operation, done on a thread that may block.

use std::fmt;
use std::future::Future;
use std::io;
use std::mem;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crate::runtime::{context, spawn_blocking};
use crate::task::{JoinHandle, poll_proceed};

/// The future of a function of this module, which needs an `A` and gives a `T`.
#[must_use = "futures do nothing unless polled"]
pub struct Operation<A, T> {
    stage: Stage<A, T>,
    made_at: &'static Location<'static>,
}

enum Stage<A, T> {
    Asked(fn(A) -> io::Result<T>, A),
    Begun(JoinHandle<io::Result<T>>),
    Over,
}

impl<A, T> Operation<A, T> {
    #[track_caller]
    pub(super) fn new(argument: A, run: fn(A) -> io::Result<T>) -> Self {
        Self {
            stage: Stage::Asked(run, argument),
            made_at: Location::caller(),
        }
    }
}

// The argument is moved, never pinned.
impl<A, T> Unpin for Operation<A, T> {}

impl<A, T> Future for Operation<A, T>
where
    A: Send + 'static,
    T: Send + 'static,
{
    type Output = io::Result<T>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if matches!(self.stage, Stage::Asked(..)) {
            ready!(poll_proceed(cx)).made_progress();
        }
        let mut job = match mem::replace(&mut self.stage, Stage::Over) {
            Stage::Asked(run, argument) => {
                drop(context::driver_for(self.made_at));
                spawn_blocking(move || run(argument))
            }
            Stage::Begun(job) => job,
            Stage::Over => panic!("the operation was polled after it was done"),
        };
        let polled = poll_job(&mut job, cx);
        if polled.is_pending() {
            self.stage = Stage::Begun(job);
        }
        polled.map(|done| done?)
    }
}

/// Waits for a job.
pub(super) fn poll_job<T>(job: &mut JoinHandle<T>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
    Pin::new(job).poll(cx).map_err(io::Error::from)
}

impl<A: fmt::Debug, T> fmt::Debug for Operation<A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stage {
            Stage::Asked(_, argument) => f.debug_tuple("Operation").field(argument).finish(),
            Stage::Begun(_) | Stage::Over => f.debug_struct("Operation").finish_non_exhaustive(),
        }
    }
}
