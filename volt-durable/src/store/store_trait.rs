//! `Store`: the operations of a database of machines.

use std::future::{pending, ready};
use std::time::{Duration, Instant};

use super::claim::{Claim, ClaimToken, Claimed, KnownType};
use super::message::{Message, Sent};
use super::new_machine::{NewMachine, Started};
use super::open_transaction::OpenTransaction;
use super::row::{Filter, Row};
use super::save::{Failure, Lost, Save};
use super::summary::Summary;
use super::timestamp::Timestamp;
use crate::error::Result;
use crate::machine_id::MachineId;

/// A database of machines.
///
/// Each method is one atomic operation: all of it is stored durably before it returns `Ok`. After
/// an error all of it is stored or nothing. The operations of all workers and clients of the
/// database have one order.
///
/// A worker names a claim by its [`ClaimToken`]. The claim has ended if the row has another fence,
/// if it has no lease, or if the machine has ended. An expired lease does not end the claim by
/// itself: it allows the next claim, which does.
///
/// The suite in `volt_durable::conformance` (feature `conformance`) tests each guarantee.
pub trait Store: Send + Sync + 'static {
    /// Creates a machine in status [`Runnable`](super::Status::Runnable), unless one with its type
    /// and key exists.
    ///
    /// *Guarantee:* of all calls with one type and key, exactly one creates a machine, and all
    /// return its id. A later call changes nothing, also after the machine has ended.
    fn start(&self, new: &NewMachine) -> impl Future<Output = Result<Started>> + Send;

    /// Returns the machine as [`start`](Self::start) writes it to the database, for a start in a
    /// transaction of the caller. [`Client::new_machine`](crate::Client::new_machine) calls it.
    ///
    /// The default returns it unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be encrypted.
    fn prepare(&self, new: NewMachine) -> Result<NewMachine> {
        Ok(new)
    }

    /// Claims machines that can run: they are runnable, their timer has expired, or a message for
    /// one of their signals is stored.
    ///
    /// A claim increments fence and attempts, sets the lease, and makes a waiting row runnable. The
    /// machines that could run first come first.
    ///
    /// *Guarantee:* a machine with an unexpired lease is not claimed. A machine whose type or state
    /// is not in [`Claim::known`] is neither claimed nor changed, and neither is one that is
    /// parked or has ended. A machine with at least [`Claim::max_attempts`] attempts becomes
    /// [`Parked`](super::Status::Parked) instead; its last error stays, and a row without one gets
    /// an error text. At most [`Claim::suspects`] suspects are claimed.
    fn claim(&self, claim: &Claim) -> impl Future<Output = Result<Vec<Claimed>>> + Send;

    /// Sets the leases of claims to `lease` from now, and returns the claims that have ended.
    ///
    /// *Guarantee:* a claim that is not returned is valid for `lease`, measured from before the
    /// call.
    fn renew(
        &self,
        held: &[ClaimToken],
        lease: Duration,
    ) -> impl Future<Output = Result<Vec<Lost>>> + Send;

    /// Stores snapshots, with the messages that were taken and the outcomes, and returns the claims
    /// that have ended. At most one save is for one machine.
    ///
    /// A save resets attempts and error. [`Continuation::Runs`](super::Continuation::Runs) leaves
    /// the lease as it is; the others remove it. A machine that
    /// [yields](super::Continuation::Yields) could run from now on, so those that could run before
    /// it are claimed first.
    ///
    /// *Guarantee:* fence and sequence number are compared in the operation that writes. A save
    /// whose claim has ended, or whose sequence number is not one more than the stored number,
    /// changes nothing, takes no message, and is returned. All other saves are stored. A machine
    /// that waits for a signal of which an untaken message is stored can be claimed at once.
    ///
    /// *Guarantee:* a stored save starts the machines of
    /// [`Family::started`](super::Family::started) with the saved machine as parent, unless their
    /// keys exist. If the machine ends and its parent has not ended,
    /// [`ChildReport::done`](super::ChildReport::done) is stored as a message to the parent.
    ///
    /// *Guarantee:* the children in [`Family::dropped`](super::Family::dropped) have no parent
    /// afterwards. Each one that has not ended and is not detached receives a message with the name
    /// and the id [`CANCEL`](super::CANCEL) and the body `null`.
    fn save(&self, saves: &[Save]) -> impl Future<Output = Result<Vec<Lost>>> + Send;

    /// Begins the transaction of a step with `#[step(tx)]`, or returns `None` if the store has no
    /// transactions for steps. A machine with such a step is parked then.
    ///
    /// *Guarantee:* the writes of the step are stored if and only if
    /// [`OpenTransaction::commit`] has stored the save. A commit compares fence and sequence number
    /// as [`save`](Self::save) does.
    ///
    /// The default returns `None`.
    fn begin(&self) -> impl Future<Output = Result<Option<OpenTransaction>>> + Send {
        ready(Ok(None))
    }

    /// Ends a claim with an error, and returns it if it has ended before.
    ///
    /// *Guarantee:* snapshot, sequence number, attempts and messages stay as they are. If the
    /// machine is parked, here or by [`claim`](Self::claim), and its parent has not ended,
    /// [`ChildReport::parked`](super::ChildReport::parked) is stored as a message to the parent.
    fn fail(&self, failure: &Failure) -> impl Future<Output = Result<Option<Lost>>> + Send;

    /// Ends claims of machines that a worker has dropped. Claims that have ended are ignored.
    ///
    /// *Guarantee:* the machines can be claimed at once, and the attempt of this claim does not
    /// count.
    fn release(&self, held: &[ClaimToken]) -> impl Future<Output = Result<()>> + Send;

    /// Stores a message for a machine.
    ///
    /// *Guarantee:* of all messages to one machine with one id, exactly one is stored, and exactly
    /// one save takes it, unless the machine ends before. A message to a parked machine is
    /// delivered after a retry.
    fn send(&self, message: &Message) -> impl Future<Output = Result<Sent>> + Send;

    /// Returns the time until a machine of these types and states can be claimed, or `None` if
    /// that requires a start, a message, or an operator. It is zero if one can be claimed now.
    ///
    /// *Guarantee:* the time includes expiries of the leases of other workers.
    fn next_wake(
        &self,
        known: &[KnownType],
    ) -> impl Future<Output = Result<Option<Duration>>> + Send;

    /// Returns the rows that a filter selects, by ascending id.
    fn list(&self, filter: &Filter) -> impl Future<Output = Result<Vec<Row>>> + Send;

    /// Counts the rows that a filter selects, by type, status and state. [`Filter::after`] and
    /// [`Filter::limit`] have no effect.
    fn summary(&self, filter: &Filter) -> impl Future<Output = Result<Summary>> + Send;

    /// Returns the time of the store's clock, with which operators compare the times of rows.
    fn now(&self) -> impl Future<Output = Result<Timestamp>> + Send;

    /// Makes a machine runnable, with no attempts, if it is parked or waits for its next attempt
    /// after a failure. Returns `false` otherwise.
    ///
    /// *Guarantee:* the machine continues from its last snapshot, and its last error stays until
    /// the next save.
    fn retry(&self, id: MachineId) -> impl Future<Output = Result<bool>> + Send;

    /// Cancels a machine. Returns `false` if it has ended or does not exist.
    ///
    /// *Guarantee:* the machine is not claimed again, and its current claim ends: a worker that
    /// runs it cannot save it, and drops it at its next save or renewal. No code of the machine
    /// runs for the cancellation. If its parent has not ended,
    /// [`ChildReport::cancelled`](super::ChildReport::cancelled) is stored as a message to the
    /// parent. Its own children are dropped as by [`Family::dropped`](super::Family::dropped).
    fn cancel(&self, id: MachineId) -> impl Future<Output = Result<bool>> + Send;

    /// Deletes at most `limit` machines that have ended at least `age` ago, with their messages.
    /// Returns their number. The machines that ended first are deleted first.
    ///
    /// *Guarantee:* a machine that has not ended is not deleted, and the id of a deleted machine is
    /// not used again. Its key can be started again.
    ///
    /// The default deletes nothing.
    fn delete_ended(
        &self,
        age: Duration,
        limit: usize,
    ) -> impl Future<Output = Result<usize>> + Send {
        let _ = (age, limit);
        ready(Ok(0))
    }

    /// Completes after a change that may concern a worker or a client: a machine was started, can
    /// be claimed, or has ended. It is only a hint: it may be late or absent, for example for
    /// changes of other processes. It reports the changes after this call, even if it is polled
    /// later.
    ///
    /// The default never completes.
    fn changed(&self) -> impl Future<Output = ()> + Send {
        pending()
    }

    /// Returns a time that the store's clock has not passed, if it was `at` after the instant
    /// `since`. New timers begin there, so they are not early.
    ///
    /// The default adds the time since then. A store with a clock of its own, such as a paused one
    /// in a test, returns its time.
    fn clock(&self, at: Timestamp, since: Instant) -> Timestamp {
        at.after(since.elapsed())
    }
}
