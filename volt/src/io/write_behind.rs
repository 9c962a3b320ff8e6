//! Writes that a stream has accepted, and that blocking jobs execute.
//!
//! Each handle of a stream has a [`WriteBehind`]. All handles of one stream share a queue, so their
//! operations take place in the order in which they were accepted.
//!
//! - A write is ready when its bytes are in the queue. They are one record, which one system call
//!   writes if the system accepts all of it.
//! - A record that fails is kept with its error, and so are the records of the same handle after
//!   it.
//! - The next operation of the handle reports the error and does nothing else. The operation after
//!   that writes the records again before it does its own work.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, IoSlice};
use std::task::{Context, Poll, Waker, ready};

use crate::loom::sync::{Arc, Mutex};
use crate::runtime::{JobQueue, Urgency};
use crate::task::poll_proceed;
use crate::util::catch_and_discard;

/// The largest number of bytes that a handle accepts before they are written.
pub(crate) const MAX_ACCEPTED_BYTES: usize = 1 << 20;

/// The destination of records.
pub(crate) trait RecordSink: Send + 'static {
    /// Writes the rest of the record, of which `written` bytes are written, and updates `written`.
    fn write_record(&mut self, record: &[u8], written: &mut usize) -> io::Result<()>;
}

/// Writes all bytes and counts them.
pub(crate) fn write_counted(
    writer: &mut impl io::Write,
    bytes: &[u8],
    written: &mut usize,
) -> io::Result<()> {
    while *written < bytes.len() {
        match writer.write(&bytes[*written..]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => *written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The accepted operations of one handle.
pub(crate) struct WriteBehind {
    queue: Arc<JobQueue>,
    accepted: Arc<Mutex<Accepted>>,
}

#[derive(Default)]
struct Accepted {
    /// The entries of this handle in the queue.
    pending: usize,
    /// The bytes of all records that are not written.
    bytes: usize,
    /// The error that the next operation reports.
    error: Option<io::Error>,
    /// The records that failed, and those after them.
    failed: VecDeque<WriteRecord>,
    /// The waker of the task that waits, and the room that it needs. Zero waits for the end of all
    /// entries.
    waiting: Option<(Waker, usize)>,
    spare: Vec<u8>,
}

struct WriteRecord {
    bytes: Vec<u8>,
    written: usize,
}

impl Accepted {
    fn has_room(&self, len: usize) -> bool {
        self.error.is_none() && (self.bytes == 0 || self.bytes + len <= MAX_ACCEPTED_BYTES)
    }

    fn is_ready_for(&self, room: usize) -> bool {
        self.pending == 0 || (room > 0 && self.has_room(room))
    }

    fn forget_record(&mut self, record: WriteRecord) {
        self.bytes -= record.bytes.len();
        if self.spare.capacity() < record.bytes.capacity() {
            self.spare = record.bytes;
        }
    }
}

impl WriteBehind {
    pub(crate) fn new(queue: Arc<JobQueue>) -> Self {
        Self {
            queue,
            accepted: Arc::default(),
        }
    }

    /// Appends an entry of this handle. `run` ends with [`QueuedEntry::end`].
    #[track_caller]
    pub(crate) fn push(
        &self,
        urgency: Urgency,
        run: impl FnOnce(QueuedEntry) -> Option<Waker> + Send + 'static,
    ) -> io::Result<()> {
        self.accepted.lock().pending += 1;
        let entry = QueuedEntry {
            accepted: Arc::clone(&self.accepted),
            has_ended: false,
        };
        self.queue.push(urgency, Box::new(move || run(entry)))
    }

    /// Waits until no entry of this handle is in the queue, or until there is room for a record.
    fn poll_ready(&self, cx: &mut Context<'_>, room: usize) -> Poll<()> {
        if self.accepted.lock().is_ready_for(room) {
            return Poll::Ready(());
        }
        // A waker is foreign code: it is cloned and dropped outside of the lock.
        let waker = cx.waker().clone();
        let mut accepted = self.accepted.lock();
        if accepted.is_ready_for(room) {
            return Poll::Ready(());
        }
        let former = accepted.waiting.replace((waker, room));
        drop(accepted);
        drop(former);
        Poll::Pending
    }

    /// Waits until no entry of this handle is in the queue, and reports an error of a former one.
    pub(crate) fn poll_settled(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_ready(cx, 0));
        Poll::Ready(self.report())
    }

    /// [`poll_settled`](Self::poll_settled) that takes one from the budget of the task.
    pub(crate) fn poll_end(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let budget = ready!(poll_proceed(cx));
        let settled = ready!(self.poll_settled(cx));
        budget.made_progress();
        Poll::Ready(settled)
    }

    /// Reports the error of a former operation, if no entry is in the queue.
    pub(crate) fn report(&self) -> io::Result<()> {
        let mut accepted = self.accepted.lock();
        if accepted.pending > 0 {
            return Ok(());
        }
        accepted.error.take().map_or(Ok(()), Err)
    }

    /// Accepts one record of these slices, up to [`MAX_ACCEPTED_BYTES`] bytes.
    #[track_caller]
    pub(crate) fn poll_write<S: RecordSink>(
        &self,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
        sink: impl Fn() -> S,
    ) -> Poll<io::Result<usize>> {
        let budget = ready!(poll_proceed(cx));
        let len: usize = slices.iter().map(|slice| slice.len()).sum();
        let len = len.min(MAX_ACCEPTED_BYTES);
        loop {
            self.report()?;
            let mut accepted = self.accepted.lock();
            if accepted.has_room(len) {
                budget.made_progress();
                if len == 0 {
                    return Poll::Ready(Ok(0));
                }
                let mut bytes = std::mem::take(&mut accepted.spare);
                accepted.bytes += len;
                drop(accepted);
                copy_slices(slices, len, &mut bytes);
                return Poll::Ready(self.push_record(bytes, sink()).map(|()| len));
            }
            let is_filled_by_failed = accepted.pending == 0;
            drop(accepted);
            if is_filled_by_failed {
                self.push_retry(sink())?;
            }
            ready!(self.poll_ready(cx, len));
        }
    }

    #[track_caller]
    fn push_record(&self, bytes: Vec<u8>, mut sink: impl RecordSink) -> io::Result<()> {
        let len = bytes.len();
        let pushed = self.push(Urgency::Mandatory, move |entry| {
            let record = WriteRecord { bytes, written: 0 };
            if entry.may_run(&mut sink) {
                entry.write(record, &mut sink);
            } else {
                entry.accepted.lock().failed.push_back(record);
            }
            drop(sink);
            entry.end()
        });
        if pushed.is_err() {
            self.accepted.lock().bytes -= len;
        }
        pushed
    }

    /// Queues another attempt to write the failed records.
    #[track_caller]
    fn push_retry(&self, mut sink: impl RecordSink) -> io::Result<()> {
        self.push(Urgency::Mandatory, move |entry| {
            entry.may_run(&mut sink);
            drop(sink);
            entry.end()
        })
    }
}

#[cfg(feature = "fs")]
impl WriteBehind {
    /// Returns the queue of the stream.
    pub(crate) fn queue(&self) -> &Arc<JobQueue> {
        &self.queue
    }

    /// Returns `true` if this handle has no entry, no error to report, and no failed record.
    pub(crate) fn is_idle(&self) -> bool {
        let accepted = self.accepted.lock();
        accepted.pending == 0 && accepted.error.is_none() && accepted.failed.is_empty()
    }

    /// Stores the error of an operation whose future was dropped.
    pub(crate) fn store_error(&self, error: io::Error) {
        self.accepted.lock().error.get_or_insert(error);
    }

    /// Waits until all records are written.
    #[track_caller]
    pub(crate) fn poll_flush<S: RecordSink>(
        &self,
        cx: &mut Context<'_>,
        sink: impl Fn() -> S,
    ) -> Poll<io::Result<()>> {
        let budget = ready!(poll_proceed(cx));
        loop {
            ready!(self.poll_settled(cx))?;
            if self.accepted.lock().failed.is_empty() {
                budget.made_progress();
                return Poll::Ready(Ok(()));
            }
            self.push_retry(sink())?;
        }
    }

    /// Removes the bytes of the records that failed, and returns those that are not written.
    pub(crate) fn take_failed(&self) -> Vec<u8> {
        let mut accepted = self.accepted.lock();
        let mut bytes = Vec::new();
        for record in std::mem::take(&mut accepted.failed) {
            bytes.extend_from_slice(&record.bytes[record.written..]);
            accepted.forget_record(record);
        }
        bytes
    }
}

fn copy_slices(slices: &[IoSlice<'_>], len: usize, into: &mut Vec<u8>) {
    into.clear();
    into.reserve(len);
    for slice in slices {
        let room = len - into.len();
        into.extend_from_slice(&slice[..slice.len().min(room)]);
    }
}

/// An entry of a handle, from its acceptance to its end.
pub(crate) struct QueuedEntry {
    accepted: Arc<Mutex<Accepted>>,
    has_ended: bool,
}

impl QueuedEntry {
    /// Writes the failed records first. Returns `false` if there is an error to report. The entry
    /// must then do nothing.
    pub(crate) fn may_run(&self, sink: &mut impl RecordSink) -> bool {
        let mut accepted = self.accepted.lock();
        if accepted.error.is_some() {
            return false;
        }
        if accepted.failed.is_empty() {
            return true;
        }
        let records = std::mem::take(&mut accepted.failed);
        drop(accepted);
        for record in records {
            let mut accepted = self.accepted.lock();
            if accepted.error.is_some() {
                accepted.failed.push_back(record);
                continue;
            }
            drop(accepted);
            self.write(record, sink);
        }
        self.accepted.lock().error.is_none()
    }

    fn write(&self, mut record: WriteRecord, sink: &mut impl RecordSink) {
        let result = sink.write_record(&record.bytes, &mut record.written);
        let mut accepted = self.accepted.lock();
        match result {
            Ok(()) => accepted.forget_record(record),
            Err(error) => {
                accepted.failed.push_back(record);
                accepted.error = Some(error);
            }
        }
    }

    /// Stores an error for the next operation.
    pub(crate) fn fail(&self, error: io::Error) {
        self.accepted.lock().error.get_or_insert(error);
    }

    /// Ends the entry, and returns the waker of the task that waits for it.
    pub(crate) fn end(mut self) -> Option<Waker> {
        self.has_ended = true;
        self.finish()
    }

    fn finish(&self) -> Option<Waker> {
        let mut accepted = self.accepted.lock();
        accepted.pending -= 1;
        let room = accepted.waiting.as_ref()?.1;
        if !accepted.is_ready_for(room) {
            return None;
        }
        accepted.waiting.take().map(|(waker, _)| waker)
    }
}

impl Drop for QueuedEntry {
    /// Wakes the task that waits for an entry which never ran.
    fn drop(&mut self) {
        if !self.has_ended
            && let Some(waker) = self.finish()
        {
            // A waker is foreign code.
            catch_and_discard(|| waker.wake());
        }
    }
}

impl fmt::Debug for WriteBehind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accepted = self.accepted.lock();
        f.debug_struct("WriteBehind")
            .field("pending", &accepted.pending)
            .field("bytes", &accepted.bytes)
            .finish_non_exhaustive()
    }
}
