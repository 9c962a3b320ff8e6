//! `PollReport`: the account of the inspection polls of a dump.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use super::unreached_task::{UnreachedReason, UnreachedTask};
use crate::task::TaskId;

/// The number of unreached tasks that the text of a dump names for each reason.
const MAX_NAMED: usize = 5;

/// The account of the inspection polls of a [dump by poll](crate::Handle::dump_by_poll).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PollReport {
    /// The number of tasks that were polled and are pending.
    pub polled: usize,
    /// The tasks that completed in the inspection poll, because their event had arrived.
    pub ended: Vec<TaskId>,
    /// The tasks that were not polled.
    pub unreached: Vec<UnreachedTask>,
    /// The time that the polls took on the worker.
    pub poll_time: Duration,
    /// The time in which the calling thread found the names and lines of functions.
    pub resolve_time: Duration,
    /// The number of clones of the waker in the poll of each task.
    pub(in crate::runtime::dump) clones: HashMap<TaskId, usize>,
}

impl PollReport {
    /// Returns the reasons that occur, with the unreached tasks of each.
    pub(in crate::runtime::dump) fn by_reason(&self) -> Vec<(UnreachedReason, Vec<TaskId>)> {
        let mut unreached = self.unreached.clone();
        unreached.sort_by_key(|task| task.reason);
        let same = |a: &UnreachedTask, b: &UnreachedTask| a.reason == b.reason;
        let ids = |tasks: &[UnreachedTask]| tasks.iter().map(|task| task.id).collect();
        let reasons = unreached.chunk_by(same);
        reasons.map(|tasks| (tasks[0].reason, ids(tasks))).collect()
    }
}

impl fmt::Display for PollReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "polled for inspection: {}",
            self.polled + self.ended.len()
        )?;
        if !self.ended.is_empty() {
            write!(f, ", of which {} completed", self.ended.len())?;
        }
        for (reason, ids) in self.by_reason() {
            write!(f, "; not polled, {}: {}", reason.text(), ids.len())?;
            for (nth, id) in ids.iter().take(MAX_NAMED).enumerate() {
                let before = if nth == 0 { " (" } else { ", " };
                write!(f, "{before}{id}")?;
            }
            f.write_str(if ids.len() > MAX_NAMED { ", ..)" } else { ")" })?;
        }
        Ok(())
    }
}
