//! `PollContext`: the clock and the messages of a machine, for the leaves that it polls.

use std::cell::RefCell;
use std::task::{Context, Waker};

use crate::store::{Delivered, Timestamp, Wait};

/// The clock and the messages of a machine, for the leaves that it polls.
#[derive(Debug, Default)]
pub(crate) struct PollContext {
    /// A time that the store's clock has reached: timers of this time have expired.
    pub(super) earliest: Timestamp,
    /// A time that the store's clock has not passed: new timers begin here.
    pub(super) latest: Timestamp,
    /// The messages that the machine has not taken.
    messages: Vec<Delivered>,
    /// The numbers of the messages that the machine has taken since the last save.
    pub(crate) taken: Vec<i64>,
    /// The events that the leaves of this poll wait for.
    pub(crate) wait: Wait,
    /// The error of a leaf, which parks the machine.
    pub(crate) error: Option<String>,
    /// The waker of the poll. The checks of volt report a leaf that waits and stores no waker.
    waker: Option<Waker>,
}

thread_local! {
    static CURRENT: RefCell<Option<PollContext>> = const { RefCell::new(None) };
}

impl PollContext {
    /// Creates the context of a machine with these messages.
    pub(crate) fn new(messages: Vec<Delivered>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }

    /// Begins a poll between these times of the store's clock.
    pub(crate) fn begin_poll(&mut self, earliest: Timestamp, latest: Timestamp) {
        self.earliest = earliest;
        self.latest = latest;
        self.wait = Wait::default();
    }

    /// Returns `true` if a leaf of the last poll waits.
    pub(crate) fn has_wait(&self) -> bool {
        self.wait.wake.is_some() || !self.wait.signals.is_empty()
    }

    /// Calls a function whose leaves use this context.
    pub(crate) fn enter<T>(&mut self, call: impl FnOnce() -> T) -> T {
        /// Moves the context back, also after a panic.
        struct Restore<'c> {
            context: &'c mut PollContext,
            outer: Option<PollContext>,
        }
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                if let Some(context) = CURRENT.replace(self.outer.take()) {
                    *self.context = context;
                }
            }
        }
        let outer = CURRENT.replace(Some(std::mem::take(self)));
        let _restore = Restore {
            context: self,
            outer,
        };
        call()
    }

    /// Calls a function with the context of the machine that is polled.
    ///
    /// # Panics
    ///
    /// Panics if no worker polls the machine.
    pub(super) fn with_current<T>(call: impl FnOnce(&mut Self) -> T) -> T {
        CURRENT.with_borrow_mut(|current| {
            let context = current.as_mut();
            call(context.expect("timers and signals of a durable machine require its worker"))
        })
    }

    /// Waits for a time.
    pub(super) fn wait_until(&mut self, time: Timestamp, cx: &Context<'_>) {
        self.waker = Some(cx.waker().clone());
        let wake = self.wait.wake.map_or(time, |wake| wake.min(time));
        self.wait.wake = Some(wake);
    }

    /// Waits for a signal.
    pub(super) fn wait_for(&mut self, signal: &str, cx: &Context<'_>) {
        self.waker = Some(cx.waker().clone());
        if !self.wait.signals.iter().any(|name| name == signal) {
            self.wait.signals.push(signal.to_owned());
        }
    }

    /// Reports an error, which parks the machine. The leaf is pending.
    pub(super) fn fail(&mut self, error: String, cx: &Context<'_>) {
        self.waker = Some(cx.waker().clone());
        self.error = Some(error);
    }

    /// Takes the first message of a signal.
    pub(super) fn take(&mut self, signal: &str) -> Option<Delivered> {
        let mut messages = self.messages.iter();
        let at = messages.position(|message| message.name == signal)?;
        let message = self.messages.remove(at);
        self.taken.push(message.nr);
        Some(message)
    }
}
