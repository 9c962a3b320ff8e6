//! The rule about tasks that wait for each other.

use std::fmt::Write;
use std::time::Duration;

use super::finding::{Finding, FindingKind};
use super::rules::{Rules, titled};
use crate::runtime::dump::place::function_of;
use crate::task::{TaskId, TaskInfo};

/// The number of waits of a cycle whose places a text has.
const MAX_PLACES: usize = 8;

impl Rules<'_> {
    /// Finds cycles of tasks that wait for each other.
    pub(super) fn cycles(&self) -> Vec<Finding> {
        let cycles = self.dump.wait_cycles().into_iter();
        let finding = |cycle: Vec<TaskId>| Finding {
            kind: FindingKind::Cycle,
            count: cycle.len(),
            place: None,
            group: None,
            longest: Duration::ZERO,
            jobs: Vec::new(),
            text: self.cycle_text(&cycle),
            advice: FindingKind::Cycle.advice(),
            tasks: cycle,
        };
        cycles.map(finding).collect()
    }

    fn cycle_text(&self, cycle: &[TaskId]) -> String {
        let mut tasks: Vec<_> = cycle.iter().map(|id| self.task_at(*id)).collect();
        let title = |index: usize| match tasks[index] {
            Some((_, task)) => titled(task),
            None => format!("task {}", cycle[index]),
        };
        let mut text = format!("cycle: {}", title(0));
        for (index, task) in tasks.iter().enumerate() {
            let next = (index + 1) % cycle.len();
            let holder = task.and_then(|(_, task)| self.dump.forest.holder_of_lock(task));
            _ = if holder == Some(cycle[next]) {
                write!(text, " waits for a lock that {} holds", title(next))
            } else {
                write!(text, " waits for the end of {}", title(next))
            };
            if next != 0 {
                text.push_str(", which");
            }
        }
        tasks.truncate(MAX_PLACES);
        text.push_str(&self.places_of_waits(&tasks));
        text
    }

    /// Returns the places at which the tasks of a cycle wait.
    fn places_of_waits(&self, tasks: &[Option<(usize, &TaskInfo)>]) -> String {
        let known: Vec<_> = tasks.iter().flatten().collect();
        let places = known
            .iter()
            .map(|(index, task)| self.place_of_wait(*index, task));
        let places: Vec<_> = places.collect();
        match &places[..] {
            [] => String::new(),
            [first, others @ ..] if others.iter().all(|place| place == first) => {
                format!("; at {first}")
            }
            _ => {
                let waits = known.iter().zip(&places);
                let texts =
                    waits.map(|((_, task), place)| format!("; {} at {place}", titled(task)));
                texts.collect()
            }
        }
    }

    /// Returns the place at which a task waits, or that of its spawn with its function.
    fn place_of_wait(&self, index: usize, task: &TaskInfo) -> String {
        let group = self.grouping.tasks[index].group as usize;
        let place = self.place_with_await(group);
        match self.grouping.trace(group) {
            [] => format!("{place}, which runs {}", function_of(task)),
            _ => place,
        }
    }

    /// Returns the index of a task in the dump, and the task.
    fn task_at(&self, id: TaskId) -> Option<(usize, &TaskInfo)> {
        let mut tasks = self.dump.tasks.iter().enumerate();
        tasks.find(|(_, task)| task.id == id)
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node, Wait};

    use crate::runtime::FindingKind;
    use crate::runtime::dump::sample::{dump, id, only_finding, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    /// Returns a task that waits for the end of another one.
    fn joins(slot: u64, other: u64) -> TaskInfo {
        TaskInfo {
            waits_for: vec![id(other)],
            ..task(slot, 10)
        }
    }

    #[test]
    fn cycle_is_in_the_order_of_its_waits() {
        let finding = only_finding(&dump(vec![
            joins(1, 3),
            joins(2, 1),
            joins(3, 2),
            joins(4, 1),
        ]));
        assert_eq!(finding.kind, FindingKind::Cycle);
        assert_eq!(finding.tasks, [id(1), id(3), id(2)]);
        assert_eq!(
            finding.to_string(),
            "cycle: task 1.1 waits for the end of task 3.1, which waits for the end of task 2.1, \
             which waits for the end of task 1.1; at ReadFrame at await poll_fn, \
             src/frame.rs:31:14, awaited by Session at await read_frame, src/session.rs:52:30"
        );
    }

    #[test]
    fn cycle_of_untraced_tasks_has_their_spawn() {
        let untraced = |slot, other| TaskInfo {
            position: [].into(),
            ..joins(slot, other)
        };
        let text = only_finding(&dump(vec![untraced(1, 2), untraced(2, 1)])).to_string();
        assert!(text.contains("the end of task 1.1; spawned at "), "{text}");
    }

    #[test]
    fn cycle_has_each_place_and_the_locks() {
        let mut dump = dump(vec![joins(1, 2)]);
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            let mut inspector = Inspector::new(visitor);
            let wait = Wait::Lock {
                address: 0,
                holder: Some(id(1).to_bits()),
                place: None,
                waiters: None,
            };
            inspector.node(&Node::new("Lock"), |inspector| inspector.waits(wait));
        });
        dump.tasks.push(TaskInfo {
            tree: added.unwrap().1,
            ..joins(2, 1)
        });
        let text = only_finding(&dump).to_string();
        let begin = "cycle: task 1.1 waits for the end of task 2.1, which waits for a lock that \
            task 1.1 holds; task 1.1 at ReadFrame at await poll_fn, ";
        assert!(text.starts_with(begin), "{text}");
        assert!(text.contains("; task 2.1, spawned at "), "{text}");
        assert!(text.ends_with(" in Lock"), "{text}");
    }
}
