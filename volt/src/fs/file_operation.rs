//! `FileOperation`: the future of the methods of a `File`.

use std::fmt;
use std::fs::File;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use volt_inspect::{Inspect, Inspector, Node, Status, Wait, register, registrable};

use super::file_state::{FileState, OperationKind};
use super::result_slot::ResultSlot;
use crate::loom::sync::Arc;

/// The future of a method of [`File`](super::File), with an argument `A` and a result `T`.
#[must_use = "futures do nothing unless polled"]
pub struct FileOperation<'a, A, T> {
    pub(super) file: &'a mut FileState,
    stage: FileOperationStage<A, T>,
    kind: OperationKind,
}

type Run<A, T> = fn(&File, A) -> io::Result<T>;

enum FileOperationStage<A, T> {
    Unpolled(A, Run<A, T>),
    Begun(Arc<ResultSlot<T>>),
    Over,
}

impl<'a, A, T> FileOperation<'a, A, T> {
    /// Creates an operation that does not change the file.
    pub(super) fn reading(file: &'a mut FileState, argument: A, run: Run<A, T>) -> Self {
        register::<Self>();
        Self {
            file,
            stage: FileOperationStage::Unpolled(argument, run),
            kind: OperationKind::Reading,
        }
    }

    /// Creates an operation that changes the file.
    pub(super) fn changing(file: &'a mut FileState, argument: A, run: Run<A, T>) -> Self {
        let mut operation = Self::reading(file, argument, run);
        operation.kind = OperationKind::Changing;
        operation
    }
}

// The argument is moved, never pinned.
impl<A, T> Unpin for FileOperation<'_, A, T> {}

impl<A, T> Inspect for FileOperation<'_, A, T> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let status = match self.stage {
            FileOperationStage::Unpolled(..) => Status::NotStarted,
            FileOperationStage::Begun(_) => Status::Waiting,
            FileOperationStage::Over => Status::Done,
        };
        inspect_file("FileOperation", status, inspector);
    }
}

registrable!(FileOperation<'a, A, T>);

/// Reports a future that waits for the jobs of a file.
fn inspect_file(kind: &'static str, status: Status, inspector: &mut Inspector<'_>) {
    inspector.node(&Node::new(kind).status(status), |inspector| {
        if status == Status::Waiting {
            inspector.waits(Wait::Job { id: None });
        }
    });
}

impl<A, T> Future for FileOperation<'_, A, T>
where
    A: Send + 'static,
    T: Send + 'static,
{
    type Output = io::Result<T>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        // The operation begins even if the budget is spent, because it takes place even if the
        // future is dropped after its first poll.
        let slot = match std::mem::replace(&mut this.stage, FileOperationStage::Over) {
            FileOperationStage::Unpolled(argument, run) => {
                let run = move |file: &File| run(file, argument);
                this.file.begin(this.kind, run)?
            }
            FileOperationStage::Begun(slot) => slot,
            FileOperationStage::Over => panic!("the operation was polled after it was ready"),
        };
        let Poll::Ready(settled) = this.file.accepted.poll_end(cx) else {
            this.stage = FileOperationStage::Begun(slot);
            return Poll::Pending;
        };
        Poll::Ready(settled.and_then(|()| slot.take()))
    }
}

impl<A, T> Drop for FileOperation<'_, A, T> {
    fn drop(&mut self) {
        if let FileOperationStage::Begun(slot) = &self.stage
            && let Some(error) = slot.abandon()
            && self.kind == OperationKind::Changing
        {
            self.file.accepted.store_error(error);
        }
    }
}

impl<A, T> fmt::Debug for FileOperation<'_, A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileOperation")
            .field("file", &self.file.open.file)
            .finish_non_exhaustive()
    }
}

/// The future of [`File::into_std`](super::File::into_std).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct IntoStd(IntoStdStage);

#[derive(Debug)]
enum IntoStdStage {
    Unpolled(FileState),
    Begun(FileState, Arc<ResultSlot<()>>),
    Over,
}

impl IntoStd {
    pub(super) fn new(file: FileState) -> Self {
        register::<Self>();
        Self(IntoStdStage::Unpolled(file))
    }
}

impl Inspect for IntoStd {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let status = match self.0 {
            IntoStdStage::Unpolled(_) => Status::NotStarted,
            IntoStdStage::Begun(..) => Status::Waiting,
            IntoStdStage::Over => Status::Done,
        };
        inspect_file("IntoStd", status, inspector);
    }
}

registrable!(IntoStd);

impl Future for IntoStd {
    type Output = io::Result<File>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (state, slot) = match std::mem::replace(&mut self.0, IntoStdStage::Over) {
            IntoStdStage::Unpolled(mut state) => {
                // An operation without effect undoes a dropped read.
                let slot = state.begin(OperationKind::Reading, |_| Ok(()))?;
                (state, slot)
            }
            IntoStdStage::Begun(state, slot) => (state, slot),
            IntoStdStage::Over => panic!("the future was polled after it was ready"),
        };
        let Poll::Ready(settled) = state.accepted.poll_end(cx) else {
            self.0 = IntoStdStage::Begun(state, slot);
            return Poll::Pending;
        };
        let file = state.into_file();
        settled.and_then(|()| slot.take())?;
        Poll::Ready(Arc::try_unwrap(file).or_else(|shared| shared.try_clone()))
    }
}
