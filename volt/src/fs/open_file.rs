//! An open file as blocking jobs see it, and the reads that nobody has taken.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use crate::io::{RecordSink, write_counted};
use crate::loom::sync::atomic::{AtomicBool, Ordering::Relaxed};
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
    /// The file has no position, as a pipe and a terminal have none.
    is_stream: AtomicBool,
}

/// The result of the newest read of a handle.
#[derive(Debug, Default)]
pub(super) struct ReadSlot(Mutex<Reading>);

#[derive(Debug, Default)]
struct Reading {
    done: Option<ReadDone>,
    buf: Vec<u8>,
}

#[derive(Debug)]
struct ReadDone {
    /// The part of the buffer that is not taken.
    left: Range<usize>,
    /// The result for the caller, until the caller has it.
    result: Option<io::Result<()>>,
    /// The read before it was undone for another handle.
    is_repeated: bool,
}

impl Position {
    /// Returns `true` if a read cannot be undone.
    pub(super) fn is_stream(&self) -> bool {
        self.is_stream.load(Relaxed)
    }
}

impl OpenFile {
    /// Undoes the newest read as far as its bytes were not taken: an operation follows that depends
    /// on the position. The bytes of a stream stay, because they cannot be read again.
    pub(super) fn undo_read(&self) {
        if self.position.is_stream() {
            return;
        }
        let Some(slot) = self.position.newest_read.lock().take() else {
            return;
        };
        let Some(done) = slot.0.lock().done.take() else {
            return;
        };
        let len = i64::try_from(done.left.len()).unwrap_or(i64::MAX);
        if len == 0 || (&*self.file).seek(SeekFrom::Current(-len)).is_ok() {
            return;
        }
        self.position.is_stream.store(true, Relaxed);
        slot.0.lock().done = Some(done);
        *self.position.newest_read.lock() = Some(slot);
    }

    /// Reads up to `len` bytes for the handle of this slot.
    pub(super) fn read(&self, slot: &Arc<ReadSlot>, len: usize, is_repeated: bool) {
        let newest = self.position.newest_read.lock().clone();
        let other = newest.filter(|it| !Arc::ptr_eq(it, slot));
        // Two handles that read at the same time would undo each other's reads for ever.
        if !other.is_some_and(|it| it.is_repeated()) {
            self.undo_read();
        }
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
        };
        *self.position.newest_read.lock() = Some(Arc::clone(slot));
    }

    /// Moves the bytes of a stream to this slot that its newest reader did not take.
    fn take_over(&self, slot: &Arc<ReadSlot>) -> bool {
        let Some(newest) = self.position.newest_read.lock().clone() else {
            return false;
        };
        let mut reading = std::mem::take(&mut *newest.0.lock());
        let Some(done) = reading.done.as_mut().filter(|it| !it.left.is_empty()) else {
            newest.0.lock().buf = reading.buf;
            return false;
        };
        done.result = Some(Ok(()));
        *slot.0.lock() = reading;
        *self.position.newest_read.lock() = Some(Arc::clone(slot));
        true
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
        self.0.lock().done.as_ref().is_some_and(|it| it.is_repeated)
    }

    /// Takes the result of a read, or `None` if there is none or it was undone.
    pub(super) fn take_result(&self, into: &mut [u8]) -> Option<io::Result<usize>> {
        let mut reading = self.0.lock();
        match reading.done.as_mut()?.result.take()? {
            Ok(()) => Some(Ok(reading.take(into))),
            Err(error) => {
                reading.done = None;
                Some(Err(error))
            }
        }
    }

    /// Takes bytes that a former read has left; zero if there are none.
    pub(super) fn take_left(&self, into: &mut [u8]) -> usize {
        self.0.lock().take(into)
    }
}

impl Reading {
    fn take(&mut self, into: &mut [u8]) -> usize {
        let Some(done) = &mut self.done else {
            return 0;
        };
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
