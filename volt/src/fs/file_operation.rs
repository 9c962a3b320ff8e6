//! The futures of the methods of an open file.

use std::fmt;
use std::fs::File;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::file_state::FileState;
use super::result_slot::ResultSlot;
use crate::loom::sync::Arc;

/// The future of a method of [`File`](super::File), which needs an `A` and returns a `T`.
#[must_use = "futures do nothing unless polled"]
pub struct FileOperation<'a, A, T> {
    pub(super) file: &'a mut FileState,
    stage: FileOperationStage<A, T>,
    /// An error that the future does not report is kept for the next operation.
    keeps_error: bool,
}

type Run<A, T> = fn(&File, A) -> io::Result<T>;

enum FileOperationStage<A, T> {
    Unpolled(A, Run<A, T>),
    Begun(Arc<ResultSlot<T>>),
    Over,
}

impl<'a, A, T> FileOperation<'a, A, T> {
    /// An operation that only looks.
    pub(super) fn reading(file: &'a mut FileState, argument: A, run: Run<A, T>) -> Self {
        Self {
            file,
            stage: FileOperationStage::Unpolled(argument, run),
            keeps_error: false,
        }
    }

    /// An operation whose failure must not go unnoticed.
    pub(super) fn changing(file: &'a mut FileState, argument: A, run: Run<A, T>) -> Self {
        let mut operation = Self::reading(file, argument, run);
        operation.keeps_error = true;
        operation
    }
}

// The argument is moved, never pinned.
impl<A, T> Unpin for FileOperation<'_, A, T> {}

impl<A, T> Future for FileOperation<'_, A, T>
where
    A: Send + 'static,
    T: Send + 'static,
{
    type Output = io::Result<T>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        // It begins also if the budget is spent: a future that is dropped now has to take place.
        let slot = match std::mem::replace(&mut this.stage, FileOperationStage::Over) {
            FileOperationStage::Unpolled(argument, run) => {
                let run = move |file: &File| run(file, argument);
                this.file.begin(this.keeps_error, run)?
            }
            FileOperationStage::Begun(slot) => slot,
            FileOperationStage::Over => panic!("the operation was polled after it was done"),
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
            && self.keeps_error
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
pub struct IntoStd {
    file: Option<FileState>,
    begun: Option<Arc<ResultSlot<()>>>,
}

impl IntoStd {
    pub(super) fn new(file: FileState) -> Self {
        Self {
            file: Some(file),
            begun: None,
        }
    }
}

impl Future for IntoStd {
    type Output = io::Result<File>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { file, begun } = &mut *self;
        let Some(state) = file else {
            panic!("the file was polled after it was taken");
        };
        let slot = match begun.take() {
            Some(slot) => slot,
            // The operation is to undo a read that was dropped.
            None => state.begin(false, |_| Ok(()))?,
        };
        let Poll::Ready(settled) = state.accepted.poll_end(cx) else {
            *begun = Some(slot);
            return Poll::Pending;
        };
        let file = file.take().map(|it| it.open.file);
        settled.and_then(|()| slot.take())?;
        Poll::Ready(match file.map(Arc::try_unwrap) {
            Some(Ok(file)) => Ok(file),
            Some(Err(shared)) => shared.try_clone(),
            None => Err(io::Error::other("the file was taken")),
        })
    }
}
