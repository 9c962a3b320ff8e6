//! `PollContext`: the clock and the messages of a machine, for the leaves that it polls.

use std::cell::RefCell;
use std::task::{Context, Waker};

use crate::store::{CHILD_KEY, Claimed, Delivered, Family, NewChild, NewMachine, Timestamp, Wait};

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
    /// The parent of the machine, and the changes of its children since the last save.
    pub(crate) family: Family,
    /// The number of the machine.
    machine: i64,
    /// The sequence number of the next save.
    seq: u64,
    /// The number of the keys of children since the last save.
    child_keys: usize,
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
    /// Creates the context of a claimed machine, and moves its messages there.
    pub(crate) fn new(claimed: &mut Claimed) -> Self {
        Self {
            family: Family {
                parent: claimed.parent,
                ..Family::default()
            },
            machine: claimed.held.id.0,
            seq: claimed.seq + 1,
            ..Self::with_messages(std::mem::take(&mut claimed.messages))
        }
    }

    /// Creates the context of a machine with these messages.
    pub(super) fn with_messages(messages: Vec<Delivered>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }

    /// Records that the changes since the last save are saved.
    pub(crate) fn set_saved(&mut self) {
        self.taken.clear();
        self.family.started.clear();
        self.family.dropped.clear();
        self.seq += 1;
        self.child_keys = 0;
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
            let missing = "clock, timers and signals of a durable machine require its worker";
            call(context.expect(missing))
        })
    }

    /// Calls a function with the context of the machine that is polled, if there is one.
    pub(super) fn with_current_if_any(call: impl FnOnce(&mut Self)) {
        // The thread-local is gone at the end of a thread.
        let _ = CURRENT.try_with(|current| {
            if let Ok(mut current) = current.try_borrow_mut()
                && let Some(context) = &mut *current
            {
                call(context);
            }
        });
    }

    /// Starts a child with the next save, and returns its key. No other save of this machine has
    /// the number in it.
    pub(super) fn start_child(&mut self, new: NewMachine, is_detached: bool) -> String {
        let key = format!(
            "{CHILD_KEY}{}/{}/{}",
            self.machine, self.seq, self.child_keys
        );
        self.child_keys += 1;
        let machine = NewMachine {
            key: key.clone(),
            ..new
        };
        self.family.started.push(NewChild {
            machine,
            is_detached,
        });
        key
    }

    /// Records that the machine no longer awaits a child. One that no save has started is not
    /// started.
    pub(super) fn drop_child(&mut self, key: &str) {
        let started = &mut self.family.started;
        let before = started.len();
        started.retain(|child| child.machine.key != key);
        if started.len() == before {
            self.family.dropped.push(key.to_owned());
        }
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

#[cfg(test)]
mod tests {
    use super::PollContext;
    use crate::store::NewMachine;

    fn start(context: &mut PollContext) -> String {
        let new = NewMachine {
            machine_type: "Ship".into(),
            key: String::new(),
            state: "start".into(),
            snapshot: "{}".into(),
        };
        context.start_child(new, false)
    }

    #[test]
    fn children_of_all_saves_have_different_keys() {
        let mut context = PollContext::with_messages(Vec::new());
        let first = start(&mut context);
        let second = start(&mut context);
        context.drop_child(&second);
        let third = start(&mut context);
        let saved = context.family.clone();
        let keys = saved.started.iter().map(|child| &child.machine.key);
        assert_eq!(keys.collect::<Vec<_>>(), [&first, &third]);
        assert!(saved.dropped.is_empty(), "it was not started");
        assert!(second != third && second != first);
        context.set_saved();
        assert!(context.family.started.is_empty(), "a save starts them once");
        let fourth = start(&mut context);
        assert!(![&first, &second, &third].contains(&&fourth));
        context.drop_child(&first);
        assert_eq!(context.family.dropped, [first]);
    }
}
