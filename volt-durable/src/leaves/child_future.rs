//! `Child`: starts another machine, and waits for its outcome.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

use super::poll_context::PollContext;
use crate::machine::{Durable, type_name_of};
use crate::snapshot_text::SnapshotText;
use crate::store::{ChildReport, NewMachine};

/// Starts another machine at the first poll, and waits for its outcome.
///
/// The child has a row of its own, which any worker that runs its type can claim. Its start is
/// committed with the snapshot that waits for it, and its outcome is a message, which the machine
/// receives once. The key of the child has the number of this machine and that of the snapshot.
///
/// If the future is dropped before its end, for example by a [`timeout`](fn@crate::timeout), the
/// cancellation of the child is requested as by [`Client::cancel`](crate::Client::cancel). The same
/// happens if this machine is ended by [`Store::cancel`](crate::store::Store::cancel). The outcome
/// of the child is not received then. [`detached`](Child::detached) lets the child continue.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker), or after its end.
pub fn child<M: Durable>(machine: M) -> Child<M> {
    Child {
        stage: ChildStage::New(machine),
        is_detached: false,
        awaits_retry: false,
    }
}

/// The future of [`child`](fn@child), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type child<M> = Child<M>;

/// The future of [`child`](fn@child).
#[derive(Debug, Serialize, Deserialize)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Child<M> {
    #[serde(rename = "child")]
    stage: ChildStage<M>,
    #[serde(rename = "detached", default, skip_serializing_if = "is_false")]
    is_detached: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    awaits_retry: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ChildStage<M> {
    New(M),
    /// The key of the child.
    Started(String),
    Ended,
}

/// The report of a child that has ended.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndReport<T> {
    Done(T),
    Cancelled,
}

/// The output of a [`Child`].
type Outcome<T> = Result<T, ChildError>;

impl<M: Durable> Child<M> {
    /// Lets the child run on if this machine no longer awaits it.
    pub fn detached(mut self) -> Self {
        self.is_detached = true;
        self
    }

    /// Waits also while the child is parked, until an operator has retried or cancelled it.
    pub fn awaits_retry(mut self) -> Self {
        self.awaits_retry = true;
        self
    }

    /// Starts the child with the next save. Returns its key.
    fn start(machine: &M, is_detached: bool) -> serde_json::Result<String> {
        let SnapshotText { state, text } = SnapshotText::of(machine)?;
        let new = NewMachine {
            machine_type: type_name_of::<M>(),
            key: String::new(),
            state,
            snapshot: text,
        };
        let start = |context: &mut PollContext| context.start_child(new, is_detached);
        Ok(PollContext::with_current(start))
    }

    /// Takes a report of the child, if there is one. Otherwise the machine waits for one.
    fn receive(
        &self,
        key: &str,
        context: &mut PollContext,
        cx: &Context<'_>,
    ) -> Option<serde_json::Result<Outcome<M::Outcome>>> {
        if let Some(message) = context.take(key) {
            let end = serde_json::from_str(&message.body);
            return Some(end.map(|end| match end {
                EndReport::Done(outcome) => Ok(outcome),
                EndReport::Cancelled => Err(ChildError::Cancelled),
            }));
        }
        let parked = ChildReport::name_of_parked(key);
        if !self.awaits_retry {
            if let Some(message) = context.take(&parked) {
                let error = serde_json::from_str(&message.body);
                return Some(error.map(|error| Err(ChildError::Parked(error))));
            }
            context.wait_for(&parked, cx);
        }
        context.wait_for(key, cx);
        None
    }
}

/// The machine is never polled here.
impl<M> Unpin for Child<M> {}

impl<M: Durable> Future for Child<M> {
    type Output = Outcome<M::Outcome>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let fail = |text: String| {
            PollContext::with_current(|context| context.fail(text, cx));
            Poll::Pending
        };
        if let ChildStage::New(machine) = &self.stage {
            match Self::start(machine, self.is_detached) {
                Ok(key) => self.stage = ChildStage::Started(key),
                Err(error) => return fail(format!("a child cannot be written: {error}")),
            }
        }
        let ChildStage::Started(key) = &self.stage else {
            panic!("a child was polled after its end");
        };
        let received = PollContext::with_current(|context| self.receive(key, context, cx));
        match received {
            None => Poll::Pending,
            Some(Ok(outcome)) => {
                self.stage = ChildStage::Ended;
                Poll::Ready(outcome)
            }
            Some(Err(error)) => fail(format!("the outcome of a child cannot be read: {error}")),
        }
    }
}

/// Records during a poll that the machine no longer awaits the child. A worker that drops the
/// machine does not poll it.
impl<M> Drop for Child<M> {
    fn drop(&mut self) {
        if let ChildStage::Started(key) = &self.stage {
            PollContext::with_current_if_any(|context| context.drop_child(key));
        }
    }
}

/// The error of [`child`](fn@child): the child has no outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChildError {
    /// The child was ended by [`Store::cancel`](crate::store::Store::cancel). A child whose code
    /// has received a cancellation has an outcome.
    Cancelled,
    /// The child is parked with this error. If an operator retries it, it continues, and its
    /// outcome is not received.
    Parked(String),
}

impl fmt::Display for ChildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the child was cancelled"),
            Self::Parked(error) => write!(f, "the child is parked: {error}"),
        }
    }
}

impl Error for ChildError {}
