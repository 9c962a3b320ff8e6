//! Signals that are caught: one registration a signal and process, which all listeners share.
//!
//! ```text
//!   signal ──► handler: sets the flag of the signal, then writes a byte to the socket
//!                                                          │
//!   relay of a runtime ◄── its driver reports the socket ◄─┘
//!        │ empties the socket, then `deliver`
//!        ▼
//!   each flag that is set: the signal counts once more, and its listeners are woken
//! ```
//!
//! A flag and a count are enough for any number of listeners: a listener remembers the count up to
//! which it has seen. Whoever looks at a flag takes it under the lock and counts for all
//! listeners, so it does not matter which runtime reads the socket.
//!
//! The byte alone would not do. A fork of the process inherits the handler and the socket, and its
//! signals wake the listeners of the parent. But the flag that they set is that of the child.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Poll, Waker};

use signal_hook::consts::FORBIDDEN;
use signal_hook::{flag, low_level};

use crate::loom::PerProcess;

/// Signals have numbers from one up to less than this.
const MAX_SIGNAL: i32 = 128;

static CAUGHT: PerProcess<CaughtSignals> = PerProcess::new();

/// The signals that this process catches.
#[derive(Debug, Default)]
struct CaughtSignals {
    sockets: Option<Sockets>,
    signals: HashMap<i32, CaughtSignal>,
    /// The number of the last listener.
    last: u64,
}

/// The handlers write to one of them, and relays read from the other.
#[derive(Debug)]
struct Sockets {
    read: UnixStream,
    write: UnixStream,
}

/// A signal that is caught from now on, for the rest of the process.
#[derive(Debug)]
struct CaughtSignal {
    /// The handler sets it.
    raised: Arc<AtomicBool>,
    /// How many times the flag was found set.
    count: u64,
    /// The wakers of listeners, by their numbers.
    waiting: HashMap<u64, Waker>,
}

impl CaughtSignals {
    fn sockets(&mut self) -> io::Result<&Sockets> {
        if self.sockets.is_none() {
            let (read, write) = UnixStream::pair()?;
            read.set_nonblocking(true)?;
            write.set_nonblocking(true)?;
            self.sockets = Some(Sockets { read, write });
        }
        Ok(self.sockets.as_ref().expect("they were made"))
    }

    /// Returns the signal, which is caught if it was not.
    fn signal(&mut self, number: i32) -> io::Result<&mut CaughtSignal> {
        if !self.signals.contains_key(&number) {
            let write = self.sockets()?.write.try_clone()?;
            let raised = Arc::new(AtomicBool::new(false));
            // In the order of their registration they are called.
            let flag = flag::register(number, Arc::clone(&raised))?;
            if let Err(error) = low_level::pipe::register(number, write) {
                low_level::unregister(flag);
                return Err(error);
            }
            let signal = CaughtSignal {
                raised,
                count: 0,
                waiting: HashMap::new(),
            };
            self.signals.insert(number, signal);
        }
        Ok(self.signals.get_mut(&number).expect("it is caught"))
    }
}

impl CaughtSignal {
    /// Counts the signal if it raised, and returns the wakers of all who wait for it.
    fn collect(&mut self) -> HashMap<u64, Waker> {
        if !self.raised.swap(false, Ordering::AcqRel) {
            return HashMap::new();
        }
        self.count += 1;
        std::mem::take(&mut self.waiting)
    }
}

/// Calls wakers, which are foreign code: the caller holds no lock.
fn wake_all(wakers: impl IntoIterator<Item = (u64, Waker)>) {
    wakers.into_iter().for_each(|(_, waker)| waker.wake());
}

/// Wakes the listeners of all signals that raised. The socket was emptied before.
pub(super) fn deliver() {
    let mut caught = CAUGHT.lock();
    let woken: Vec<_> = caught
        .signals
        .values_mut()
        .map(CaughtSignal::collect)
        .collect();
    drop(caught);
    wake_all(woken.into_iter().flatten());
}

/// Wakes all listeners, because those of one runtime hear nothing more.
pub(super) fn wake_listeners() {
    let mut caught = CAUGHT.lock();
    let waiting = |signal: &mut CaughtSignal| std::mem::take(&mut signal.waiting);
    let woken: Vec<_> = caught.signals.values_mut().map(waiting).collect();
    drop(caught);
    wake_all(woken.into_iter().flatten());
}

/// The socket that handlers write to, to be watched by another driver.
pub(super) fn socket() -> io::Result<UnixStream> {
    CAUGHT.lock().sockets()?.read.try_clone()
}

/// One of any number of listeners for a signal. It hears of those that come after it was made.
#[derive(Debug)]
pub(super) struct Listener {
    number: i32,
    key: u64,
    /// The count up to which it has seen.
    seen: u64,
    process: u32,
}

impl Listener {
    /// Catches the signal, and listens for it.
    ///
    /// # Errors
    ///
    /// Fails if the signal cannot be caught, or if the process is out of descriptors.
    pub(super) fn new(number: i32) -> io::Result<Self> {
        // For these the library panics.
        if !(1..MAX_SIGNAL).contains(&number) || FORBIDDEN.contains(&number) {
            let text = format!("signal {number} cannot be caught");
            return Err(io::Error::new(ErrorKind::InvalidInput, text));
        }
        let mut caught = CAUGHT.lock();
        caught.last += 1;
        let key = caught.last;
        let signal = caught.signal(number)?;
        // A signal that came before is none of this listener's.
        let woken = signal.collect();
        let seen = signal.count;
        drop(caught);
        wake_all(woken);
        Ok(Self {
            number,
            key,
            seen,
            process: process::id(),
        })
    }

    /// Ready if the signal came since the last time; if not, the waker is called when it comes.
    pub(super) fn poll(&mut self, waker: &Waker) -> Poll<()> {
        let waker = waker.clone();
        let mut caught = CAUGHT.lock();
        let own = caught.signals.get_mut(&self.number);
        // A fork does not hear signals through the listeners of its parent.
        let Some(signal) = own.filter(|_| self.process == process::id()) else {
            return Poll::Pending;
        };
        let woken = signal.collect();
        if self.seen != signal.count {
            self.seen = signal.count;
            drop(caught);
            wake_all(woken);
            return Poll::Ready(());
        }
        let replaced = signal.waiting.insert(self.key, waker);
        drop(caught);
        drop(replaced);
        Poll::Pending
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if self.process != process::id() {
            return;
        }
        let mut caught = CAUGHT.lock();
        let signal = caught.signals.get_mut(&self.number);
        let waker = signal.and_then(|signal| signal.waiting.remove(&self.key));
        drop(caught);
        drop(waker);
    }
}
