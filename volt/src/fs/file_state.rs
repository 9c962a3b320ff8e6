//! `FileState`: the operations of one handle of a file.

use std::fs::File;
use std::io::{self, IoSlice, Seek, SeekFrom};
use std::task::{Context, Poll, ready};

use super::access::AccessMode;
use super::open_file::{OpenFile, Position, ReadSlot};
use super::result_slot::ResultSlot;
use crate::io::{QueuedEntry, WriteBehind};
use crate::loom::sync::Arc;
use crate::runtime::{JobQueue, PushedEntries, Urgency, context};
use crate::task::{poll_proceed, poll_spent};

/// The maximum number of bytes that one job reads.
const MAX_READ: usize = 1024 * 1024;

/// The maximum number of bytes that a read without a job copies on the thread of the task.
const MAX_READ_NOW: usize = 64 * 1024;

/// A handle of a file and its operations.
#[derive(Debug)]
pub(super) struct FileState {
    pub(super) open: OpenFile,
    pub(super) accepted: WriteBehind,
    read: Arc<ReadSlot>,
    polled: Polled,
    access: AccessMode,
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperationKind {
    /// An error that its future does not return is dropped.
    Reading,
    /// The next operation returns an error that its future does not return.
    Changing,
}

/// The operation that was polled last, if it was not ready.
#[derive(Debug)]
enum Polled {
    None,
    /// A read, with the numbers of entries that the queue had received after it.
    Read(PushedEntries),
    Seek(SeekFrom, Arc<ResultSlot<u64>>),
}

impl FileState {
    pub(super) fn new(file: File) -> Self {
        let queue = Arc::new(JobQueue::default());
        Self::sharing(file, queue, Arc::default())
    }

    /// Creates a handle that shares the queue and the position with other handles of the open file.
    fn sharing(file: File, queue: Arc<JobQueue>, position: Arc<Position>) -> Self {
        let file = Arc::new(file);
        Self {
            open: OpenFile { file, position },
            accepted: WriteBehind::new(queue),
            read: Arc::default(),
            polled: Polled::None,
            access: AccessMode::default(),
        }
    }

    /// Returns the file. Drops all other references of this handle to it.
    pub(super) fn into_file(self) -> Arc<File> {
        self.open.file
    }

    /// Creates a handle for a clone of the descriptor. Both handles share the queue and the
    /// position.
    pub(super) fn with_clone(&self, file: File) -> Self {
        let queue = Arc::clone(self.accepted.queue());
        Self::sharing(file, queue, Arc::clone(&self.open.position))
    }

    /// Appends a mandatory operation to the queue. Returns the slot for its result.
    #[track_caller]
    pub(super) fn begin<T: Send + 'static>(
        &mut self,
        kind: OperationKind,
        run: impl FnOnce(&File) -> io::Result<T> + Send + 'static,
    ) -> io::Result<Arc<ResultSlot<T>>> {
        self.polled = Polled::None;
        self.accepted.report()?;
        let slot = Arc::new(ResultSlot::new());
        let (mut open, result) = (self.open.clone(), Arc::clone(&slot));
        self.accepted
            .push(Urgency::Mandatory, move |entry: QueuedEntry| {
                if entry.may_run(&mut open) {
                    open.undo_read();
                    let unclaimed = result.put(run(&open.file));
                    if let Some(error) = unclaimed.filter(|_| kind == OperationKind::Changing) {
                        entry.fail(error);
                    }
                }
                // The handle may become a `std::fs::File` as soon as the entry has ended.
                drop((open, result));
                entry.end()
            })?;
        Ok(slot)
    }

    pub(super) fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if let Polled::Seek(..) = self.polled {
            self.polled = Polled::None;
        }
        let budget = ready!(poll_proceed(cx));
        let checked = self.access.check_read(&self.open.file);
        if checked.is_err() || into.is_empty() {
            budget.made_progress();
            return Poll::Ready(checked.map(|()| 0));
        }
        loop {
            ready!(self.accepted.poll_settled(cx)).inspect_err(|_| self.polled = Polled::None)?;
            let begun = match self.polled {
                Polled::Read(pushed) => Some(pushed),
                Polled::None | Polled::Seek(..) => None,
            };
            // An operation of a clone that follows the read undoes it, now or soon.
            let pushed = self.accepted.queue().pushed();
            let take = |begun: PushedEntries| {
                let is_changed = pushed.has_mandatory_after(begun);
                let is_followed = pushed != begun;
                self.read.take_result(is_followed, is_changed, into)
            };
            if let Some(read) = begun.and_then(take) {
                self.polled = Polled::None;
                self.open.position.record_progress();
                budget.made_progress();
                return Poll::Ready(read);
            }
            if self.open.position.is_stream() {
                let count = self.read.take_left(into);
                if count > 0 {
                    budget.made_progress();
                    return Poll::Ready(Ok(count));
                }
            }
            self.polled = Polled::None;
            if let Some(count) = self.read_now(into) {
                budget.made_progress();
                return Poll::Ready(Ok(count));
            }
            self.begin_read(into.len().min(MAX_READ))?;
            self.polled = Polled::Read(self.accepted.queue().pushed());
        }
    }

    /// Reads without a job, or returns `None` if a job is needed.
    fn read_now(&self, into: &mut [u8]) -> Option<usize> {
        if into.len() > MAX_READ_NOW || !self.may_run_now() {
            return None;
        }
        let Self { open, accepted, .. } = self;
        accepted.queue().run_now(|| open.read_now(into)).flatten()
    }

    /// Seeks without a job, or returns `None` if a job is needed.
    fn seek_now(&self, to: SeekFrom) -> Option<io::Result<u64>> {
        if !self.may_run_now() {
            return None;
        }
        let Self { open, accepted, .. } = self;
        accepted.queue().run_now(|| {
            open.undo_read();
            (&*open.file).seek(to)
        })
    }

    /// Returns `true` if an operation that does not wait may take place on this thread. Outside of
    /// a runtime it returns `false`, because there each operation of a file panics.
    fn may_run_now(&self) -> bool {
        self.open.position.is_nonblocking()
            && self.accepted.is_idle()
            && context::with_driver(|driver| driver.is_some())
    }

    #[track_caller]
    fn begin_read(&self, len: usize) -> io::Result<()> {
        let (mut open, slot) = (self.open.clone(), Arc::clone(&self.read));
        self.accepted
            .push(Urgency::Optional, move |entry: QueuedEntry| {
                if entry.may_run(&mut open) {
                    open.read(&slot, len);
                }
                drop((open, slot));
                entry.end()
            })
    }

    #[track_caller]
    pub(super) fn poll_write(
        &mut self,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.polled = Polled::None;
        if let Err(error) = self.access.check_write(&self.open.file) {
            return poll_spent(cx).map(|()| Err(error));
        }
        let Self { open, accepted, .. } = self;
        accepted.poll_write(cx, slices, || open.clone())
    }

    #[track_caller]
    pub(super) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.polled = Polled::None;
        let Self { open, accepted, .. } = self;
        accepted.poll_flush(cx, || open.clone())
    }

    #[track_caller]
    pub(super) fn poll_seek(
        &mut self,
        cx: &mut Context<'_>,
        to: SeekFrom,
    ) -> Poll<io::Result<u64>> {
        // The operation begins even if the budget is spent, because it takes place even if the
        // future is dropped after its first poll.
        let slot = match &self.polled {
            Polled::Seek(begun, slot) if *begun == to => Arc::clone(slot),
            _ => {
                let slot = match self.seek_now(to) {
                    Some(result) => Arc::new(ResultSlot::full(result)),
                    None => self.begin(OperationKind::Reading, move |mut file| file.seek(to))?,
                };
                self.polled = Polled::Seek(to, Arc::clone(&slot));
                slot
            }
        };
        let settled = ready!(self.accepted.poll_end(cx));
        self.polled = Polled::None;
        Poll::Ready(settled.and_then(|()| slot.take()))
    }
}
