//! Futures of the status and the output of a child.

use std::fmt;
use std::future::Future;
use std::io;
use std::mem;
use std::pin::Pin;
use std::process::{self, ExitStatus};
use std::task::{Context, Poll};

use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use super::child::Child;
use crate::io::{AsyncRead, AsyncReadExt};
use crate::task::poll_leaf;

/// The future of [`Command::status`](super::command::Command::status).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Status {
    child: SpawnResult,
}

/// The result of the start of a child.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a child is large on some systems only, and a box would cost an allocation"
)]
enum SpawnResult {
    Started(Child),
    Failed(io::Error),
    /// The error was returned.
    Reported,
}

impl SpawnResult {
    fn new(child: io::Result<Child>) -> Self {
        child.map_or_else(Self::Failed, Self::Started)
    }

    /// Returns the child. After a failed start, the first call returns the error of the start, and
    /// later calls return another error.
    fn child(&mut self) -> io::Result<&mut Child> {
        match self {
            Self::Started(child) => Ok(child),
            failed => match mem::replace(failed, Self::Reported) {
                Self::Failed(error) => Err(error),
                Self::Started(_) | Self::Reported => {
                    Err(io::Error::other("the child was not started"))
                }
            },
        }
    }

    /// Reports to the current node of an inspector that it waits for the exit of the process.
    fn report_wait(&self, inspector: &mut Inspector<'_>) {
        if let Self::Started(child) = self {
            child.report_wait(inspector);
        }
    }
}

impl Status {
    pub(super) fn new(child: io::Result<Child>) -> Self {
        register::<Self>();
        Self {
            child: SpawnResult::new(child),
        }
    }
}

impl Inspect for Status {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Status"), |inspector| {
            self.child.report_wait(inspector);
        });
    }
}

registrable!(Status);

impl Future for Status {
    type Output = io::Result<ExitStatus>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        poll_leaf(cx, |cx| {
            let child = self.child.child()?;
            discard(cx, &mut child.stdout);
            discard(cx, &mut child.stderr);
            child.poll_wait(cx)
        })
    }
}

/// Reads the available bytes of a pipe, and drops them. Closes the pipe at its end and after an
/// error.
fn discard<R: AsyncRead + Unpin>(cx: &mut Context<'_>, pipe: &mut Option<R>) {
    let mut buf = [0; 1024];
    while let Some(reader) = pipe {
        match Pin::new(reader).poll_read(cx, &mut buf) {
            Poll::Pending => return,
            Poll::Ready(Ok(read)) if read > 0 => {}
            Poll::Ready(_) => *pipe = None,
        }
    }
}

/// The future of [`Command::output`](super::command::Command::output) and
/// [`Child::wait_with_output`].
#[must_use = "futures do nothing unless polled"]
pub struct Output {
    child: SpawnResult,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Output {
    pub(super) fn new(child: io::Result<Child>) -> Self {
        register::<Self>();
        Self {
            child: SpawnResult::new(child),
            stdout: Vec::new(),
            stderr: Vec::new(),
        }
    }
}

impl Child {
    /// Waits for the exit of the process, and returns its status and its output.
    ///
    /// The standard output and the standard error are read to their ends, if they are pipes. The
    /// standard input is dropped first.
    ///
    /// # Errors
    ///
    /// Fails as [`wait`](Self::wait) and as reads of the pipes do.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** dropping the future loses the output that was read, and drops the
    /// child.
    pub fn wait_with_output(mut self) -> Output {
        self.stdin = None;
        Output::new(Ok(self))
    }
}

/// Reads a pipe to its end, and closes it.
fn poll_read<R>(
    cx: &mut Context<'_>,
    pipe: &mut Option<R>,
    read: &mut Vec<u8>,
) -> Poll<io::Result<()>>
where
    R: AsyncRead + Unpin,
{
    let Some(reader) = pipe else {
        return Poll::Ready(Ok(()));
    };
    // The vector contains all bytes so far, so each poll can use a new future.
    let polled = Pin::new(&mut reader.read_to_end(read)).poll(cx);
    if polled.is_ready() {
        *pipe = None;
    }
    polled.map_ok(drop)
}

impl Inspect for Output {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Output"), |inspector| {
            self.child.report_wait(inspector);
        });
    }
}

registrable!(Output);

impl Future for Output {
    type Output = io::Result<process::Output>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        poll_leaf(cx, |cx| self.get_mut().poll_output(cx))
    }
}

impl Output {
    fn poll_output(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<process::Output>> {
        let child = self.child.child()?;
        let stdout = poll_read(cx, &mut child.stdout, &mut self.stdout)?;
        let stderr = poll_read(cx, &mut child.stderr, &mut self.stderr)?;
        let status = child.poll_wait(cx)?;
        match (stdout, stderr, status) {
            (Poll::Ready(()), Poll::Ready(()), Poll::Ready(status)) => {
                Poll::Ready(Ok(process::Output {
                    status,
                    stdout: mem::take(&mut self.stdout),
                    stderr: mem::take(&mut self.stderr),
                }))
            }
            _ => Poll::Pending,
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("child", &self.child)
            .finish_non_exhaustive()
    }
}
