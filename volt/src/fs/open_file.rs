//! `OpenFile`: the file that blocking jobs access, and the results of reads that are not taken yet.
//!
//! # Reads of clones
//!
//! 1. An operation that depends on the position undoes the newest read first, if its result was not
//!    taken. Its handle repeats it when it is polled again.
//! 2. Two handles that read at the same time could undo each other's reads forever. So if a read of
//!    another handle has undone a read, no such read undoes the repeated read. The exception is
//!    progress in between: a result was taken, or an operation other than a read took place.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::OnceLock;

use super::nonblocking;
use crate::io::{RecordSink, write_counted};
use crate::loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use crate::loom::sync::{Arc, Mutex};

/// A file, and the position that its clones share.
#[derive(Clone, Debug)]
pub(super) struct OpenFile {
    pub(super) file: Arc<File>,
    pub(super) position: Arc<Position>,
}

/// The position of an open file. Blocking jobs move it, one at a time.
#[derive(Debug, Default)]
pub(super) struct Position {
    /// The newest read, whose bytes are before the position and perhaps not taken yet.
    newest_read: Mutex<Option<Arc<ReadSlot>>>,
    /// The file has no position, for example because it is a pipe or a terminal.
    is_stream: AtomicBool,
    /// The number of results that were taken, and of operations other than reads.
    progress: AtomicUsize,
    /// The result of [`nonblocking::is_supported`], after the first read.
    is_nonblocking: OnceLock<bool>,
}

/// The result of the newest read of a handle.
#[derive(Debug, Default)]
pub(super) struct ReadSlot(Mutex<Reading>);

#[derive(Debug, Default)]
struct Reading {
    done: Option<ReadDone>,
    buf: Vec<u8>,
    /// The progress of the position when a read of another handle undid the last read.
    undone_at: Option<usize>,
}

#[derive(Debug)]
struct ReadDone {
    /// The part of the buffer that is not taken.
    left: Range<usize>,
    /// The result, until the caller takes it.
    result: Option<io::Result<()>>,
    /// A read of another handle undid the read before it.
    is_repeated: bool,
}

impl Position {
    /// Returns `true` if a read cannot be undone.
    pub(super) fn is_stream(&self) -> bool {
        self.is_stream.load(Relaxed)
    }

    /// Returns `true` if a read has found that operations on the file may take place without a job.
    pub(super) fn is_nonblocking(&self) -> bool {
        self.is_nonblocking.get() == Some(&true)
    }

    /// Returns `true` if the newest read has bytes that were not taken.
    fn has_left(&self) -> bool {
        let newest = self.newest_read.lock();
        newest
            .as_ref()
            .is_some_and(|slot| slot.0.lock().done.is_some())
    }

    /// Records that a result was taken, or that an operation other than a read takes place.
    pub(super) fn record_progress(&self) {
        self.progress.fetch_add(1, Relaxed);
    }
}

impl OpenFile {
    /// Undoes the newest read for an operation other than a read: moves the position back by the
    /// bytes that were not taken.
    pub(super) fn undo_read(&self) {
        self.position.record_progress();
        self.undo(None);
    }

    /// Undoes the newest read. The result of a stream stays, because it cannot be read again.
    fn undo(&self, undone_at: Option<usize>) {
        if self.position.is_stream() {
            return;
        }
        let Some(slot) = self.position.newest_read.lock().take() else {
            return;
        };
        let mut reading = slot.0.lock();
        let Some(done) = reading.done.take() else {
            return;
        };
        reading.undone_at = undone_at;
        drop(reading);
        if move_back(&self.file, done.left.len()).is_ok() {
            return;
        }
        self.position.is_stream.store(true, Relaxed);
        slot.0.lock().done = Some(done);
        *self.position.newest_read.lock() = Some(slot);
    }

    /// Reads up to `len` bytes for the handle of this slot.
    pub(super) fn read(&self, slot: &Arc<ReadSlot>, len: usize) {
        self.position
            .is_nonblocking
            .get_or_init(|| nonblocking::is_supported(&self.file));
        let progress = self.position.progress.load(Relaxed);
        let newest = self.position.newest_read.lock().clone();
        match newest.filter(|newest| !Arc::ptr_eq(newest, slot)) {
            None => self.undo(None),
            Some(other) if !other.is_repeated() => self.undo(Some(progress)),
            Some(_) => {}
        }
        let is_repeated = slot.0.lock().undone_at == Some(progress);
        if self.position.is_stream() && self.take_over(slot) {
            return;
        }
        let mut buf = std::mem::take(&mut slot.0.lock().buf);
        if buf.len() < len {
            buf.resize(len, 0);
        }
        let result = read_once(&self.file, &mut buf[..len]);
        *slot.0.lock() = Reading {
            done: Some(ReadDone {
                left: 0..*result.as_ref().unwrap_or(&0),
                result: Some(result.map(drop)),
                is_repeated,
            }),
            buf,
            undone_at: None,
        };
        *self.position.newest_read.lock() = Some(Arc::clone(slot));
    }

    /// Reads at the position, without a job. Returns `None` if the read would block, if it finds no
    /// bytes, or if an earlier read is to be undone.
    pub(super) fn read_now(&self, into: &mut [u8]) -> Option<usize> {
        if self.position.has_left() {
            return None;
        }
        let count = nonblocking::read(&self.file, into)?;
        self.position.record_progress();
        Some(count)
    }

    /// Moves the result of a stream that its newest reader did not take to this slot. Returns
    /// `false` if there is none.
    fn take_over(&self, slot: &Arc<ReadSlot>) -> bool {
        let Some(newest) = self.position.newest_read.lock().clone() else {
            return false;
        };
        let mut reading = std::mem::take(&mut *newest.0.lock());
        let Some(done) = reading.done.as_mut().filter(|done| done.is_left()) else {
            newest.0.lock().buf = reading.buf;
            return false;
        };
        done.result.get_or_insert(Ok(()));
        *slot.0.lock() = reading;
        *self.position.newest_read.lock() = Some(Arc::clone(slot));
        true
    }
}

/// Moves the position back by `len` bytes. Fails if the file has no position.
///
/// Some files accept each seek and ignore it, for example an event descriptor. Their position is
/// always 0.
fn move_back(mut file: &File, len: usize) -> io::Result<()> {
    let position = file.stream_position()?;
    let before = position.checked_sub(len as u64);
    let before = before.ok_or(io::ErrorKind::NotSeekable)?;
    match file.seek(SeekFrom::Start(before))? {
        moved if moved == before => Ok(()),
        _ => Err(io::ErrorKind::NotSeekable.into()),
    }
}

fn read_once(mut file: &File, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buf) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

impl ReadSlot {
    fn is_repeated(&self) -> bool {
        self.0
            .lock()
            .done
            .as_ref()
            .is_some_and(|done| done.is_repeated)
    }

    /// Takes the result of a read. Returns `None` if there is none, or if the read is undone.
    ///
    /// `is_followed` is `true` if another operation is queued after the read, and will undo it.
    /// `is_changed` is `true` if this is not only a read. Reads do not undo a repeated read.
    pub(super) fn take_result(
        &self,
        is_followed: bool,
        is_changed: bool,
        into: &mut [u8],
    ) -> Option<io::Result<usize>> {
        let mut reading = self.0.lock();
        let done = reading.done.as_mut()?;
        if is_followed && (is_changed || !done.is_repeated) {
            return None;
        }
        match done.result.take()? {
            Ok(()) => Some(Ok(reading.take(into))),
            Err(error) => {
                reading.done = None;
                Some(Err(error))
            }
        }
    }

    /// Takes bytes that an earlier read has left. Returns zero if there are none.
    pub(super) fn take_left(&self, into: &mut [u8]) -> usize {
        self.0.lock().take(into)
    }
}

impl ReadDone {
    /// Returns `true` if bytes, the end of the file or an error were not taken.
    fn is_left(&self) -> bool {
        self.result.is_some() || !self.left.is_empty()
    }
}

impl Reading {
    fn take(&mut self, into: &mut [u8]) -> usize {
        let Some(done) = &mut self.done else {
            return 0;
        };
        if done.left.is_empty() && done.result.is_some() {
            return 0;
        }
        let count = done.left.len().min(into.len());
        into[..count].copy_from_slice(&self.buf[done.left.start..][..count]);
        done.left.start += count;
        if done.left.is_empty() {
            self.done = None;
        }
        count
    }
}

impl RecordSink for OpenFile {
    fn write_record(&mut self, record: &[u8], written: &mut usize) -> io::Result<()> {
        self.undo_read();
        write_counted(&mut &*self.file, record, written)
    }
}
