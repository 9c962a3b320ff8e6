//! Dumps that a new runtime takes by itself.

use std::time::Duration;

use super::builder::Builder;
#[cfg(all(feature = "signal", unix))]
use crate::runtime::dump::Dump;
use crate::runtime::dump::StuckReport;

impl Builder {
    /// Calls `show` with a [`Dump`] each time the process receives the signal, until the runtime is
    /// dropped; see [`Handle::dump_on_signal`](crate::Handle::dump_on_signal). By default, a signal
    /// takes no dump.
    ///
    /// [`build`](Self::build) returns an error if the signal cannot be caught. A second call adds
    /// another signal.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt::signal::SignalKind;
    ///
    /// let runtime = volt::Runtime::builder()
    ///     .dump_on_signal(SignalKind::user_defined1(), |dump| eprintln!("{dump}"))
    ///     .build()?;
    /// # drop(runtime);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(all(feature = "signal", unix))]
    pub fn dump_on_signal(
        mut self,
        signal: impl Into<i32>,
        show: impl FnMut(Dump) + Send + Sync + 'static,
    ) -> Self {
        let signal = signal.into();
        self.companions
            .add(move |handle| handle.dump_on_signal(signal, show).map(drop));
        self
    }

    /// Calls `show` when the runtime is stuck for at least `limit`: a poll does not end, or tasks
    /// wait and nothing in the runtime can wake one.
    /// [`Handle::dump_when_stuck`](crate::Handle::dump_when_stuck) has the exact conditions. By
    /// default, nothing is reported.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let runtime = volt::Runtime::builder()
    ///     .dump_when_stuck(Duration::from_secs(10), |report| eprintln!("{report}"))
    ///     .build()?;
    /// # drop(runtime);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn dump_when_stuck(
        mut self,
        limit: Duration,
        show: impl FnMut(StuckReport) + Send + Sync + 'static,
    ) -> Self {
        self.companions
            .add(move |handle| handle.dump_when_stuck(limit, show));
        self
    }
}
