//! An open file.

use std::fmt;
use std::fs::{Metadata, Permissions};
use std::future::Future;
use std::io::{self, SeekFrom};
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncSeek, AsyncWrite};

use super::in_flight::InFlight;
use super::operation::Operation;
use crate::loom::sync::Arc;

/// An open file.
///
/// It is read, written and sought by the traits of `futures-io`, and so by the methods of
/// [`AsyncReadExt`](crate::io::AsyncReadExt) and [`AsyncWriteExt`](crate::io::AsyncWriteExt). It reads
/// at least 16 KiB ahead; a write and a seek go to where the next byte would have been read.
///
/// **A write that is ready is on its way, and no more:** an error comes out of the next operation.
/// Await [`flush`](crate::io::AsyncWriteExt::flush) before the file is dropped, or the error is lost.
/// [`sync_all`](Self::sync_all) also waits for the disk.
///
/// # Cancel safety
///
/// A read or write that is dropped before it was ready has read or written nothing. What it was
/// waiting for goes on, and the next operation waits for that first.
///
/// # Examples
///
/// ```
/// use volt::fs::File;
/// use volt::io::{AsyncReadExt, AsyncWriteExt};
///
/// let path = std::env::temp_dir().join(format!("volt-file-{}", std::process::id()));
/// volt::block_on(async {
///     let mut file = File::create(&path).await?;
///     file.write_all(b"hello").await?;
///     file.flush().await?;
///     let mut text = String::new();
///     File::open(&path).await?.read_to_string(&mut text).await?;
///     assert_eq!(text, "hello");
///     volt::fs::remove_file(&path).await
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct File(InFlight);

impl File {
    /// Opens a file to read it.
    ///
    /// # Errors
    ///
    /// Fails as [`std::fs::File::open`] does.
    #[track_caller]
    pub fn open<P: AsRef<Path>>(path: P) -> Operation<P, PathBuf, Self> {
        let owned = path.as_ref().to_owned();
        Operation::new(path, owned, |path| {
            std::fs::File::open(path).map(Self::from_std)
        })
    }

    /// Makes a file, or empties the one that is there, to write it.
    ///
    /// # Errors
    ///
    /// Fails as [`std::fs::File::create`] does.
    #[track_caller]
    pub fn create<P: AsRef<Path>>(path: P) -> Operation<P, PathBuf, Self> {
        let owned = path.as_ref().to_owned();
        Operation::new(path, owned, |path| {
            std::fs::File::create(path).map(Self::from_std)
        })
    }

    /// Takes over a file of the standard library.
    pub fn from_std(file: std::fs::File) -> Self {
        Self(InFlight::new(file))
    }

    /// What the system knows of it, when all that was written has gone.
    ///
    /// # Errors
    ///
    /// Fails as a write that was on its way, or as [`std::fs::File::metadata`] does.
    #[track_caller]
    pub fn metadata(&mut self) -> OnFile<'_, (), Metadata> {
        OnFile::new(self, (), |file, ()| file.metadata())
    }

    /// Sets how long it is; new bytes are zeros.
    ///
    /// # Errors
    ///
    /// Fails as a write that was on its way, or as [`std::fs::File::set_len`] does.
    #[track_caller]
    pub fn set_len(&mut self, len: u64) -> OnFile<'_, u64, ()> {
        OnFile::new(self, len, |file, len| file.set_len(len))
    }

    /// Sets who may do what with it.
    ///
    /// # Errors
    ///
    /// Fails as a write that was on its way, or as [`std::fs::File::set_permissions`] does.
    #[track_caller]
    pub fn set_permissions(&mut self, to: Permissions) -> OnFile<'_, Permissions, ()> {
        OnFile::new(self, to, |file, to| file.set_permissions(to))
    }

    /// Waits until all that was written, and what the system knows of the file, is on the disk.
    ///
    /// # Errors
    ///
    /// Fails as a write that was on its way, or as [`std::fs::File::sync_all`] does.
    #[track_caller]
    pub fn sync_all(&mut self) -> OnFile<'_, (), ()> {
        OnFile::new(self, (), |file, ()| file.sync_all())
    }

    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    ///
    /// Fails as a write that was on its way, or as [`std::fs::File::sync_data`] does.
    #[track_caller]
    pub fn sync_data(&mut self) -> OnFile<'_, (), ()> {
        OnFile::new(self, (), |file, ()| file.sync_data())
    }
}

impl From<std::fs::File> for File {
    fn from(file: std::fs::File) -> Self {
        Self::from_std(file)
    }
}

impl AsyncRead for File {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().0.poll_read(cx, buf)
    }
}

impl AsyncWrite for File {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().0.poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().0.poll_settled(cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

impl AsyncSeek for File {
    fn poll_seek(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: SeekFrom,
    ) -> Poll<io::Result<u64>> {
        self.get_mut().0.poll_seek(cx, to)
    }
}

#[cfg(unix)]
impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.file.as_fd()
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("File").field(&self.0.file).finish()
    }
}

/// The future of a method of [`File`], which needs an `A` and gives a `T`.
#[must_use = "futures do nothing unless polled"]
pub struct OnFile<'a, A, T> {
    file: &'a mut File,
    stage: Stage<A, T>,
}

type Run<A, T> = fn(&std::fs::File, A) -> io::Result<T>;

type Begun<A, T> = Operation<(), (Arc<std::fs::File>, A, Run<A, T>), T>;

enum Stage<A, T> {
    /// What was written before has to go first.
    Asked(Option<(A, Run<A, T>)>),
    Begun(Begun<A, T>),
}

impl<'a, A, T> OnFile<'a, A, T> {
    fn new(file: &'a mut File, argument: A, run: Run<A, T>) -> Self {
        let stage = Stage::Asked(Some((argument, run)));
        Self { file, stage }
    }
}

// The argument is moved, never pinned.
impl<A, T> Unpin for OnFile<'_, A, T> {}

impl<A, T> Future for OnFile<'_, A, T>
where
    A: Send + 'static,
    T: Send + 'static,
{
    type Output = io::Result<T>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Stage::Asked(asked) = &mut this.stage {
            ready!(this.file.0.poll_settled(cx))?;
            let (argument, run) = asked.take().expect("it is asked once");
            let job = (this.file.0.file.clone(), argument, run);
            this.stage = Stage::Begun(Operation::new((), job, |(file, argument, run)| {
                run(&file, argument)
            }));
        }
        match &mut this.stage {
            Stage::Begun(operation) => Pin::new(operation).poll(cx),
            Stage::Asked(_) => Poll::Pending,
        }
    }
}

impl<A, T> fmt::Debug for OnFile<'_, A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnFile")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}
