//! `CallQueue`: the calls of one operation that wait for the connection, which are written
//! together.

use std::collections::{HashSet, VecDeque};
use std::error::Error as _;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_channel::{Receiver, Sender, bounded};

use super::job::Job;
use super::session::{Session, is_conflict, is_of_statement, repeat_after_conflicts};
use super::sql;
use crate::error::{Error, Result};
use crate::machine_id::MachineId;
use crate::store::new_machine::{NewMachine, Started};
use crate::store::save::{Lost, Save};

/// The largest number of machines in one statement, unless one call has more.
const MAX_BATCH: usize = 1_000;

/// A call of an operation of which several are one statement.
pub(super) trait Call: Send + Sized + fmt::Debug {
    type Output: Send + fmt::Debug;

    /// The calls that are already in a batch.
    type Batch: Default;

    /// Adds the call to a batch. Returns `false` if it belongs to a later one.
    fn join(&self, batch: &mut Self::Batch) -> bool;

    /// Writes calls in one statement, and returns the output of each.
    fn write(session: &mut Session, calls: &[&Self]) -> Result<Vec<Self::Output>, postgres::Error>;
}

/// The saves of one call.
impl Call for Vec<Save> {
    type Output = Vec<Lost>;
    /// The machines of the batch, each of which has one save.
    type Batch = HashSet<MachineId>;

    fn join(&self, machines: &mut HashSet<MachineId>) -> bool {
        let ids = || self.iter().map(|save| save.held.id);
        let fits = machines.len() + self.len() <= MAX_BATCH;
        let joins = machines.is_empty() || fits && !ids().any(|id| machines.contains(&id));
        if joins {
            machines.extend(ids());
        }
        joins
    }

    fn write(session: &mut Session, calls: &[&Self]) -> Result<Vec<Vec<Lost>>, postgres::Error> {
        let saves: Vec<&Save> = calls.iter().copied().flatten().collect();
        let lost = sql::save(session, &saves)?;
        let lost: HashSet<MachineId> = lost.iter().map(|lost| lost.id).collect();
        let of_call = |call: &&Self| {
            let ids = call.iter().map(|save| save.held.id);
            ids.filter(|id| lost.contains(id))
                .map(|id| Lost { id })
                .collect()
        };
        Ok(calls.iter().map(of_call).collect())
    }
}

impl Call for NewMachine {
    type Output = Started;
    /// The number of machines.
    type Batch = usize;

    fn join(&self, machines: &mut usize) -> bool {
        *machines += 1;
        *machines <= MAX_BATCH
    }

    fn write(session: &mut Session, calls: &[&Self]) -> Result<Vec<Started>, postgres::Error> {
        sql::start(session, calls)
    }
}

/// The calls that wait for the connection. A commit waits for the disk, so one commit for all of
/// them is many times faster than one for each.
#[derive(Debug)]
pub(super) struct CallQueue<C: Call> {
    waiting: Mutex<VecDeque<Waiting<C>>>,
}

/// A call, and the channel of its result.
#[derive(Debug)]
struct Waiting<C: Call> {
    call: C,
    result: Sender<Result<C::Output>>,
}

impl<C: Call> Default for CallQueue<C> {
    fn default() -> Self {
        Self {
            waiting: Mutex::default(),
        }
    }
}

impl<C: Call> CallQueue<C> {
    /// Queues a call for the next [`Flush`], and returns the receiver of its result.
    pub(super) fn push(&self, call: C) -> Receiver<Result<C::Output>> {
        let (result, receiver) = bounded(1);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(Waiting { call, result });
        receiver
    }

    /// Takes the calls that wait, up to the first one that belongs to a later batch.
    fn take_batch(&self) -> Vec<Waiting<C>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut joined, mut batch) = (C::Batch::default(), Vec::new());
        while let Some(next) = waiting.pop_front() {
            if !next.call.join(&mut joined) {
                waiting.push_front(next);
                break;
            }
            batch.push(next);
        }
        batch
    }
}

/// Writes the calls that wait in one statement. An earlier flush may have written all of them.
#[derive(Debug)]
pub(super) struct Flush<C: Call> {
    queue: Arc<CallQueue<C>>,
    /// The calls of this flush.
    batch: Vec<Waiting<C>>,
    /// The result of each call of the last run.
    results: Vec<Result<C::Output>>,
}

impl<C: Call> Flush<C> {
    pub(super) fn new(queue: Arc<CallQueue<C>>) -> Self {
        Self {
            queue,
            batch: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Writes each call by a statement of its own, so that one faulty value is the error of its
    /// machine only.
    fn write_each(&mut self, session: &mut Session) -> Result<(), postgres::Error> {
        self.results.clear();
        for Waiting { call, .. } in &self.batch {
            match repeat_after_conflicts(|| C::write(session, &[call])) {
                Err(error) if !is_of_statement(&error) => return Err(error),
                Err(error) => self.results.push(Err(Error::store(error))),
                Ok(outputs) => self.results.extend(outputs.into_iter().map(Ok)),
            }
        }
        Ok(())
    }
}

impl<C: Call> Job for Flush<C> {
    fn run(&mut self, session: &mut Session) -> Result<(), postgres::Error> {
        if self.batch.is_empty() {
            self.batch = self.queue.take_batch();
        }
        if self.batch.is_empty() {
            return Ok(());
        }
        let calls: Vec<&C> = self.batch.iter().map(|waiting| &waiting.call).collect();
        match C::write(session, &calls) {
            Ok(outputs) => {
                self.results = outputs.into_iter().map(Ok).collect();
                Ok(())
            }
            // The caller runs the flush again.
            Err(error) if is_conflict(&error) || session.is_in_transaction() => Err(error),
            Err(error) if is_of_statement(&error) => self.write_each(session),
            Err(error) => Err(error),
        }
    }

    fn report(mut self: Box<Self>, failure: Option<Error>) {
        if failure.is_some() && self.batch.is_empty() {
            // The connection was lost before the flush has run, and no other flush may follow.
            self.batch = self.queue.take_batch();
        }
        let failure = failure.map(|error| match error.source() {
            Some(source) => source.to_string(),
            None => error.to_string(),
        });
        let mut results = self.results.into_iter();
        for waiting in self.batch {
            let result = match (&failure, results.next()) {
                (Some(text), _) => Err(Error::store(text.as_str())),
                (None, Some(result)) => result,
                (None, None) => Err(Error::store("the call was not written")),
            };
            // The send fails only if the caller was dropped.
            let _ = waiting.result.try_send(result);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{CallQueue, Flush, Job as _};
    use crate::error::Error;
    use crate::machine_id::MachineId;
    use crate::store::claim::ClaimToken;
    use crate::store::family::Family;
    use crate::store::new_machine::NewMachine;
    use crate::store::save::{Continuation, Save};

    fn save(machine: i64) -> Save {
        Save {
            held: ClaimToken {
                id: MachineId(machine),
                fence: 1,
            },
            seq: 1,
            next_step: 1,
            state: "start".into(),
            snapshot: "{}".into(),
            taken: Vec::new(),
            family: Family::default(),
            then: Continuation::Runs,
        }
    }

    fn lengths(queue: &CallQueue<Vec<Save>>) -> Vec<usize> {
        let batch = queue.take_batch();
        batch.iter().map(|waiting| waiting.call.len()).collect()
    }

    #[test]
    fn batch_has_each_machine_once() {
        let queue = CallQueue::default();
        let _results = [1, 2, 1].map(|machine| queue.push(vec![save(machine)]));
        assert_eq!(lengths(&queue), [1, 1]);
        assert_eq!(lengths(&queue), [1]);
        assert!(lengths(&queue).is_empty());
    }

    #[test]
    fn batch_is_bounded() {
        let queue = CallQueue::default();
        let calls = [2_000, 600, 400, 1].map(|count| (0..count).map(save).collect());
        let _results = calls.map(|saves| queue.push(saves));
        assert_eq!(lengths(&queue), [2_000]);
        assert_eq!(lengths(&queue), [600]);
        assert_eq!(lengths(&queue), [400]);
        assert_eq!(lengths(&queue), [1]);
    }

    #[test]
    fn batch_of_starts_is_bounded() {
        let queue = CallQueue::default();
        let new = NewMachine {
            machine_type: "count".into(),
            key: "a".into(),
            state: "start".into(),
            snapshot: "{}".into(),
        };
        let _results: Vec<_> = (0..1_500).map(|_| queue.push(new.clone())).collect();
        assert_eq!(queue.take_batch().len(), 1_000);
        assert_eq!(queue.take_batch().len(), 500);
    }

    #[test]
    fn saves_fail_if_their_flush_is_not_run() {
        let queue = Arc::new(CallQueue::default());
        let result = queue.push(vec![save(1)]);
        let flush = Box::new(Flush::new(Arc::clone(&queue)));
        flush.report(Some(Error::store("the connection is lost")));
        let result = result.try_recv().expect("a result");
        assert!(result.is_err());
        assert!(lengths(&queue).is_empty());
    }
}
