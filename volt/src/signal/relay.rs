//! Relays: how the driver of a runtime brings signals to listeners.
//!
//! A runtime with listeners has one relay, which they share, and which goes with the last of them.
//! Its driver watches the socket that the handlers of signals write to. The relay is the waker that
//! the driver calls, so no task and no thread waits for signals.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

use super::listener_registry;
use crate::driver::{Direction, DriverHandle};
use crate::io::PollEvented;
use crate::loom::PerProcess;
use crate::task::with_unlimited_budget;

/// The relay of each driver that has one, by the driver's address.
static RELAYS: PerProcess<HashMap<usize, Weak<Relay>>> = PerProcess::new();

/// The relay of a runtime.
#[derive(Debug)]
pub(super) struct Relay {
    socket: PollEvented<mio::net::UnixStream>,
}

impl Relay {
    /// Returns the relay of the driver, which is made if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the process is out of descriptors, or the driver was dropped.
    pub(super) fn of(driver: DriverHandle) -> io::Result<Arc<Self>> {
        let address = driver.address();
        if let Some(relay) = RELAYS.lock().get(&address).and_then(Weak::upgrade) {
            return Ok(relay);
        }
        let socket = mio::net::UnixStream::from_std(listener_registry::socket()?);
        let made = Arc::new(Self {
            socket: PollEvented::new(driver, socket)?,
        });
        let mut relays = RELAYS.lock();
        let relay = match relays.get(&address).and_then(Weak::upgrade) {
            // Another thread was faster.
            Some(relay) => relay,
            None => {
                relays.insert(address, Arc::downgrade(&made));
                Arc::clone(&made)
            }
        };
        drop(relays);
        if Arc::ptr_eq(&relay, &made) {
            relay.run(&Waker::from(Arc::new(RelayWaker(Arc::downgrade(&relay)))));
        }
        Ok(relay)
    }

    /// Empties the socket, has the driver call the waker when more comes, and delivers.
    fn run(&self, waker: &Waker) {
        let mut cx = Context::from_waker(waker);
        let mut read = || with_unlimited_budget(|| self.socket.poll_read(&mut cx, &mut [0; 64]));
        let ended = loop {
            match read() {
                Poll::Pending => break false,
                Poll::Ready(Ok(count)) if count > 0 => {}
                Poll::Ready(_) => break true,
            }
        };
        listener_registry::deliver();
        if ended {
            listener_registry::wake_listeners();
        }
    }

    /// # Errors
    ///
    /// Fails if the runtime has shut down.
    pub(super) fn check(&self) -> io::Result<()> {
        let source = self.socket.registration().source();
        source
            .ready(Direction::Read)
            .map_or(Ok(()), |ready| ready.check())
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let address = self.socket.driver().address();
        let mut relays = RELAYS.lock();
        // Another relay may be there already.
        if relays
            .get(&address)
            .is_some_and(|it| it.strong_count() == 0)
        {
            relays.remove(&address);
        }
    }
}

/// The waker that the driver calls.
struct RelayWaker(Weak<Relay>);

impl Wake for RelayWaker {
    fn wake(self: Arc<Self>) {
        if let Some(relay) = self.0.upgrade() {
            relay.run(&Waker::from(self));
        }
    }
}
