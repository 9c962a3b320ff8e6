//! Relays, which wake listeners when the driver of a runtime reports a signal.
//!
//! A runtime with listeners has one relay, which its listeners share. The last listener drops it.
//! The driver watches the socket that the handlers of signals write to. The relay is called by a
//! waker of this socket, so no task and no thread waits for signals.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

use super::listener_registry;
use crate::driver::{Direction, DriverHandle};
use crate::io::PollEvented;
use crate::loom::PerProcess;
use crate::task::with_unlimited_budget;

/// The relays, by the addresses of their drivers.
static RELAYS: PerProcess<HashMap<usize, Weak<Relay>>> = PerProcess::new();

/// The relay of a runtime.
#[derive(Debug)]
pub(super) struct Relay {
    socket: PollEvented<mio::net::UnixStream>,
}

impl Relay {
    /// Returns the relay of the driver. Creates it if there is none.
    ///
    /// # Errors
    ///
    /// Returns an error if the process is out of descriptors, or if the driver was dropped.
    pub(super) fn of(driver: DriverHandle) -> io::Result<Arc<Self>> {
        let address = driver.address();
        if let Some(relay) = RELAYS.lock().get(&address).and_then(Weak::upgrade) {
            return Ok(relay);
        }
        let socket = mio::net::UnixStream::from_std(listener_registry::socket()?);
        let new_relay = Arc::new(Self {
            socket: PollEvented::new(driver, socket)?,
        });
        let mut relays = RELAYS.lock();
        let relay = match relays.get(&address).and_then(Weak::upgrade) {
            // Another thread has created one meanwhile.
            Some(relay) => relay,
            None => {
                relays.insert(address, Arc::downgrade(&new_relay));
                Arc::clone(&new_relay)
            }
        };
        drop(relays);
        if Arc::ptr_eq(&relay, &new_relay) {
            relay.run(&Waker::from(Arc::new(RelayWaker(Arc::downgrade(&relay)))));
        }
        Ok(relay)
    }

    /// Empties the socket, registers the waker for further bytes, and wakes the listeners.
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

    /// Checks that the runtime still drives the relay.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime was shut down.
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
        // Another relay of this driver may exist already.
        if relays
            .get(&address)
            .is_some_and(|relay| relay.strong_count() == 0)
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
