//! `Builder::inspect`: the inspection server of a new runtime.

use std::io;

use super::builder::Builder;
use crate::inspect::{BoundServer, InspectAddress};
use crate::runtime::inspect_handle::{Inspection, print_line};

/// The environment variable that enables backtraces of long polls.
const BACKTRACES_VARIABLE: &str = "VOLT_INSPECT_BACKTRACES";

impl Builder {
    /// Starts an inspection server at the address: a page for browsers, and its data as JSON and
    /// as text. By default, the server starts only if the environment variable `VOLT_INSPECT`
    /// contains an address.
    ///
    /// The server has its own thread, which answers while all workers are blocked, and during the
    /// shutdown of the runtime. It ends with the runtime. A process that forks keeps its server;
    /// the child has none, and cannot bind the same address before it calls `exec`.
    ///
    /// See [`InspectAddress`] for the forms of an address. Without an [exposed] address, only this
    /// machine can connect. [`build`](Self::build) returns an error if it cannot bind the address.
    ///
    /// With `VOLT_INSPECT=127.0.0.1:6680`, each runtime without this setting starts a server too,
    /// and prints its URL to the standard error stream. If the address cannot be bound, such a
    /// runtime prints the reason and starts without a server, because a child process that inherits
    /// the variable must start too. `VOLT_INSPECT_TOKEN` sets a [token](InspectAddress::token), and
    /// permits any interface.
    ///
    /// [exposed]: InspectAddress::exposed
    ///
    /// # Examples
    ///
    /// ```no_run
    /// // The page is at http://127.0.0.1:6680/.
    /// let runtime = volt::Runtime::builder().inspect(6680).build()?;
    /// # drop(runtime);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn inspect(mut self, address: impl Into<InspectAddress>) -> Self {
        self.inspect = Some(address.into());
        self
    }

    /// Sets whether dumps contain the backtraces of workers that have been in one poll for at least
    /// 20 milliseconds, `false` by default. It has an effect on Linux only.
    ///
    /// The dump sends the signal `SIGURG` to the thread of such a worker, and a handler stores the
    /// addresses of the active functions. The signal interrupts the system call in which the thread
    /// waits. The system restarts most calls, but some return an error of the kind
    /// [`Interrupted`](io::ErrorKind::Interrupted), such as sleeps and calls with a timeout. The
    /// functions of the standard library call them again.
    ///
    /// [`build`](Self::build) returns an error if the process has another handler of the signal.
    ///
    /// If the environment variable `VOLT_INSPECT_BACKTRACES` is `1`, backtraces are enabled without
    /// a line of code. A program that has another handler prints the error, and starts without
    /// backtraces.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let runtime = volt::Runtime::builder().inspect_backtraces(true).build()?;
    /// let task = runtime.spawn(async { std::thread::sleep(Duration::from_millis(200)) });
    /// std::thread::sleep(Duration::from_millis(100));
    /// println!("{}", runtime.dump());
    /// # task.join()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inspect_backtraces(mut self, enabled: bool) -> Self {
        self.has_backtraces = enabled;
        self
    }

    /// Binds the address that this builder or the environment sets, and prepares backtraces.
    pub(super) fn bind_inspection(&mut self) -> io::Result<Inspection> {
        if self.has_backtraces {
            crate::scheduler::install_backtrace_handler()?;
        } else if std::env::var_os(BACKTRACES_VARIABLE).is_some_and(|value| value == "1") {
            match crate::scheduler::install_backtrace_handler() {
                Ok(()) => self.has_backtraces = true,
                // A program that inherits the variable must start too.
                Err(error) => print_line(&error.to_string()),
            }
        }
        match self.inspect.take() {
            Some(address) => BoundServer::bind(address).map(Inspection::bound),
            None => Ok(Inspection::from_environment()),
        }
    }
}
