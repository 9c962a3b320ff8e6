//! `read_dir`: the entries of a folder.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::fs::{FileType, Metadata};
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use super::operation::{Operation, poll_job};
use crate::loom::sync::Arc;
use crate::runtime::spawn_blocking;
use crate::task::{JoinHandle, poll_leaf};

/// The number of entries that one job reads.
const BATCH: usize = 64;

/// Returns the entries of a folder, in no particular order.
///
/// # Errors
///
/// Fails as [`std::fs::read_dir`] does.
///
/// # Examples
///
/// ```
/// volt::block_on(async {
///     let mut entries = volt::fs::read_dir("src").await?;
///     while let Some(entry) = entries.next_entry().await? {
///         println!("{} {}", entry.path().display(), entry.metadata().await?.len());
///     }
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[track_caller]
pub fn read_dir<P>(path: P) -> Operation<P, PathBuf, ReadDir>
where
    P: AsRef<Path>,
{
    let owned = path.as_ref().to_owned();
    Operation::new(path, owned, |path| {
        std::fs::read_dir(path).map(ReadDir::new)
    })
}

/// The future of [`read_dir`](fn@read_dir), under the function's own name.
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type read_dir<P> = Operation<P, PathBuf, ReadDir>;

/// The entries of a folder; see [`read_dir`](fn@read_dir).
pub struct ReadDir {
    read: VecDeque<io::Result<std::fs::DirEntry>>,
    unread: Unread,
}

type Batch = (
    VecDeque<io::Result<std::fs::DirEntry>>,
    Option<Box<std::fs::ReadDir>>,
);

enum Unread {
    /// No job reads. The iterator is in a box, because it is large on some systems.
    Idle(Box<std::fs::ReadDir>),
    Reading(JoinHandle<Batch>),
    None,
}

/// Reads some entries. Returns the iterator too, unless it has ended.
fn read_batch(mut dir: Box<std::fs::ReadDir>) -> Batch {
    let read: VecDeque<_> = dir.by_ref().take(BATCH).collect();
    let rest = (read.len() == BATCH).then_some(dir);
    (read, rest)
}

impl ReadDir {
    fn new(dir: std::fs::ReadDir) -> Self {
        Self {
            read: VecDeque::new(),
            unread: Unread::Idle(Box::new(dir)),
        }
    }

    /// Waits for the next entry. Returns `None` after the last entry.
    ///
    /// # Errors
    ///
    /// Fails as [`std::fs::ReadDir`] does.
    ///
    /// # Panics
    ///
    /// The future panics on a thread that is in no runtime.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no entry.
    pub fn next_entry(&mut self) -> NextEntry<'_> {
        register::<NextEntry<'_>>();
        NextEntry { dir: self }
    }

    /// Polls for the next entry; see [`next_entry`](Self::next_entry).
    ///
    /// # Errors
    ///
    /// Fails as [`std::fs::ReadDir`] does.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    pub fn poll_next_entry(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<DirEntry>>> {
        // An entry of the last batch, and the end, are ready at each poll.
        poll_leaf(cx, |cx| self.poll_batch(cx))
    }

    fn poll_batch(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<DirEntry>>> {
        loop {
            if let Some(entry) = self.read.pop_front() {
                let entry = entry.map(|entry| Some(DirEntry(Arc::new(entry))));
                return Poll::Ready(entry);
            }
            let mut job = match std::mem::replace(&mut self.unread, Unread::None) {
                Unread::Idle(dir) => spawn_blocking(move || read_batch(dir)),
                Unread::Reading(job) => job,
                Unread::None => return Poll::Ready(Ok(None)),
            };
            let polled = poll_job(&mut job, cx);
            if polled.is_pending() {
                self.unread = Unread::Reading(job);
            }
            let (read, rest) = ready!(polled)?;
            self.read = read;
            self.unread = rest.map_or(Unread::None, Unread::Idle);
        }
    }
}

impl fmt::Debug for ReadDir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadDir").finish_non_exhaustive()
    }
}

/// The future of [`ReadDir::next_entry`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct NextEntry<'a> {
    dir: &'a mut ReadDir,
}

impl Inspect for NextEntry<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("NextEntry"), |inspector| {
            if let Unread::Reading(job) = &self.dir.unread {
                job.report_wait(inspector);
            }
        });
    }
}

registrable!(NextEntry<'a>);

impl Future for NextEntry<'_> {
    type Output = io::Result<Option<DirEntry>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.get_mut().dir.poll_next_entry(cx)
    }
}

/// A file, folder or link in a folder.
#[derive(Clone, Debug)]
pub struct DirEntry(Arc<std::fs::DirEntry>);

impl DirEntry {
    /// Returns the path of the entry: the path that `read_dir` was called with, and the name.
    pub fn path(&self) -> PathBuf {
        self.0.path()
    }

    /// Returns the name of the entry, without the path.
    pub fn file_name(&self) -> OsString {
        self.0.file_name()
    }

    /// Returns the metadata of the entry. For a symbolic link, it is the metadata of the link.
    ///
    /// # Errors
    ///
    /// Fails as [`std::fs::DirEntry::metadata`] does.
    #[track_caller]
    pub fn metadata(&self) -> Operation<(), Self, Metadata> {
        Operation::new((), self.clone(), |entry| entry.0.metadata())
    }

    /// Returns the type of the entry: a file, a folder, or a symbolic link.
    ///
    /// # Errors
    ///
    /// Fails as [`std::fs::DirEntry::file_type`] does.
    #[track_caller]
    pub fn file_type(&self) -> Operation<(), Self, FileType> {
        Operation::new((), self.clone(), |entry| entry.0.file_type())
    }
}
