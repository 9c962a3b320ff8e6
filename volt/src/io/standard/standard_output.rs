//! The standard output and the standard error.

use std::io::{self, IoSlice, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncWrite;

use crate::io::write_behind::{RecordSink, WriteBehind, write_counted};
use crate::loom::PerProcess;
use crate::loom::sync::Arc;
use crate::runtime::{JobQueue, Urgency};

/// The writes of all handles of both streams, in the order in which they were accepted.
static QUEUE: PerProcess<Arc<JobQueue>> = PerProcess::new();

/// A handle of a stream.
#[derive(Debug)]
struct OutputHandle {
    sink: OutputSink,
    accepted: WriteBehind,
    /// A flush is in the queue, and no write after it.
    is_flushing: bool,
}

/// The stream of the standard library.
#[derive(Clone, Copy, Debug)]
enum OutputSink {
    Stdout,
    Stderr,
}

impl OutputSink {
    fn flush(self) -> io::Result<()> {
        match self {
            Self::Stdout => io::stdout().flush(),
            Self::Stderr => io::stderr().flush(),
        }
    }
}

impl RecordSink for OutputSink {
    /// Writes the bytes of one record together, and flushes them.
    fn write_record(&mut self, record: &[u8], written: &mut usize) -> io::Result<()> {
        fn write(mut stream: impl Write, record: &[u8], written: &mut usize) -> io::Result<()> {
            write_counted(&mut stream, record, written)?;
            stream.flush()
        }
        match self {
            Self::Stdout => write(io::stdout().lock(), record, written),
            Self::Stderr => write(io::stderr().lock(), record, written),
        }
    }
}

impl OutputHandle {
    fn new(sink: OutputSink) -> Self {
        let queue = Arc::clone(&QUEUE.lock());
        Self {
            sink,
            accepted: WriteBehind::new(queue),
            is_flushing: false,
        }
    }

    #[track_caller]
    fn poll_write(
        &mut self,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.is_flushing = false;
        self.accepted.poll_write(cx, slices, || self.sink)
    }

    /// Waits for all writes that any handle has accepted before.
    #[track_caller]
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_flushing {
            self.accepted.report()?;
            let mut sink = self.sink;
            self.accepted.push(Urgency::Mandatory, move |entry| {
                if entry.may_run(&mut sink)
                    && let Err(error) = sink.flush()
                {
                    entry.fail(error);
                }
                entry.end()
            })?;
            self.is_flushing = true;
        }
        let settled = ready!(self.accepted.poll_end(cx));
        self.is_flushing = false;
        Poll::Ready(settled)
    }
}

/// Declares a stream and the function that returns it.
macro_rules! outputs {
    ($($(#[$attribute:meta])* $function:ident, $Output:ident;)*) => {$(
        $(#[$attribute])*
        ///
        /// **A write is ready as soon as it was accepted.** Accepted writes of all handles, of the
        /// standard output and of the standard error, take place in one order. The end of the
        /// runtime waits for them. Await [`flush`](crate::io::AsyncWriteExt::flush) before the
        /// process ends by [`std::process::exit`]: it waits for the writes of all handles. The
        /// bytes of one write, up to 1 MiB, stay together. They are flushed, with or without a line
        /// end.
        ///
        /// If the reader of one stream is slow, both streams wait. Use `eprintln!` for a message
        /// that must not wait for the other stream.
        ///
        /// Each write costs a hand-off to a blocking thread and back. `println!` is cheaper, but
        /// blocks its worker while the output is not read.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = concat!("use volt::io::{AsyncWriteExt, ", stringify!($function), "};")]
        ///
        /// volt::block_on(async {
        #[doc = concat!("    let mut stream = ", stringify!($function), "();")]
        ///     stream.write_all(b"hello\n").await?;
        ///     stream.flush().await
        /// })?;
        /// # Ok::<(), std::io::Error>(())
        /// ```
        pub fn $function() -> $Output {
            $Output(OutputHandle::new(OutputSink::$Output))
        }

        #[doc = concat!("The stream of [`", stringify!($function), "`].")]
        ///
        /// # Errors
        ///
        /// The error of a write is returned by the next operation of the handle, once. The bytes
        /// that were not written stay in the handle, and the operation after that writes them
        /// first.
        ///
        /// # Panics
        ///
        /// A write panics if called outside a volt runtime.
        ///
        /// # Cancel safety
        ///
        /// A write that is dropped before it is ready has written nothing.
        #[derive(Debug)]
        pub struct $Output(OutputHandle);

        impl AsyncWrite for $Output {
            #[track_caller]
            fn poll_write(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &[u8],
            ) -> Poll<io::Result<usize>> {
                self.get_mut().0.poll_write(cx, &[IoSlice::new(buf)])
            }

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

            /// Flushes. The stream of the process stays open.
            #[track_caller]
            fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.get_mut().0.poll_flush(cx)
            }
        }
    )*};
}

outputs! {
    /// Returns a handle of the standard output of the process.
    stdout, Stdout;
    /// Returns a handle of the standard error of the process.
    stderr, Stderr;
}
