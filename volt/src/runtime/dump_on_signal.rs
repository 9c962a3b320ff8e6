//! A dump whenever a signal comes.

use std::fmt;
use std::io;

use signal_hook::iterator::{self, Signals};

use super::dump::Dump;
use super::handle::Handle;
use crate::loom::thread::{self, JoinHandle};

impl Handle {
    /// Hands a [`Dump`] to `show` each time the process gets the signal, from a thread of its own:
    /// it works while every worker is blocked.
    ///
    /// The signal no longer does what it did by default. Those that come while one is being shown
    /// count as one.
    ///
    /// # Errors
    ///
    /// Fails when the signal cannot be caught, or the system grants no thread.
    ///
    /// # Panics
    ///
    /// On a signal that the system lets nobody catch.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn main() -> std::io::Result<()> {
    /// let runtime = volt::Runtime::new()?;
    /// const SIGUSR1: i32 = 10;
    /// let _guard = runtime.handle().dump_on_signal(SIGUSR1, |dump| eprintln!("{dump}"))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn dump_on_signal(
        &self,
        signal: i32,
        mut show: impl FnMut(Dump) + Send + 'static,
    ) -> io::Result<DumpOnSignal> {
        let mut signals = Signals::new([signal])?;
        let end = signals.handle();
        let runtime = self.clone();
        let thread = thread::Builder::new()
            .name("volt-dump".to_owned())
            .spawn(move || {
                for _ in signals.forever() {
                    show(runtime.dump());
                }
            })?;
        Ok(DumpOnSignal {
            end,
            thread: Some(thread),
        })
    }
}

/// Keeps [`Handle::dump_on_signal`] going until it is dropped. The signal is ignored afterwards.
#[must_use = "no dumps are made once this is dropped"]
pub struct DumpOnSignal {
    end: iterator::Handle,
    thread: Option<JoinHandle<()>>,
}

impl Drop for DumpOnSignal {
    fn drop(&mut self) {
        self.end.close();
        if let Some(thread) = self.thread.take() {
            // Its panics are those of `show`, and have been reported.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for DumpOnSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DumpOnSignal").finish_non_exhaustive()
    }
}
