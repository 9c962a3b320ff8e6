//! `Handle::dump_on_signal`: a dump for each signal.

use std::fmt;
use std::io;

use signal_hook::consts::FORBIDDEN;
use signal_hook::iterator::{self, Signals};

use super::dump::Dump;
use crate::loom::thread::{self, JoinHandle};
use crate::runtime::handle::Handle;
use crate::util::catch_and_discard;

impl Handle {
    /// Calls `show` with a [`Dump`] each time the process receives the signal, until the runtime is
    /// dropped. [`Builder::dump_on_signal`](crate::Builder::dump_on_signal) does the same for a new
    /// runtime.
    ///
    /// A separate thread calls `show`, so it works while all workers are blocked. The signal is a
    /// number or a [`SignalKind`](crate::signal::SignalKind). [`DumpOnSignal::stop`] ends the dumps
    /// earlier; dropping the result has no effect.
    ///
    /// The default action of the signal no longer takes place, not even after the dumps have ended.
    /// Signals that arrive during a call of `show` count as one. If `show` panics, the panic hook
    /// reports it, and the next signal calls `show` again. A process that forks keeps its dumps;
    /// the child has none.
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
    /// runtime.handle().dump_on_signal(signal, |dump| eprintln!("{dump}"))?;
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
                    catch_and_discard(|| show(runtime.dump()));
                }
            })?;
        let with_runtime = end.clone();
        self.blocking
            .companions()
            .add(Box::new(move || with_runtime.close()));
        Ok(DumpOnSignal { end, thread })
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

/// The dumps of [`Handle::dump_on_signal`]. They continue when this is dropped.
pub struct DumpOnSignal {
    end: iterator::Handle,
    thread: JoinHandle<()>,
}

impl DumpOnSignal {
    /// Ends the dumps. The signal is ignored afterwards.
    ///
    /// Waits until a running call of `show` has returned, unless `show` itself calls this.
    pub fn stop(self) {
        self.end.close();
        if self.thread.thread().id() != thread::current().id() {
            // The thread catches panics, so the join returns no error.
            let _ = self.thread.join();
        }
    }
}

impl fmt::Debug for DumpOnSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DumpOnSignal").finish_non_exhaustive()
    }
}
