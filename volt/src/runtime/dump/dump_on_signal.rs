//! `Handle::dump_on_signal`: a dump for each signal.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use signal_hook::consts::FORBIDDEN;
use signal_hook::iterator::{self, Signals};

use super::dump::Dump;
use crate::loom::thread::{self, JoinHandle};
use crate::runtime::handle::Handle;

impl Handle {
    /// Calls `show` with a [`Dump`] each time the process receives the signal.
    ///
    /// A separate thread calls `show`, so it works while all workers are blocked. The signal is a
    /// number or a [`SignalKind`](crate::signal::SignalKind).
    ///
    /// The default action of the signal no longer takes place. Signals that arrive during a call of
    /// `show` count as one. If `show` panics, the panic hook reports it, and the next signal calls
    /// `show` again.
    ///
    /// # Errors
    ///
    /// Returns an [`InvalidInput`](io::ErrorKind::InvalidInput) error if there is no such signal,
    /// and for signals that cannot be caught: `SIGKILL`, `SIGSTOP`, `SIGILL`, `SIGFPE`, `SIGSEGV`.
    /// Returns an error if the system starts no thread.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn main() -> std::io::Result<()> {
    /// use volt::signal::SignalKind;
    ///
    /// let runtime = volt::Runtime::new()?;
    /// let signal = SignalKind::user_defined1();
    /// let _guard = runtime.handle().dump_on_signal(signal, |dump| eprintln!("{dump}"))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn dump_on_signal(
        &self,
        signal: impl Into<i32>,
        mut show: impl FnMut(Dump) + Send + 'static,
    ) -> io::Result<DumpOnSignal> {
        let mut signals = catch(signal.into())?;
        let end = signals.handle();
        let runtime = self.clone();
        let thread = thread::Builder::new()
            .name("volt-dump".to_owned())
            .spawn(move || {
                for _ in signals.forever() {
                    let shown = catch_unwind(AssertUnwindSafe(|| show(runtime.dump())));
                    // The panic hook has reported a panic. The drop of its payload might panic too.
                    std::mem::forget(shown);
                }
            })?;
        Ok(DumpOnSignal {
            end,
            thread: Some(thread),
        })
    }
}

/// The first number that is not a signal. Signals have numbers from one.
const SIGNALS: i32 = 128;

fn catch(signal: i32) -> io::Result<Signals> {
    // For these signals `Signals::new` panics, and panics again when it drops its partial state.
    if !(1..SIGNALS).contains(&signal) || FORBIDDEN.contains(&signal) {
        let text = format!("signal {signal} cannot be caught");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Signals::new([signal])
}

/// Keeps [`Handle::dump_on_signal`] active until it is dropped. The signal is ignored afterwards.
///
/// The drop waits until a running call of `show` has returned, unless `show` itself drops the
/// guard.
#[must_use = "no dumps are made once this is dropped"]
pub struct DumpOnSignal {
    end: iterator::Handle,
    thread: Option<JoinHandle<()>>,
}

impl Drop for DumpOnSignal {
    fn drop(&mut self) {
        self.end.close();
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            // The thread catches panics, so the join returns no error.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for DumpOnSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DumpOnSignal").finish_non_exhaustive()
    }
}
