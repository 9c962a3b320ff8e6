//! The rule about timers that no thread fires.

use std::time::Duration;

use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::{Found, Rules, titled};
use crate::runtime::dump::place::period;
use crate::runtime::dump::waits::MAX_TIMERS;
use crate::task::{Lifecycle, TaskInfo};

impl<'a> Rules<'a> {
    /// Finds tasks whose timers ended long ago.
    pub(in crate::runtime::dump::findings) fn overdue_timers(&self) -> Option<Finding> {
        // The task is idle for as long as its timer is overdue. A paused clock can jump, so the
        // time of the timer alone is not enough.
        let is_overdue = |task: &&TaskInfo| {
            let late = self.overdue_by(task);
            let is_waiting = task.lifecycle == Lifecycle::Idle && self.is_long(task);
            is_waiting && late.is_some_and(|late| late >= self.limits.long)
        };
        let tasks: Vec<_> = self.dump.tasks.iter().filter(is_overdue).collect();
        let late = tasks
            .iter()
            .filter_map(|task| self.overdue_by(task))
            .max()?;
        let found = Found { tasks, group: None };
        // A full list lacks other timers.
        let is_cut = self.dump.overdue_timers.len() >= MAX_TIMERS;
        let text = format!(
            "overdue timers: {}{} {} for timers that ended up to {} ago; {}",
            if is_cut { "at least " } else { "" },
            self.counted_with_example(&found),
            found.verb("waits", "wait"),
            period(late),
            self.cause_of_overdue_timers(),
        );
        Some(self.finding(FindingKind::OverdueTimers, found, text))
    }

    /// Returns the longest time since the end of a timer that the task waits for.
    fn overdue_by(&self, task: &TaskInfo) -> Option<Duration> {
        let timers = &self.dump.overdue_timers;
        let end = timers.partition_point(|(id, _)| *id <= task.id);
        let (id, late) = timers[..end].last()?;
        (*id == task.id).then_some(*late)
    }

    /// Returns the polls that keep the workers from the driver.
    fn cause_of_overdue_timers(&self) -> String {
        let tasks = self.dump.tasks.iter();
        let is_polled = |task: &&'a TaskInfo| {
            task.lifecycle == Lifecycle::Running && !task.blocking && task.worker.is_some()
        };
        let polled: Vec<_> = tasks.filter(is_polled).collect();
        let Some(longest) = polled.iter().max_by_key(|task| self.dump.time_since(task)) else {
            return "no worker polls a task, and none waits in the driver".to_owned();
        };
        let time = period(self.dump.time_since(longest));
        let workers = self.dump.runtime.stats.workers.len();
        format!(
            "{} of {} {} in a poll, {} for {time}",
            polled.len(),
            counted_workers(workers),
            if polled.len() == 1 { "is" } else { "are" },
            titled(longest),
        )
    }
}

fn counted_workers(count: usize) -> String {
    match count {
        1 => "1 worker".to_owned(),
        more => format!("{more} workers"),
    }
}
