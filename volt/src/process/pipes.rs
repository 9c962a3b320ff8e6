//! The pipes between this process and a child.

use std::io::{self, ErrorKind, IoSlice, IoSliceMut, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::pin::Pin;
use std::process::Stdio;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncWrite};
use socket2::SockRef;

use crate::io::Registered;
use crate::task::poll_spent;

/// Registers an end of a pipe with the driver.
fn watch<T: AsFd>(pipe: T) -> io::Result<Registered<T>> {
    SockRef::from(&pipe).set_nonblocking(true)?;
    Registered::new(pipe)
}

/// Deregisters an end of a pipe, and makes it blocking, for use by a child.
fn unwatch<T: AsFd>(pipe: Registered<T>) -> io::Result<T> {
    let pipe = pipe.into_inner();
    SockRef::from(&pipe).set_nonblocking(false)?;
    Ok(pipe)
}

/// The standard input of a child.
///
/// The input of the child ends when this is dropped or
/// [closed](crate::io::AsyncWriteExt::close).
#[derive(Debug)]
pub struct ChildStdin {
    /// `None` after the close.
    pipe: Option<Registered<PipeWriter>>,
}

impl ChildStdin {
    pub(super) fn new(pipe: std::process::ChildStdin) -> io::Result<Self> {
        let pipe = watch(PipeWriter::from(OwnedFd::from(pipe)))?;
        Ok(Self { pipe: Some(pipe) })
    }

    fn poll_with(
        &self,
        cx: &mut Context<'_>,
        write: impl FnMut(&PipeWriter) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        match &self.pipe {
            Some(pipe) => pipe.poll_write_io(cx, write),
            None => poll_spent(cx).map(|()| Err(ErrorKind::BrokenPipe.into())),
        }
    }
}

impl AsyncWrite for ChildStdin {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_with(cx, |mut pipe| pipe.write(buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_with(cx, |mut pipe| pipe.write_vectored(bufs))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        poll_spent(cx).map(Ok)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(poll_spent(cx));
        self.pipe = None;
        Poll::Ready(Ok(()))
    }
}

/// Converts the pipe to the output stream of another child.
impl TryFrom<ChildStdin> for Stdio {
    type Error = io::Error;

    fn try_from(stdin: ChildStdin) -> io::Result<Self> {
        let pipe = stdin.pipe.ok_or(ErrorKind::BrokenPipe)?;
        Ok(OwnedFd::from(unwatch(pipe)?).into())
    }
}

/// Declares readable ends of pipes.
macro_rules! outputs {
    ($($(#[$attribute:meta])* $Output:ident;)*) => {$(
        $(#[$attribute])*
        ///
        /// `Stdio::try_from` converts it to the standard input of another child, for pipelines.
        #[derive(Debug)]
        pub struct $Output {
            pipe: Registered<PipeReader>,
        }

        impl $Output {
            pub(super) fn new(pipe: std::process::$Output) -> io::Result<Self> {
                let pipe = watch(PipeReader::from(OwnedFd::from(pipe)))?;
                Ok(Self { pipe })
            }
        }

        impl AsyncRead for $Output {
            fn poll_read(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                self.pipe.poll_read_io(cx, |mut pipe| pipe.read(buf))
            }

            fn poll_read_vectored(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bufs: &mut [IoSliceMut<'_>],
            ) -> Poll<io::Result<usize>> {
                self.pipe.poll_read_io(cx, |mut pipe| pipe.read_vectored(bufs))
            }
        }

        impl AsFd for $Output {
            fn as_fd(&self) -> BorrowedFd<'_> {
                self.pipe.as_fd()
            }
        }

        /// Converts the pipe to the standard input of another child.
        impl TryFrom<$Output> for Stdio {
            type Error = io::Error;

            fn try_from(output: $Output) -> io::Result<Self> {
                Ok(OwnedFd::from(unwatch(output.pipe)?).into())
            }
        }
    )*};
}

outputs! {
    /// The standard output of a child.
    ChildStdout;
    /// The standard error of a child.
    ChildStderr;
}
