//! A dump whenever a signal comes.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use signal_hook::consts::FORBIDDEN;
use signal_hook::iterator::{self, Signals};

use super::dump::Dump;
use crate::loom::thread::{self, JoinHandle};
use crate::runtime::handle::Handle;

impl Handle {
    /// Hands a [`Dump`] to `show` each time the process gets the signal, from a thread of its own:
    /// it works while every worker is blocked. The signal is a number or a
    /// [`SignalKind`](crate::signal::SignalKind).
    ///
    /// The signal no longer does what it did by default. Those that come while one is being shown
    /// count as one. If `show` panics, that is reported as other panics are, and the next signal is
    /// shown again.
    ///
    /// # Errors
    ///
    /// Fails with [`InvalidInput`](io::ErrorKind::InvalidInput) when there is no such signal, or when
    /// it is none that a thread could answer: `SIGKILL`, `SIGSTOP`, `SIGILL`, `SIGFPE`, `SIGSEGV`. Fails
    /// when the system grants no thread.
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
                    // A panic was reported; dropping what it carries could be the next one.
                    std::mem::forget(shown);
                }
            })?;
        Ok(DumpOnSignal {
            end,
            thread: Some(thread),
        })
    }
}

/// Signals have numbers from one up to less than this.
const SIGNALS: i32 = 128;

fn catch(signal: i32) -> io::Result<Signals> {
    // Asked for these, what catches them panics, and then again as it drops what it has begun.
    if !(1..SIGNALS).contains(&signal) || FORBIDDEN.contains(&signal) {
        let said = format!("signal {signal} cannot be caught");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, said));
    }
    Signals::new([signal])
}

/// Keeps [`Handle::dump_on_signal`] going until it is dropped. The signal is ignored afterwards.
///
/// It may be dropped in `show` itself; else the drop waits until that has returned.
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
            // It does not panic.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for DumpOnSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DumpOnSignal").finish_non_exhaustive()
    }
}
