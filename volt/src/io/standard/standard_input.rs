//! The standard input.
//!
//! ```text
//!   Stdin ──poll_read──► Input ──unpark──► thread `volt-stdin` ──read──► std::io::stdin()
//!     ▲                    │ ▲                                             │
//!     └──────wake──────────┘ └──────────────bytes, the end, an error ──────┘
//! ```
//!
//! The thread reads when it is asked, and is asked when somebody waits and nothing is there. Nobody waits
//! for it: it belongs to no runtime, and it ends with the process.

use std::io::{self, ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use futures_io::AsyncRead;

use crate::loom::PerProcess;
use crate::loom::thread::{self, Thread};
use crate::task::poll_proceed;

/// How much is read at a time, at most.
const MAX_READ: usize = 16 << 10;

/// What was read and by nobody taken yet.
static INPUT: PerProcess<SharedInput> = PerProcess::new();

#[derive(Default)]
struct SharedInput {
    bytes: Vec<u8>,
    /// From here on they are not taken yet.
    from: usize,
    /// The last read brought no bytes.
    ended: Option<io::Result<()>>,
    /// The thread is to read, or does so.
    is_requested: bool,
    thread: Option<Thread>,
    /// By the number of their `Stdin`.
    waiting: Vec<(u64, Waker)>,
    handles: u64,
}

impl SharedInput {
    /// Takes what is there; `None` if the thread has to be asked.
    fn take(&mut self, into: &mut [u8]) -> Option<io::Result<usize>> {
        let there = &self.bytes[self.from..];
        if there.is_empty() {
            return self.ended.take().map(|ended| ended.map(|()| 0));
        }
        let count = there.len().min(into.len());
        into[..count].copy_from_slice(&there[..count]);
        self.from += count;
        Some(Ok(count))
    }

    /// Has this handle woken by the next read. Returns the waker that it had there.
    fn wait(&mut self, handle: u64, waker: Waker) -> Option<Waker> {
        match self.waiting.iter_mut().find(|(other, _)| *other == handle) {
            Some((_, known)) => Some(std::mem::replace(known, waker)),
            None => {
                self.waiting.push((handle, waker));
                None
            }
        }
    }

    /// Has the thread read once, if it is not about to.
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

/// The thread's life.
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
            // A waker is foreign code. The panic hook has told of it; what it carries may panic as well.
            std::mem::forget(catch_unwind(AssertUnwindSafe(|| waker.wake())));
        }
    }
}

/// The standard input of the process.
///
/// It is read as any reader: `BufReader::new(stdin()).lines()` gives its lines. All handles read the same
/// input, and what one has read no other sees; [`std::io::stdin`] is that input, too.
///
/// A thread of its own reads it, which belongs to no runtime: a runtime that ends while somebody waits for
/// input does not wait for it. It works on any executor.
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

/// The standard input; see [`stdin`].
///
/// # Errors
///
/// A read fails as one of [`std::io::Stdin`] does, or when the system grants no thread for the first one.
///
/// # Cancel safety
///
/// A read that is dropped has taken nothing: what comes is kept for the next one, through whichever handle
/// and in whichever runtime. The bytes in a `BufReader` are lost with that.
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
        if buf.is_empty() {
            return Poll::Ready(Ok(0));
        }
        let budget = ready!(poll_proceed(cx));
        if let Some(read) = INPUT.lock().take(buf) {
            budget.made_progress();
            return Poll::Ready(read);
        }
        // A waker is foreign code, which may drop another `Stdin`: none is cloned or dropped under the lock.
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
