//! The registry of caught signals and their listeners. A signal is registered once in a process.
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
//! A flag and a count are enough for any number of listeners, because each listener stores the last
//! count that it has seen. The thread that finds a flag set clears it under the lock, and
//! increments the count for all listeners. So any runtime can read the socket.
//!
//! The byte alone is not enough. A fork of the process inherits the handler and the socket, so its
//! signals wake the relays of the parent. But its handler sets the flag of the child.

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
use crate::util::catch_and_discard;

/// The first number that is not a signal. Signals have numbers from one.
const MAX_SIGNAL: i32 = 128;

static CAUGHT: PerProcess<CaughtSignals> = PerProcess::new();

/// The signals that this process catches.
#[derive(Debug, Default)]
struct CaughtSignals {
    sockets: Option<Sockets>,
    signals: HashMap<i32, CaughtSignal>,
    /// The number of the newest listener.
    last: u64,
}

/// A pair of sockets: handlers write to one, and relays read from the other.
#[derive(Debug)]
struct Sockets {
    read: UnixStream,
    write: UnixStream,
}

/// A signal that is caught for the rest of the process.
#[derive(Debug)]
struct CaughtSignal {
    /// The flag, which the handler sets.
    raised: Arc<AtomicBool>,
    /// The number of times that the flag was found set.
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
        Ok(self.sockets.as_ref().expect("the sockets exist"))
    }

    /// Returns the signal. Registers its handlers if it is not caught yet.
    fn signal(&mut self, number: i32) -> io::Result<&mut CaughtSignal> {
        if !self.signals.contains_key(&number) {
            let write = self.sockets()?.write.try_clone()?;
            let raised = Arc::new(AtomicBool::new(false));
            // Handlers are called in the order of their registration, so the flag is set first.
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
        Ok(self
            .signals
            .get_mut(&number)
            .expect("the signal is registered"))
    }
}

impl CaughtSignal {
    /// Increments the count if the flag is set, and returns the wakers of the waiting listeners.
    fn collect(&mut self) -> HashMap<u64, Waker> {
        if !self.raised.swap(false, Ordering::AcqRel) {
            return HashMap::new();
        }
        self.count += 1;
        std::mem::take(&mut self.waiting)
    }
}

/// Calls wakers. The caller must hold no lock, because wakers are foreign code.
fn wake_all(wakers: impl IntoIterator<Item = (u64, Waker)>) {
    for (_, waker) in wakers {
        // A waker is foreign code. Its panic must not keep the other listeners waiting.
        catch_and_discard(|| waker.wake());
    }
}

/// Wakes the listeners of all signals whose flag is set. The relay has emptied the socket before.
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

/// Wakes all listeners, because the relay of one runtime has ended.
pub(super) fn wake_listeners() {
    let mut caught = CAUGHT.lock();
    let waiting = |signal: &mut CaughtSignal| std::mem::take(&mut signal.waiting);
    let woken: Vec<_> = caught.signals.values_mut().map(waiting).collect();
    drop(caught);
    wake_all(woken.into_iter().flatten());
}

/// Returns a clone of the socket that becomes readable after a signal, for another driver.
pub(super) fn socket() -> io::Result<UnixStream> {
    CAUGHT.lock().sockets()?.read.try_clone()
}

/// A listener for a signal. It receives signals that arrive after its creation.
#[derive(Debug)]
pub(super) struct Listener {
    number: i32,
    key: u64,
    /// The count of the last signal that it has received.
    seen: u64,
    process: u32,
}

impl Listener {
    /// Registers the signal, and creates a listener for it.
    ///
    /// # Errors
    ///
    /// Returns an error if the signal cannot be caught, or if the process is out of descriptors.
    pub(super) fn new(number: i32) -> io::Result<Self> {
        // For these signals `signal_hook` panics.
        if !(1..MAX_SIGNAL).contains(&number) || FORBIDDEN.contains(&number) {
            let text = format!("signal {number} cannot be caught");
            return Err(io::Error::new(ErrorKind::InvalidInput, text));
        }
        let mut caught = CAUGHT.lock();
        caught.last += 1;
        let key = caught.last;
        let signal = caught.signal(number)?;
        // The new listener does not receive a signal that arrived before.
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

    /// Returns `Ready` if the signal has arrived since the last `Ready`. Otherwise stores the
    /// waker.
    pub(super) fn poll(&mut self, waker: &Waker) -> Poll<()> {
        let waker = waker.clone();
        let mut caught = CAUGHT.lock();
        let own = caught.signals.get_mut(&self.number);
        // A fork receives no signals through the listeners of its parent.
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
