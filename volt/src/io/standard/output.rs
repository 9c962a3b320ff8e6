//! The standard output and the standard error.

use std::future::Future;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncWrite;

use crate::runtime::spawn_blocking_mandatory;
use crate::task::JoinHandle;

/// How much one job writes at most.
const MOST: usize = 1 << 20;

/// A stream and the one job that may be writing to it.
#[derive(Debug)]
struct Output {
    write: fn(&[u8]) -> io::Result<()>,
    /// Empty while a job has it.
    buf: Vec<u8>,
    job: Option<JoinHandle<Done>>,
}

#[derive(Debug)]
struct Done {
    buf: Vec<u8>,
    result: io::Result<()>,
}

impl Output {
    fn new(write: fn(&[u8]) -> io::Result<()>) -> Self {
        Self {
            write,
            buf: Vec::new(),
            job: None,
        }
    }

    /// Waits until what was written is out.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(job) = &mut self.job else {
            return Poll::Ready(Ok(()));
        };
        let done = ready!(Pin::new(job).poll(cx));
        self.job = None;
        let Done { buf, result } = done.map_err(io::Error::from)?;
        self.buf = buf;
        Poll::Ready(result)
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_flush(cx))?;
        if from.is_empty() {
            return Poll::Ready(Ok(0));
        }
        let from = &from[..from.len().min(MOST)];
        let mut buf = std::mem::take(&mut self.buf);
        buf.clear();
        buf.extend_from_slice(from);
        let write = self.write;
        self.job = Some(spawn_blocking_mandatory(move || {
            let result = write(&buf);
            Done { buf, result }
        }));
        Poll::Ready(Ok(from.len()))
    }
}

/// Declares a stream and the function that gives it.
macro_rules! outputs {
    ($($(#[$attribute:meta])* $function:ident, $Output:ident;)*) => {$(
        $(#[$attribute])*
        ///
        /// **A write that is ready is on its way, and no more:** await
        /// [`flush`](crate::io::AsyncWriteExt::flush) before the program ends, or the last bytes may never
        /// be out. The bytes of one write, up to 1 MiB, stay together, and are shown without a line end.
        ///
        /// Each write costs a hand-over to a thread that may block and back. `println!` is cheaper, and blocks
        /// its worker for as long as nobody reads what is written.
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
            $Output(Output::new(|bytes| {
                let mut stream = io::$function().lock();
                stream.write_all(bytes)?;
                stream.flush()
            }))
        }

        #[doc = concat!("The stream of [`", stringify!($function), "`].")]
        ///
        /// # Errors
        ///
        /// A write fails as the one before it did, and `flush` as the last one.
        ///
        /// # Panics
        ///
        /// A write panics on a thread that is in no runtime.
        ///
        /// # Cancel safety
        ///
        /// A write that is dropped before it was ready has written nothing.
        #[derive(Debug)]
        pub struct $Output(Output);

        impl AsyncWrite for $Output {
            #[track_caller]
            fn poll_write(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &[u8],
            ) -> Poll<io::Result<usize>> {
                self.get_mut().0.poll_write(cx, buf)
            }

            fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.get_mut().0.poll_flush(cx)
            }

            /// Flushes; the stream stays open for others.
            fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.get_mut().0.poll_flush(cx)
            }
        }
    )*};
}

outputs! {
    /// The standard output of the process.
    stdout, Stdout;
    /// The standard error of the process.
    stderr, Stderr;
}
