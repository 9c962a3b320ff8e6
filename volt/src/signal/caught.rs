//! A signal that is caught, and no longer does what it did.
//!
//! The handler sets a flag, and then writes a byte to a socket that the driver watches. The byte
//! alone would not do: a fork of the process inherits the handler and the socket, and its signals
//! wake whoever listens in the parent; but the flag that they set is the child's.

use std::io::{self, ErrorKind};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::FORBIDDEN;
use signal_hook::{SigId, flag, low_level};

/// Signals have numbers from one up to less than this.
const SIGNALS: i32 = 128;

/// A registration with the handler of a signal, until it is dropped.
#[derive(Debug)]
pub(super) struct Caught {
    /// Whether it came, and nobody was told.
    came: Arc<AtomicBool>,
    registered: Vec<SigId>,
}

impl Caught {
    /// Catches the signal. A byte comes out of the socket, which does not block, after each time that
    /// the flag is set.
    pub(super) fn new(signal: i32) -> io::Result<(Self, UnixStream)> {
        // Asked for these, what catches them panics.
        if !(1..SIGNALS).contains(&signal) || FORBIDDEN.contains(&signal) {
            let text = format!("signal {signal} cannot be caught");
            return Err(io::Error::new(ErrorKind::InvalidInput, text));
        }
        let (read, write) = UnixStream::pair()?;
        read.set_nonblocking(true)?;
        write.set_nonblocking(true)?;
        let came = Arc::new(AtomicBool::new(false));
        let mut caught = Self {
            came: Arc::clone(&came),
            registered: Vec::with_capacity(2),
        };
        // In the order of their registration they are called.
        caught.registered.push(flag::register(signal, came)?);
        let write = low_level::pipe::register(signal, write)?;
        caught.registered.push(write);
        Ok((caught, read))
    }

    /// Whether the signal came since this was asked last. The socket is to be emptied before.
    pub(super) fn came(&self) -> bool {
        self.came.swap(false, Ordering::AcqRel)
    }
}

impl Drop for Caught {
    fn drop(&mut self) {
        for id in self.registered.drain(..).rev() {
            low_level::unregister(id);
        }
    }
}
