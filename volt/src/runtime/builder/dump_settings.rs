//! Dumps that a new runtime takes by itself.

use std::any::type_name;
use std::time::Duration;

use super::builder::Builder;
#[cfg(all(feature = "signal", unix))]
use crate::runtime::dump::Dump;
use crate::runtime::dump::StuckReport;

impl Builder {
    /// Hides all values of the type `T` in dumps: they are shown as `<secret>`. By default, dumps
    /// [with values](crate::Handle::dump_task_with_values) show all of them.
    ///
    /// A value is hidden if its type is `T`, or if `T` is a part of the name of its type, as in
    /// `Option<T>` and `&T`. A struct with a field of this type shows it, unless the struct's own
    /// `Debug` implementation hides it. For a single local, use the attribute `#[secret]` in a
    /// function with `#[volt::state_machine]`.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[derive(Debug)]
    /// struct Password(String);
    ///
    /// let runtime = volt::Runtime::builder().inspect_secret::<Password>().build()?;
    /// # drop((runtime, Password(String::new()).0));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn inspect_secret<T: ?Sized>(mut self) -> Self {
        self.secret_types.push(type_name::<T>());
        self
    }

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
