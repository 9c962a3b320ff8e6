//! `Turns`: a machine that is polled until there is something to store.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use volt::machine::{Driven, StepDriver};

use super::migration::{Migrate, read_or_migrate};
use crate::leaves::PollContext;
use crate::machine::Durable;
use crate::snapshot_text::{SnapshotText, panic_text};
use crate::store::{Claimed, Continuation, OpenTransaction};

/// The result of polling a machine.
#[derive(Debug)]
pub(super) enum Turn {
    /// A snapshot is to be saved.
    Save(Continuation),
    /// A step waits for its transaction.
    Begin,
    /// The machine has panicked. Another attempt may succeed.
    Panicked(String),
    /// The machine cannot continue in this build.
    Faulty(String),
}

/// A machine that is polled until there is something to store.
pub(super) struct Turns<M> {
    machine: Pin<Box<M>>,
    driver: StepDriver<SnapshotText>,
    /// The transaction of the current step.
    transaction: Option<OpenTransaction>,
    pub(super) context: PollContext,
}

impl<M: Durable> Turns<M> {
    /// Reads the machine of a claim. The error is that of the row.
    pub(super) fn read(claimed: &mut Claimed, migrate: Option<Migrate>) -> Result<Self, String> {
        let machine: M = read_or_migrate(&claimed.snapshot, migrate)?;
        // A store may have changed the order of members, so the text is written again.
        let snapshot = SnapshotText::of(&machine)
            .map_err(|error| format!("the snapshot cannot be written again: {error}"))?;
        let number = claimed.held.id.0.cast_unsigned();
        let driver = StepDriver::resume(snapshot, claimed.next_step);
        let context = PollContext::new(claimed);
        Ok(Self {
            machine: Box::pin(machine),
            driver: driver.with_machine_number(number),
            transaction: None,
            context,
        })
    }

    /// Returns the last snapshot.
    pub(super) fn snapshot(&self) -> SnapshotText {
        let snapshot = self.driver.snapshot().cloned();
        snapshot.expect("the snapshot from which the machine was read")
    }

    /// Returns the number of the next step.
    pub(super) fn next_step(&self) -> u64 {
        self.driver.next_step()
    }

    /// Begins the step that waits for this transaction.
    pub(super) fn set_transaction(&mut self, transaction: OpenTransaction) {
        transaction.set_in(&mut self.driver);
        self.transaction = Some(transaction);
    }

    /// Returns the transaction of the step before the snapshot, if it has one.
    pub(super) fn take_transaction(&mut self) -> Option<OpenTransaction> {
        self.transaction.take()
    }

    /// Records that the last turn is saved. The next step begins at the next poll.
    pub(super) fn set_saved(&mut self) {
        self.context.set_saved();
        self.driver.drop_transaction();
        self.driver.set_stored();
    }

    /// Polls the machine. The context must have begun a poll.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Turn> {
        let Self {
            machine,
            driver,
            context,
            ..
        } = self;
        let next_step = driver.next_step();
        let mut is_in_step = false;
        let write = |machine: &M| {
            let written = SnapshotText::of(machine);
            is_in_step = written.is_err();
            written
        };
        let poll = || driver.poll(machine.as_mut(), cx, write);
        let polled = catch_unwind(AssertUnwindSafe(|| context.enter(poll)));
        let driven = match polled {
            Err(panic) => return Poll::Ready(Turn::Panicked(panic_text(&*panic).to_owned())),
            Ok(Poll::Ready(Err(error))) => return Poll::Ready(Turn::Faulty(error.to_string())),
            Ok(Poll::Ready(Ok(driven))) => Some(driven),
            Ok(Poll::Pending) => None,
        };
        if !self.driver.has_transaction() {
            // An attempt of the step has failed, so its writes are undone.
            self.transaction = None;
        }
        if let Some(error) = self.context.error.take() {
            return Poll::Ready(Turn::Faulty(error));
        }
        let has_new_step = self.driver.next_step() != next_step;
        self.turn_of(driven, is_in_step, has_new_step)
    }

    /// Returns the turn of a poll. `driven` is `None` if the machine waits and no snapshot is new.
    fn turn_of(
        &self,
        driven: Option<Driven<M::Outcome>>,
        is_in_step: bool,
        has_new_step: bool,
    ) -> Poll<Turn> {
        let turn = match driven {
            Some(Driven::Output(output)) => match serde_json::to_string(&output) {
                Ok(outcome) => Turn::Save(Continuation::Ends { outcome }),
                Err(error) => Turn::Faulty(format!("the output cannot be written: {error}")),
            },
            Some(Driven::Transaction) => Turn::Begin,
            // The machine waits before a step, or for a future that is not of this crate. So it
            // stays in memory.
            Some(Driven::Snapshot) if has_new_step || !self.context.has_wait() => {
                Turn::Save(Continuation::Runs)
            }
            Some(Driven::Snapshot) => self.wait(),
            None if !self.context.has_wait() => return Poll::Pending,
            None if is_in_step => Turn::Faulty(
                "a durable timer, signal or child waits in a step: await it outside of steps"
                    .to_owned(),
            ),
            None => self.wait(),
        };
        Poll::Ready(turn)
    }

    fn wait(&self) -> Turn {
        Turn::Save(Continuation::Waits(self.context.wait.clone()))
    }
}
