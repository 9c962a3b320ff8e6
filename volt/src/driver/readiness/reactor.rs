//! The reactor: the system's readiness reports, brought to their sources.
//!
//! A descriptor is known to the system by a token that packs its source's place and generation,
//! so a report that comes after the descriptor was replaced finds nobody and is dropped.
//!
//! [`Reactor`] is what one thread at a time waits in; [`IoRegistry`] is what everyone shares.

use std::io;
use std::time::Duration;

use mio::event::Source as Descriptor;
use mio::{Events, Interest, Poll, Token};

use super::source::{CloseReason, IoSource};
use crate::driver::slab::{Key, Slab};
use crate::driver::wake_batch::WakeBatch;
use crate::loom::sync::{Arc, Mutex};

/// Reports of the waker that interrupts a wait.
pub(crate) const UNPARK: Token = Token(usize::MAX);
/// Reports of the alarm that ends a wait on time.
pub(crate) const WAIT_TIMER: Token = Token(usize::MAX - 1);

/// How many reports are taken from the system at once.
const EVENTS: usize = 1024;

/// What a wait brought, beside reports for sources.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signals {
    pub(crate) unparked: bool,
    pub(crate) timer_fired: bool,
}

/// The waiting half.
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

    /// Waits for reports, at most as long as the timeout says.
    ///
    /// # Errors
    ///
    /// Fails when the system's poll does; a signal that interrupts it is no error.
    pub(crate) fn wait(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        match self.poll.poll(&mut self.events, timeout) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                self.events.clear();
                Ok(())
            }
            result => result,
        }
    }

    /// Brings the reports to their sources and calls who waited for them.
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

/// The shared half: every descriptor that the reactor watches.
#[derive(Debug)]
pub(crate) struct IoRegistry {
    system: mio::Registry,
    sources: Mutex<Sources>,
}

#[derive(Debug)]
struct Sources {
    slab: Slab<Arc<IoSource>>,
    /// Set once no reports will come.
    end: Option<CloseReason>,
}

impl IoRegistry {
    pub(crate) fn system(&self) -> &mio::Registry {
        &self.system
    }

    /// Has the system report on both halves of a descriptor.
    ///
    /// # Errors
    ///
    /// Fails when the system cannot watch the descriptor, or when the driver is gone.
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

    /// Ends what [`IoRegistry::register`] began.
    pub(crate) fn deregister(&self, key: Key, descriptor: &mut impl Descriptor) {
        // A descriptor that the system does not know needs no farewell.
        let _ = self.system.deregister(descriptor);
        self.forget(key);
    }

    fn forget(&self, key: Key) {
        let source = self.sources.lock().slab.remove(key);
        drop(source);
    }

    /// Refuses new descriptors and gathers the wakers of all who wait for one.
    pub(crate) fn close(&self, end: CloseReason, batch: &mut WakeBatch) {
        let mut sources = self.sources.lock();
        sources.end.get_or_insert(end);
        for source in sources.slab.iter() {
            source.abandon(end, batch);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sources.lock().slab.len() == 0
    }
}

/// Both halves; and urgent bytes where the system can tell, see [`IoSource::exhaust_reads`].
fn interests() -> Interest {
    let both = Interest::READABLE | Interest::WRITABLE;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let both = both | Interest::PRIORITY;
    both
}
