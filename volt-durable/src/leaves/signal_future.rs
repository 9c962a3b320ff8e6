//! `Signal`: waits for a message that is stored.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::poll_context::PollContext;
use super::sleep_future::{Sleep, sleep};

/// Waits for the next message with this name, and returns its value.
///
/// Messages of one name are received in the order in which they were stored, each once. A message
/// that arrived before the await is received too. If its value is not a `T`, the machine is parked
/// and the message stays.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker).
pub fn signal<T>(name: impl Into<String>) -> Signal<T> {
    Signal {
        name: name.into(),
        value: PhantomData,
    }
}

/// The future of [`signal`](fn@signal), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type signal<T> = Signal<T>;

/// The future of [`signal`](fn@signal).
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Signal<T> {
    name: String,
    #[serde(skip)]
    value: PhantomData<fn() -> T>,
}

impl<T> Signal<T> {
    /// Waits for this duration at most. The output is `None` if no message has arrived by then.
    ///
    /// The duration begins at the first poll, and is measured by the clock of the store.
    pub fn within(self, duration: Duration) -> SignalWithin<T> {
        SignalWithin {
            signal: self,
            timer: sleep(duration),
        }
    }
}

impl<T: DeserializeOwned> Signal<T> {
    fn poll_in(&self, context: &mut PollContext, cx: &Context<'_>) -> Poll<T> {
        let Some(message) = context.take(&self.name) else {
            context.wait_for(&self.name, cx);
            return Poll::Pending;
        };
        match serde_json::from_str(&message.body) {
            Ok(value) => Poll::Ready(value),
            Err(error) => {
                let name = &self.name;
                context.fail(format!("a message `{name}` cannot be read: {error}"), cx);
                Poll::Pending
            }
        }
    }
}

impl<T: DeserializeOwned> Future for Signal<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        PollContext::with_current(|context| self.poll_in(context, cx))
    }
}

/// The future of [`Signal::within`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct SignalWithin<T> {
    signal: Signal<T>,
    timer: Sleep,
}

impl<T: DeserializeOwned> Future for SignalWithin<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        PollContext::with_current(|context| {
            let before = context.wait.clone();
            let received = self.signal.poll_in(context, cx);
            if received.is_ready() || context.error.is_some() {
                return received.map(Some);
            }
            if self.timer.poll_in(context, cx) {
                // The machine no longer waits for the signal.
                context.wait = before;
                return Poll::Ready(None);
            }
            Poll::Pending
        })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Wake};

    use super::signal;
    use crate::leaves::PollContext;
    use crate::store::Delivered;

    struct NoWake;

    impl Wake for NoWake {
        fn wake(self: Arc<Self>) {}
    }

    /// A leaf without a waker would be reported as one that nothing can wake.
    #[test]
    fn unreadable_message_is_an_error_and_keeps_the_waker() {
        let wake = Arc::new(NoWake);
        let waker = Arc::clone(&wake).into();
        let mut context = PollContext::with_messages(vec![Delivered {
            nr: 1,
            name: "n".into(),
            body: "\"no number\"".into(),
        }]);
        let mut waiting = pin!(signal::<u32>("n"));
        let poll = || waiting.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(context.enter(poll).is_pending());
        assert!(context.error.is_some());
        assert_eq!(Arc::strong_count(&wake), 3);
    }
}
