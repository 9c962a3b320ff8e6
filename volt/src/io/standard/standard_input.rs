//! The standard input.
//!
//! ```text
//!   Stdin ──poll_read──► Input ──unpark──► thread `volt-stdin` ──read──► std::io::stdin()
//!     ▲                    │ ▲                                             │
//!     └──────wake──────────┘ └──────────────bytes, the end, an error ──────┘
//! ```
//!
//! A task that finds no bytes requests a read from the thread. The thread belongs to no runtime, no
//! shutdown waits for it, and it ends with the process.

use std::io::{self, ErrorKind, Read};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use futures_io::AsyncRead;

use crate::loom::PerProcess;
use crate::loom::thread::{self, Thread};
use crate::task::poll_proceed;
use crate::util::catch_and_discard;

/// The largest number of bytes of one read.
const MAX_READ: usize = 16 << 10;

/// The bytes that were read and that no handle has taken.
static INPUT: PerProcess<SharedInput> = PerProcess::new();

#[derive(Default)]
struct SharedInput {
    bytes: Vec<u8>,
    /// The start of the bytes that no handle has taken.
    from: usize,
    /// The result of the last read, if it returned no bytes.
    ended: Option<io::Result<()>>,
    /// A read is requested or in progress.
    is_requested: bool,
    thread: Option<Thread>,
    /// The wakers, by the number of their `Stdin`.
    waiting: Vec<(u64, Waker)>,
    handles: u64,
}

impl SharedInput {
    /// Takes bytes that were read. Returns `None` if a read must be requested.
    fn take(&mut self, into: &mut [u8]) -> Option<io::Result<usize>> {
        let available = &self.bytes[self.from..];
        if available.is_empty() {
            return self.ended.take().map(|ended| ended.map(|()| 0));
        }
        let count = available.len().min(into.len());
        into[..count].copy_from_slice(&available[..count]);
        self.from += count;
        Some(Ok(count))
    }

    /// Stores the waker of a handle for the next read. Returns its previous waker.
    fn wait(&mut self, handle: u64, waker: Waker) -> Option<Waker> {
        match self.waiting.iter_mut().find(|(other, _)| *other == handle) {
            Some((_, known)) => Some(std::mem::replace(known, waker)),
            None => {
                self.waiting.push((handle, waker));
                None
            }
        }
    }

    /// Requests one read from the thread, if none is requested.
    fn request_read(&mut self) -> io::Result<()> {
        if self.is_requested {
            return Ok(());
        }
        self.is_requested = true;
        match &self.thread {
            Some(thread) => thread.unpark(),
            None => {
                let builder = thread::Builder::new().name("volt-stdin".to_owned());
                let started = builder.spawn(read_on_request);
                self.is_requested = started.is_ok();
                self.thread = Some(started?.thread().clone());
            }
        }
        Ok(())
    }

    fn store(&mut self, read: io::Result<&[u8]>) {
        self.is_requested = false;
        match read {
            Ok([]) => self.ended = Some(Ok(())),
            Ok(bytes) => {
                self.bytes.clear();
                self.bytes.extend_from_slice(bytes);
                self.from = 0;
            }
            Err(error) => self.ended = Some(Err(error)),
        }
    }
}

/// The main function of the thread.
fn read_on_request() {
    let mut chunk = vec![0; MAX_READ];
    loop {
        while !INPUT.lock().is_requested {
            thread::park();
        }
        let read = loop {
            match io::stdin().read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let mut input = INPUT.lock();
        input.store(read.map(|count| &chunk[..count]));
        let waiting = std::mem::take(&mut input.waiting);
        drop(input);
        for (_, waker) in waiting {
            // A waker is foreign code.
            catch_and_discard(|| waker.wake());
        }
    }
}

/// Returns a handle of the standard input of the process.
///
/// `BufReader::new(stdin()).lines()` returns its lines. All handles and [`std::io::stdin`] read the
/// same input: each byte is returned by one of them.
///
/// A separate thread reads the input and belongs to no runtime. So the shutdown of a runtime does
/// not wait for input, and the handle works on any executor.
///
/// # Examples
///
/// ```no_run
/// use volt::io::{AsyncBufReadExt, BufReader, stdin};
///
/// #[volt::main]
/// async fn main() -> std::io::Result<()> {
///     let mut lines = BufReader::new(stdin()).lines();
///     while let Some(line) = lines.next_line().await? {
///         println!("{}", line.to_uppercase());
///     }
///     Ok(())
/// }
/// ```
pub fn stdin() -> Stdin {
    let mut input = INPUT.lock();
    input.handles += 1;
    Stdin {
        handle: input.handles,
    }
}

/// A handle of the standard input; see [`stdin`].
///
/// # Errors
///
/// A read returns the errors of [`std::io::Stdin`], and an error if the first read cannot start the
/// thread.
///
/// # Cancel safety
///
/// Cancel safe: a dropped read has taken no bytes. The next read returns them, through any handle
/// and in any runtime. The drop of a `BufReader` loses its buffered bytes.
#[derive(Debug)]
pub struct Stdin {
    handle: u64,
}

impl AsyncRead for Stdin {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let budget = ready!(poll_proceed(cx));
        if buf.is_empty() {
            budget.made_progress();
            return Poll::Ready(Ok(0));
        }
        if let Some(read) = INPUT.lock().take(buf) {
            budget.made_progress();
            return Poll::Ready(read);
        }
        // A waker is foreign code that may drop another `Stdin`, so it is cloned and dropped
        // outside of the lock.
        let waker = cx.waker().clone();
        let mut input = INPUT.lock();
        if let Some(read) = input.take(buf) {
            drop(input);
            budget.made_progress();
            return Poll::Ready(read);
        }
        let former = input.wait(self.handle, waker);
        let requested = input.request_read();
        drop(input);
        drop(former);
        match requested {
            Ok(()) => Poll::Pending,
            Err(error) => {
                budget.made_progress();
                Poll::Ready(Err(error))
            }
        }
    }
}

impl Drop for Stdin {
    fn drop(&mut self) {
        let mut input = INPUT.lock();
        let at = input
            .waiting
            .iter()
            .position(|(handle, _)| *handle == self.handle);
        let waker = at.map(|at| input.waiting.swap_remove(at));
        drop(input);
        drop(waker);
    }
}
