//! `Operation`: the future of a file operation, which a blocking job does.

use std::fmt;
use std::future::Future;
use std::io;
use std::mem;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use volt_inspect::{Inspect, Inspector, Node, Status, register, registrable};

use crate::runtime::{context, spawn_blocking_mandatory};
use crate::task::JoinHandle;

/// The future of a function of this module. The function was called with a path of type `P`. The
/// operation has an argument `A` and a result `T`.
///
/// The future owns the path until the operation has ended. So the path can be passed by value even
/// if its drop removes the file, as for temporary files. If the path was passed by reference, the
/// future borrows it; for a future that is spawned, pass a `PathBuf` by value.
#[must_use = "futures do nothing unless polled"]
pub struct Operation<P, A, T> {
    stage: OperationStage<A, T>,
    /// Dropped after the operation.
    path: Option<P>,
    made_at: &'static Location<'static>,
}

enum OperationStage<A, T> {
    Unpolled(fn(A) -> io::Result<T>, A),
    Begun(JoinHandle<io::Result<T>>),
    Over,
}

impl<P, A, T> Operation<P, A, T> {
    #[track_caller]
    pub(super) fn new(path: P, argument: A, run: fn(A) -> io::Result<T>) -> Self {
        register::<Self>();
        Self {
            stage: OperationStage::Unpolled(run, argument),
            path: Some(path),
            made_at: Location::caller(),
        }
    }
}

// Path and argument are moved, never pinned.
impl<P, A, T> Unpin for Operation<P, A, T> {}

impl<P, A, T> Inspect for Operation<P, A, T> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let status = match self.stage {
            OperationStage::Unpolled(..) => Status::NotStarted,
            OperationStage::Begun(_) => Status::Waiting,
            OperationStage::Over => Status::Done,
        };
        inspector.node(&Node::new("Operation").status(status), |inspector| {
            if let OperationStage::Begun(job) = &self.stage {
                job.report_wait(inspector);
            }
        });
    }
}

registrable!(Operation<P, A, T>);

impl<P, A, T> Future for Operation<P, A, T>
where
    A: Send + 'static,
    T: Send + 'static,
{
    type Output = io::Result<T>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut job = match mem::replace(&mut self.stage, OperationStage::Over) {
            // The operation begins even if the budget is spent, because it takes place even if the
            // future is dropped after its first poll.
            OperationStage::Unpolled(run, argument) => {
                drop(context::driver_for(self.made_at));
                spawn_blocking_mandatory(move || run(argument))
            }
            OperationStage::Begun(job) => job,
            OperationStage::Over => panic!("the operation was polled after it was ready"),
        };
        let polled = poll_job(&mut job, cx);
        if polled.is_pending() {
            self.stage = OperationStage::Begun(job);
        } else {
            drop(self.path.take());
        }
        polled.map(|done| done?)
    }
}

/// Polls a job.
pub(super) fn poll_job<T>(job: &mut JoinHandle<T>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
    Pin::new(job).poll(cx).map_err(io::Error::from)
}

impl<P, A: fmt::Debug, T> fmt::Debug for Operation<P, A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stage {
            OperationStage::Unpolled(_, argument) => {
                f.debug_tuple("Operation").field(argument).finish()
            }
            OperationStage::Begun(_) | OperationStage::Over => {
                f.debug_struct("Operation").finish_non_exhaustive()
            }
        }
    }
}
