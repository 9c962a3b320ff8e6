//! `File`: an open file.

use std::fmt;
use std::fs::{Metadata, Permissions};
use std::future::Future;
use std::io::{self, IoSlice, SeekFrom};
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncSeek, AsyncWrite};
use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use super::file_operation::{FileOperation, IntoStd};
use super::file_state::FileState;
use super::operation::Operation;

/// An open file.
///
/// It implements the traits of `futures-io`, and so has the methods of
/// [`AsyncReadExt`](crate::io::AsyncReadExt), [`AsyncWriteExt`](crate::io::AsyncWriteExt) and
/// [`AsyncSeekExt`](crate::io::AsyncSeekExt).
///
/// The operations of a file, and of all its [clones](Self::try_clone), take place in the order of
/// their first polls. They have the effect of those of [`std::fs::File`], also on pipes and
/// terminals. A read requests as many bytes as its buffer can store, up to 1 MiB, and does not read
/// ahead. For small reads, use a [`BufReader`](crate::io::BufReader), because each read of a `File`
/// is a system call, and perhaps a [job](super).
///
/// # Writes
///
/// **A write is ready as soon as the file has accepted its bytes.** Each write of up to 1 MiB is
/// one system call. A file accepts up to 1 MiB in total before its first write has taken place.
/// Shutdown waits for accepted writes. It does not wait for reads, because a terminal or a pipe may
/// have no input for ever.
///
/// The next operation returns the error of an accepted write, once, and has no other effect. Await
/// [`flush`](crate::io::AsyncWriteExt::flush) before you drop the file; otherwise the error is
/// lost. [`sync_all`](Self::sync_all) also waits for the disk. After an error, the file keeps the
/// bytes that were not written. Each further operation first writes them, and returns the next
/// error if this fails. [`take_unwritten`](Self::take_unwritten) discards them.
///
/// # Cancel safety
///
/// A write that is dropped before it is ready writes nothing. A read that is dropped consumes
/// nothing: the next read returns its bytes, or they are read again after another operation.
///
/// All other operations take place after their first poll, even if their future is dropped, and
/// before the next operation. If such an operation would have changed the file and fails, the next
/// operation returns its error. If a seek was dropped, and the next operation of the handle is a
/// seek with the same argument, both are one seek.
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
pub struct File(FileState);

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

    /// Opens a file to write it. The file is created, or truncated if it exists.
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

    /// Converts a file of the standard library.
    pub fn from_std(file: std::fs::File) -> Self {
        Self(FileState::new(file))
    }

    /// Waits for the operations that have begun, and returns the file of the standard library.
    ///
    /// Its position is that of the next byte that this file would have read or written. If the file
    /// has no position, as a terminal or a pipe, the bytes of a dropped read are lost.
    ///
    /// # Errors
    ///
    /// Returns the error of an accepted write. The file is closed then.
    #[track_caller]
    pub fn into_std(self) -> IntoStd {
        IntoStd::new(self.0)
    }

    /// Opens another handle of the same open file, as [`std::fs::File::try_clone`] does. Both
    /// handles share the position and the order of operations.
    ///
    /// # Errors
    ///
    /// Returns the error of an accepted write, or fails as [`std::fs::File::try_clone`] does.
    #[track_caller]
    pub fn try_clone(&mut self) -> TryClone<'_> {
        register::<TryClone<'_>>();
        TryClone(FileOperation::reading(&mut self.0, (), |file, ()| {
            file.try_clone()
        }))
    }

    /// Returns the metadata of the file, after all accepted writes.
    ///
    /// # Errors
    ///
    /// Returns the error of an accepted write, or fails as [`std::fs::File::metadata`] does.
    #[track_caller]
    pub fn metadata(&mut self) -> FileOperation<'_, (), Metadata> {
        FileOperation::reading(&mut self.0, (), |file, ()| file.metadata())
    }

    /// Sets the length of the file in bytes. Added bytes are zero.
    ///
    /// # Errors
    ///
    /// Returns the error of an accepted write, or fails as [`std::fs::File::set_len`] does.
    #[track_caller]
    pub fn set_len(&mut self, len: u64) -> FileOperation<'_, u64, ()> {
        FileOperation::changing(&mut self.0, len, |file, len| file.set_len(len))
    }

    /// Sets the permissions of the file.
    ///
    /// # Errors
    ///
    /// Returns the error of an accepted write, or fails as [`std::fs::File::set_permissions`] does.
    #[track_caller]
    pub fn set_permissions(&mut self, to: Permissions) -> FileOperation<'_, Permissions, ()> {
        FileOperation::changing(&mut self.0, to, |file, to| file.set_permissions(to))
    }

    /// Waits until all accepted writes and the metadata of the file are on the disk.
    ///
    /// # Errors
    ///
    /// Returns the error of an accepted write, or fails as [`std::fs::File::sync_all`] does.
    #[track_caller]
    pub fn sync_all(&mut self) -> FileOperation<'_, (), ()> {
        FileOperation::changing(&mut self.0, (), |file, ()| file.sync_all())
    }

    /// Waits until all accepted writes are on the disk.
    ///
    /// # Errors
    ///
    /// Returns the error of an accepted write, or fails as [`std::fs::File::sync_data`] does.
    #[track_caller]
    pub fn sync_data(&mut self) -> FileOperation<'_, (), ()> {
        FileOperation::changing(&mut self.0, (), |file, ()| file.sync_data())
    }

    /// Removes the bytes of failed writes from the file, and returns them.
    ///
    /// Without this call, each further operation first tries to write these bytes. The result is
    /// empty if no write has failed.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(target_os = "linux")]
    /// volt::block_on(async {
    ///     use volt::io::AsyncWriteExt;
    ///
    ///     // Every write to this device fails.
    ///     let options = volt::fs::OpenOptions::new().write(true).clone();
    ///     let mut full = options.open("/dev/full").await?;
    ///     full.write_all(b"hello").await?;
    ///     assert!(full.flush().await.is_err() && full.flush().await.is_err());
    ///     assert_eq!(full.take_unwritten(), b"hello");
    ///     full.flush().await
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn take_unwritten(&mut self) -> Vec<u8> {
        self.0.accepted.take_failed()
    }
}

impl From<std::fs::File> for File {
    fn from(file: std::fs::File) -> Self {
        Self::from_std(file)
    }
}

impl AsyncRead for File {
    #[track_caller]
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().0.poll_read(cx, buf)
    }
}

impl AsyncWrite for File {
    #[track_caller]
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().0.poll_write(cx, &[IoSlice::new(buf)])
    }

    /// Writes all slices by one system call, up to 1 MiB.
    #[track_caller]
    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().0.poll_write(cx, slices)
    }

    #[track_caller]
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().0.poll_flush(cx)
    }

    #[track_caller]
    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

impl AsyncSeek for File {
    #[track_caller]
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
        self.0.open.file.as_fd()
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("File").field(&self.0.open.file).finish()
    }
}

/// The future of [`File::try_clone`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct TryClone<'a>(FileOperation<'a, (), std::fs::File>);

impl Inspect for TryClone<'_> {
    fn inspect(mut self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("TryClone"), |inspector| {
            Pin::new(&mut self.0).inspect(inspector);
        });
    }
}

registrable!(TryClone<'a>);

impl Future for TryClone<'_> {
    type Output = io::Result<File>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let cloned = ready!(Pin::new(&mut self.0).poll(cx));
        Poll::Ready(cloned.map(|file| File(self.0.file.with_clone(file))))
    }
}
