//! The reactor: it passes the readiness reports of the system to their sources.
//!
//! The system identifies a descriptor by a token, which packs index and generation of its source. A
//! report that arrives after the descriptor was replaced finds no source and is ignored.
//!
//! One thread at a time waits in the [`Reactor`]; all threads share the [`IoRegistry`].

use std::io;
use std::time::Duration;

use mio::event::Source as Descriptor;
use mio::{Events, Interest, Poll, Token};

use super::source::{CloseReason, IoSource};
use crate::driver::slab::{Key, Slab};
use crate::driver::wake_batch::WakeBatch;
use crate::loom::sync::{Arc, Mutex};

/// The token of the waker that interrupts a wait.
pub(crate) const UNPARK: Token = Token(usize::MAX);
/// The token of the timer that ends a wait on time.
pub(crate) const WAIT_TIMER: Token = Token(usize::MAX - 1);

/// The most reports that are taken from the system at once.
const EVENTS: usize = 1024;

/// The reports of a wait that are not for sources.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signals {
    pub(crate) unparked: bool,
    pub(crate) timer_fired: bool,
}

/// The half in which a thread waits.
#[derive(Debug)]
pub(crate) struct Reactor {
    poll: Poll,
    events: Events,
}

impl Reactor {
    pub(crate) fn new() -> io::Result<(Self, IoRegistry)> {
        let poll = Poll::new()?;
        let registry = IoRegistry {
            system: poll.registry().try_clone()?,
            sources: Mutex::new(Sources {
                slab: Slab::new(),
                end: None,
            }),
        };
        let events = Events::with_capacity(EVENTS);
        Ok((Self { poll, events }, registry))
    }

    /// Waits for reports, but not longer than `timeout`.
    ///
    /// # Errors
    ///
    /// Returns an error if the system's poll fails; a signal that interrupts it is no error.
    pub(crate) fn wait(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        match self.poll.poll(&mut self.events, timeout) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                self.events.clear();
                Ok(())
            }
            result => result,
        }
    }

    /// Passes the reports to their sources, and calls the wakers that waited for them.
    pub(crate) fn dispatch(&mut self, registry: &IoRegistry, batch: &mut WakeBatch) -> Signals {
        let mut signals = Signals::default();
        let mut events = self.events.iter().peekable();
        while events.peek().is_some() {
            let sources = registry.sources.lock();
            while let Some(event) = events.next_if(|_| !batch.is_full()) {
                match event.token() {
                    UNPARK => signals.unparked = true,
                    WAIT_TIMER => signals.timer_fired = true,
                    Token(word) => {
                        if let Some(source) = sources.slab.get_by_word(word) {
                            source.report(event, batch);
                        }
                    }
                }
            }
            drop(sources);
            batch.wake_all();
        }
        self.events.clear();
        signals
    }
}

/// The shared half: all descriptors that the reactor watches.
#[derive(Debug)]
pub(crate) struct IoRegistry {
    system: mio::Registry,
    sources: Mutex<Sources>,
}

#[derive(Debug)]
struct Sources {
    slab: Slab<Arc<IoSource>>,
    /// Set when no more reports will arrive.
    end: Option<CloseReason>,
}

impl IoRegistry {
    pub(crate) fn system(&self) -> &mio::Registry {
        &self.system
    }

    /// Registers both halves of a descriptor with the system.
    ///
    /// # Errors
    ///
    /// Returns an error if the system cannot watch the descriptor, or if the driver was dropped.
    pub(crate) fn register(
        &self,
        descriptor: &mut impl Descriptor,
    ) -> io::Result<(Key, Arc<IoSource>)> {
        let source = Arc::new(IoSource::new());
        let key = self.insert(Arc::clone(&source))?;
        let token = Token(key.to_word());
        if let Err(error) = self.system.register(descriptor, token, interests()) {
            self.forget(key);
            return Err(error);
        }
        Ok((key, source))
    }

    fn insert(&self, source: Arc<IoSource>) -> io::Result<Key> {
        let mut sources = self.sources.lock();
        match sources.end {
            Some(end) => Err(end.error()),
            None => Ok(sources.slab.insert(source)),
        }
    }

    /// Ends a registration by [`IoRegistry::register`].
    pub(crate) fn deregister(&self, key: Key, descriptor: &mut impl Descriptor) {
        // A descriptor that the system does not know needs no deregistration.
        let _ = self.system.deregister(descriptor);
        self.forget(key);
    }

    fn forget(&self, key: Key) {
        let source = self.sources.lock().slab.remove(key);
        drop(source);
    }

    /// Refuses new descriptors, and moves the wakers of all sources to the batch.
    pub(crate) fn close(&self, end: CloseReason, batch: &mut WakeBatch) {
        let mut sources = self.sources.lock();
        sources.end.get_or_insert(end);
        for source in sources.slab.iter() {
            source.abandon(end, batch);
        }
    }

    /// Passes each source that is registered, while the sources are locked.
    pub(super) fn for_each_source(&self, visit: impl FnMut(&Arc<IoSource>)) {
        self.sources.lock().slab.iter().for_each(visit);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sources.lock().slab.len() == 0
    }
}

/// Returns both halves, and urgent data where the system reports it; see
/// [`IoSource::exhaust_reads`].
fn interests() -> Interest {
    let both = Interest::READABLE | Interest::WRITABLE;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let both = both | Interest::PRIORITY;
    both
}
