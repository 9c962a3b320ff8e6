//! What a file is doing, on a thread that may block, and what it has read ahead.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::task::{Context, Poll, ready};

use super::operation::poll_job;
use crate::loom::sync::Arc;
use crate::runtime::spawn_blocking_mandatory;
use crate::task::JoinHandle;

/// How much one job reads at least, and how much one reads or writes at most.
const LEAST: usize = 16 * 1024;
const MOST: usize = 1024 * 1024;

/// A file and the one job that may be using it.
#[derive(Debug)]
pub(super) struct InFlight {
    pub(super) file: Arc<File>,
    /// Empty while a job has it.
    buf: Vec<u8>,
    /// From here on the buffer holds what was read ahead.
    from: usize,
    job: Option<JoinHandle<Done>>,
    /// Where the seek goes that is under way.
    sought: Option<SeekFrom>,
}

/// What a job leaves.
#[derive(Debug)]
struct Done {
    buf: Vec<u8>,
    result: Ended,
}

#[derive(Debug)]
enum Ended {
    Read(io::Result<()>),
    Written(io::Result<()>),
    Sought(io::Result<u64>),
}

impl InFlight {
    pub(super) fn new(file: File) -> Self {
        Self {
            file: Arc::new(file),
            buf: Vec::new(),
            from: 0,
            job: None,
            sought: None,
        }
    }

    /// What was read ahead.
    fn ahead(&self) -> &[u8] {
        &self.buf[self.from..]
    }

    fn begin(&mut self, run: impl FnOnce(&File, &mut Vec<u8>) -> Ended + Send + 'static) {
        let file = Arc::clone(&self.file);
        let mut buf = std::mem::take(&mut self.buf);
        self.from = 0;
        self.job = Some(spawn_blocking_mandatory(move || {
            let result = run(&file, &mut buf);
            Done { buf, result }
        }));
    }

    /// Waits for the job that is under way, if there is one.
    fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Ended>>> {
        let Some(job) = &mut self.job else {
            return Poll::Ready(Ok(None));
        };
        let done = ready!(poll_job(job, cx));
        self.job = None;
        let Done { mut buf, result } = done?;
        if !matches!(result, Ended::Read(_)) {
            buf.clear();
        }
        self.buf = buf;
        Poll::Ready(Ok(Some(result)))
    }

    /// Waits until no job is under way.
    ///
    /// # Errors
    ///
    /// Fails if that was a write, which has failed. What became of a read or a seek is not told: of
    /// those that read, whoever is told asks again.
    pub(super) fn poll_settled(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ended = ready!(self.poll_ended(cx))?;
        self.sought = None;
        Poll::Ready(match ended {
            Some(Ended::Written(result)) => result,
            _ => Ok(()),
        })
    }

    pub(super) fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if into.is_empty() {
            return Poll::Ready(Ok(0));
        }
        loop {
            let ahead = self.ahead();
            if !ahead.is_empty() && self.job.is_none() {
                let read = ahead.len().min(into.len());
                into[..read].copy_from_slice(&ahead[..read]);
                self.from += read;
                return Poll::Ready(Ok(read));
            }
            match ready!(self.poll_ended(cx))? {
                Some(Ended::Read(result)) => {
                    result?;
                    if self.ahead().is_empty() {
                        return Poll::Ready(Ok(0));
                    }
                }
                Some(Ended::Written(result)) => result?,
                Some(Ended::Sought(_)) => self.sought = None,
                None => {
                    let len = into.len().clamp(LEAST, MOST);
                    self.begin(move |file, buf| Ended::Read(read(file, buf, len)));
                }
            }
        }
    }

    pub(super) fn poll_write(
        &mut self,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_settled(cx))?;
        let back = self.back();
        let len = from.len().min(MOST);
        self.buf.clear();
        self.buf.extend_from_slice(&from[..len]);
        self.begin(move |file, buf| Ended::Written(write(file, buf, back)));
        Poll::Ready(Ok(len))
    }

    pub(super) fn poll_seek(
        &mut self,
        cx: &mut Context<'_>,
        to: SeekFrom,
    ) -> Poll<io::Result<u64>> {
        loop {
            match ready!(self.poll_ended(cx))? {
                Some(Ended::Sought(result)) if self.sought.take() == Some(to) => {
                    return Poll::Ready(result);
                }
                Some(Ended::Written(result)) => result?,
                Some(_) => {}
                None => {
                    let ahead = i64::try_from(self.ahead().len()).unwrap_or(i64::MAX);
                    let exact = match to {
                        SeekFrom::Current(by) => SeekFrom::Current(by.saturating_sub(ahead)),
                        to => to,
                    };
                    self.sought = Some(to);
                    self.begin(move |mut file, _| Ended::Sought(file.seek(exact)));
                }
            }
        }
    }

    /// How far the file is to be set back, so that what was read ahead comes next, and forgets that.
    pub(super) fn back(&mut self) -> i64 {
        let ahead = i64::try_from(self.ahead().len()).unwrap_or(i64::MAX);
        self.buf.clear();
        self.from = 0;
        ahead
    }
}

fn read(mut file: &File, buf: &mut Vec<u8>, len: usize) -> io::Result<()> {
    buf.resize(len, 0);
    let read = loop {
        match file.read(buf) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    buf.truncate(*read.as_ref().unwrap_or(&0));
    read.map(drop)
}

fn write(mut file: &File, buf: &[u8], back: i64) -> io::Result<()> {
    if back > 0 {
        file.seek(SeekFrom::Current(-back))?;
    }
    file.write_all(buf)
}
