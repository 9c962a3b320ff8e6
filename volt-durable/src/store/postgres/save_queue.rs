//! `SaveQueue`: the saves that wait for the connection, which are written together.

use std::collections::{HashSet, VecDeque};
use std::error::Error as _;
use std::sync::{Arc, Mutex, PoisonError};

use async_channel::{Receiver, Sender, bounded};

use super::job::Job;
use super::session::{Session, is_conflict, is_of_statement, repeat_after_conflicts};
use super::sql;
use crate::error::{Error, Result};
use crate::store::save::{Lost, Save};

/// The largest number of saves in one statement, unless one call has more.
const MAX_BATCH: usize = 1_000;

/// The saves that wait for the connection. A commit waits for the disk, so one commit for all of
/// them is many times faster than one for each.
#[derive(Debug, Default)]
pub(super) struct SaveQueue {
    waiting: Mutex<VecDeque<Waiting>>,
}

/// The saves of one call.
#[derive(Debug)]
struct Waiting {
    saves: Vec<Save>,
    result: Sender<Result<Vec<Lost>>>,
}

impl SaveQueue {
    /// Queues saves for the next [`Flush`], and returns the receiver of their result.
    pub(super) fn push(&self, saves: Vec<Save>) -> Receiver<Result<Vec<Lost>>> {
        let (result, receiver) = bounded(1);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(Waiting { saves, result });
        receiver
    }

    /// Takes the calls that wait, up to the first one with a machine that an earlier one has.
    fn take_batch(&self) -> Vec<Waiting> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let mut machines = HashSet::new();
        let mut batch = Vec::new();
        while let Some(call) = waiting.pop_front() {
            let ids = call.saves.iter().map(|save| save.held.id);
            let is_first = batch.is_empty();
            let repeats = ids.clone().any(|id| machines.contains(&id));
            if !is_first && (repeats || machines.len() + call.saves.len() > MAX_BATCH) {
                waiting.push_front(call);
                break;
            }
            machines.extend(ids);
            batch.push(call);
        }
        batch
    }
}

impl Waiting {
    fn write(&self, session: &mut Session) -> Result<Vec<Lost>, postgres::Error> {
        let saves: Vec<&Save> = self.saves.iter().collect();
        sql::save(session, &saves)
    }

    /// Returns those of the lost saves that are of this call.
    fn own(&self, lost: &[Lost]) -> Vec<Lost> {
        let is_own = |lost: &&Lost| self.saves.iter().any(|save| save.held.id == lost.id);
        lost.iter().filter(is_own).copied().collect()
    }
}

/// Writes the saves that wait in one statement. An earlier flush may have written all of them.
#[derive(Debug)]
pub(super) struct Flush {
    queue: Arc<SaveQueue>,
    /// The calls of this flush, with the result of each.
    batch: Vec<(Waiting, Result<Vec<Lost>>)>,
}

impl Flush {
    pub(super) fn new(queue: Arc<SaveQueue>) -> Self {
        Self {
            queue,
            batch: Vec::new(),
        }
    }

    fn take_batch(&mut self) {
        let calls = self.queue.take_batch().into_iter();
        self.batch = calls.map(|call| (call, Ok(Vec::new()))).collect();
    }

    /// Writes each call by a statement of its own, so that one faulty snapshot is the error of its
    /// machine only.
    fn write_each(&mut self, session: &mut Session) -> Result<(), postgres::Error> {
        for (call, result) in &mut self.batch {
            *result = match repeat_after_conflicts(|| call.write(session)) {
                Err(error) if !is_of_statement(&error) => return Err(error),
                written => written.map_err(Error::store),
            };
        }
        Ok(())
    }
}

impl Job for Flush {
    fn run(&mut self, session: &mut Session) -> Result<(), postgres::Error> {
        if self.batch.is_empty() {
            self.take_batch();
        }
        let saves = self.batch.iter().flat_map(|(call, _)| &call.saves);
        let saves: Vec<&Save> = saves.collect();
        if saves.is_empty() {
            return Ok(());
        }
        match sql::save(session, &saves) {
            Ok(lost) => {
                for (call, result) in &mut self.batch {
                    *result = Ok(call.own(&lost));
                }
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
            self.take_batch();
        }
        let failure = failure.map(|error| match error.source() {
            Some(source) => source.to_string(),
            None => error.to_string(),
        });
        for (call, result) in self.batch {
            // The send fails only if the caller was dropped.
            let _ = call.result.try_send(match &failure {
                Some(text) => Err(Error::store(text.as_str())),
                None => result,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Flush, Job as _, SaveQueue};
    use crate::error::Error;
    use crate::machine_id::MachineId;
    use crate::store::claim::ClaimToken;
    use crate::store::family::Family;
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

    fn lengths(queue: &SaveQueue) -> Vec<usize> {
        let batch = queue.take_batch();
        batch.iter().map(|call| call.saves.len()).collect()
    }

    #[test]
    fn batch_has_each_machine_once() {
        let queue = SaveQueue::default();
        let _results = [1, 2, 1].map(|machine| queue.push(vec![save(machine)]));
        assert_eq!(lengths(&queue), [1, 1]);
        assert_eq!(lengths(&queue), [1]);
        assert!(lengths(&queue).is_empty());
    }

    #[test]
    fn batch_is_bounded() {
        let queue = SaveQueue::default();
        let calls = [2_000, 600, 400, 1].map(|count| (0..count).map(save).collect());
        let _results = calls.map(|saves| queue.push(saves));
        assert_eq!(lengths(&queue), [2_000]);
        assert_eq!(lengths(&queue), [600]);
        assert_eq!(lengths(&queue), [400]);
        assert_eq!(lengths(&queue), [1]);
    }

    #[test]
    fn saves_fail_if_their_flush_is_not_run() {
        let queue = Arc::new(SaveQueue::default());
        let result = queue.push(vec![save(1)]);
        let flush = Box::new(Flush::new(Arc::clone(&queue)));
        flush.report(Some(Error::store("the connection is lost")));
        let result = result.try_recv().expect("a result");
        assert!(result.is_err());
        assert!(lengths(&queue).is_empty());
    }
}
