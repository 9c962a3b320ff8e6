//! The rules that read the trees of futures.

use std::time::Duration;

use volt_inspect::Status;

use super::finding::{Finding, FindingKind};
use super::rules::{Found, Rules};
use crate::machine::Local;
use crate::runtime::dump::place::{Place, PlaceIndex, period};
use crate::runtime::dump::tree::NodeEntry;
use crate::task::{Lifecycle, TaskInfo};

/// The number of variables that a text names.
const MAX_VARIABLES: usize = 4;

/// Parts of the types of combinators with several futures.
const SETS: [&str; 7] = [
    "Group",
    "Join",
    "Race",
    "Select",
    "Unordered",
    "Buffer",
    "Ordered",
];

impl<'a> Rules<'a> {
    /// Finds futures that were woken, while their task waits for another one.
    pub(super) fn woken_not_polled(&self) -> Vec<Finding> {
        let is_woken = |task: &TaskInfo| {
            self.has_status(task, Status::Woken) || self.dump.woken_children_of(task) > 0
        };
        self.tree_findings(FindingKind::WokenNotPolled, is_woken, |found| {
            let (tasks, place) = (self.counted_with_example(found), self.place_of(found));
            let woken = found.tasks.iter().map(|task| self.woken_futures(task));
            let example = self.woken_future_of(self.longest_of(found));
            let futures = match (woken.sum(), example) {
                (1, Some(example)) => example,
                (1, None) => "1 woken future".to_owned(),
                (more, Some(example)) => format!("{more} woken futures, such as {example},"),
                (more, None) => format!("{more} woken futures"),
            };
            let variables = match self.has_status(self.longest_of(found), Status::Woken) {
                true => String::new(),
                false => variables_of(self.longest_of(found)),
            };
            format!(
                "woken and not polled: {futures} in {tasks}{variables}; {} at {place}",
                found.verb("it waits", "they wait"),
            )
        })
    }

    /// Returns the place of the first future in the tree of a task that was woken.
    fn woken_future_of(&self, task: &TaskInfo) -> Option<String> {
        let mut nodes = self.nodes(task).iter();
        let woken = nodes.find(|node| node.status == Status::Woken)?;
        Some(self.dump.forest.places.get(woken.place).to_string())
    }

    /// Finds tasks with wakers that no future of their tree explains, while a task waits for long
    /// for a lock, a permit or a notification.
    ///
    /// A future that is not polled is a fault if it keeps one of these from others. An object such
    /// as a WebSocket may keep the waker of an earlier wait, which is no fault.
    pub(super) fn more_wakers_than_leaves(&self) -> Vec<Finding> {
        if !self.has_contention() {
            return Vec::new();
        }
        let has_more = |task: &TaskInfo| self.has_more_wakers(task);
        self.tree_findings(FindingKind::MoreWakersThanLeaves, has_more, |found| {
            let (tasks, place) = (self.counted_with_example(found), self.place_of(found));
            format!(
                "more wakers than waits: {tasks} may hold a future that is not polled, at {place}"
            )
        })
    }

    /// Returns `true` if a task has more wakers than futures that wait.
    pub(super) fn has_more_wakers(&self, task: &TaskInfo) -> bool {
        let leaves = match self.clones_of(task) {
            Some(clones) => clones,
            None => self.waiting_leaves(task),
        };
        leaves > 0 && task.wakers.is_some_and(|wakers| wakers > leaves)
    }

    /// Finds tasks that wait for nothing but a timer far in the future.
    pub(super) fn far_timers(&self) -> Vec<Finding> {
        let is_far = |task: &TaskInfo| {
            self.only_timer(task)
                .is_some_and(|left| left >= self.limits.far)
        };
        self.tree_findings(FindingKind::FarTimer, is_far, |found| {
            let left = self.only_timer(self.longest_of(found)).unwrap_or_default();
            format!(
                "far timer: {} {} for nothing but a timer that ends in {}, at {}{}",
                self.counted_with_example(found),
                found.verb("waits", "wait"),
                period(left),
                self.place_of(found),
                self.brief_siblings_of(found),
            )
        })
    }

    /// Returns the number of tasks of the same place that wait for a short time.
    fn brief_siblings_of(&self, found: &Found<'a>) -> String {
        let Some(group) = found.group else {
            return String::new();
        };
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let brief = tasks.filter(|(task, places)| {
            let is_of_group = places.group as usize == group;
            is_of_group && task.lifecycle == Lifecycle::Idle && !self.is_long(task)
        });
        match brief.count() {
            0 => String::new(),
            brief => format!(
                "; {} of this place {} less than {}",
                if brief == 1 {
                    "another task".to_owned()
                } else {
                    format!("{brief} other tasks")
                },
                if brief == 1 {
                    "has waited"
                } else {
                    "have waited"
                },
                period(self.limits.long)
            ),
        }
    }

    /// Returns the time until the timer of a task that waits for nothing else.
    ///
    /// The driver knows the timer of a task whose futures cannot be inspected. Its only waker is
    /// the one of the timer then.
    fn only_timer(&self, task: &TaskInfo) -> Option<Duration> {
        match self.dump.far_timer_of(task) {
            Some(left) => (task.wakers == Some(1)).then_some(left),
            None => {
                let timer = self.dump.forest.timers(task).min();
                timer.filter(|_| self.waiting_leaves(task) == 1)
            }
        }
    }

    /// Returns a finding for each group with idle tasks that match and have waited for long.
    pub(super) fn tree_findings(
        &self,
        kind: FindingKind,
        matches: impl Fn(&TaskInfo) -> bool,
        text: impl Fn(&Found<'a>) -> String,
    ) -> Vec<Finding> {
        let is_found = |task: &TaskInfo| {
            task.lifecycle == Lifecycle::Idle && self.is_long(task) && matches(task)
        };
        let finding = |found: Found<'a>| {
            let text = text(&found);
            self.finding(kind, found, text)
        };
        self.by_group(is_found).into_iter().map(finding).collect()
    }

    /// Returns the text of the place of a group, and the await of the function around it.
    pub(super) fn place_with_await(&self, group: usize) -> String {
        let text = self.grouping.place_text(group);
        let mut trace = self.grouping.trace(group).iter();
        let has_file = |place: &&PlaceIndex| !self.grouping.places.get(**place).file.is_empty();
        let innermost = trace.rfind(has_file);
        match innermost.and_then(|place| self.await_around(group, *place)) {
            Some(outer) => format!("{text}, awaited by {outer}"),
            None => text,
        }
    }

    /// Returns the next place in a file that is around a place of a group.
    pub(super) fn await_around(&self, group: usize, place: PlaceIndex) -> Option<Place> {
        let trace = self.grouping.trace(group);
        let inner = trace.iter().rposition(|other| *other == place)?;
        let outer = trace[..inner].iter().rev();
        let mut places = outer.map(|place| self.grouping.places.get(*place));
        places.find(|place| !place.file.is_empty())
    }

    pub(super) fn nodes(&self, task: &TaskInfo) -> &'a [NodeEntry] {
        self.dump.forest.nodes(task)
    }

    /// Returns the number of futures of a task that were woken and not polled since. The tree and
    /// the wake sets may both contain them.
    fn woken_futures(&self, task: &TaskInfo) -> u32 {
        let nodes = self.nodes(task).iter();
        let in_tree = nodes.filter(|node| node.status == Status::Woken).count();
        self.dump.woken_children_of(task).max(in_tree as u32)
    }

    fn has_status(&self, task: &TaskInfo, status: Status) -> bool {
        self.nodes(task).iter().any(|node| node.status == status)
    }

    /// Returns the number of clones of the waker in the inspection poll of a task. Each future that
    /// the task polls has cloned the waker, also if the tree does not contain it.
    #[cfg(feature = "inspect")]
    fn clones_of(&self, task: &TaskInfo) -> Option<u64> {
        let report = self.dump.by_poll.as_ref()?;
        report.clones.get(&task.id).map(|clones| *clones as u64)
    }

    #[cfg(not(feature = "inspect"))]
    #[expect(clippy::unused_self, reason = "the other configuration uses it")]
    fn clones_of(&self, _: &TaskInfo) -> Option<u64> {
        None
    }

    /// Returns the number of futures without children that the task waits for.
    fn waiting_leaves(&self, task: &TaskInfo) -> u64 {
        let nodes = self.nodes(task);
        let depths = nodes.iter().skip(1).map(|node| node.depth).chain([0]);
        let leaves = nodes
            .iter()
            .zip(depths)
            .filter(|(node, next)| *next <= node.depth);
        let waiting = leaves.filter(|(node, _)| node.status == Status::Waiting);
        waiting.count() as u64
    }
}

/// Returns the text about the variables that may store a future of a task which is not polled. They
/// are those of the innermost machine that awaits another machine, or of the only machine.
///
/// Variables of combinators are preferred, if their types are known.
fn variables_of(task: &TaskInfo) -> String {
    let outer = task.position.len().saturating_sub(1).max(1);
    let mut machines = task.position.iter().take(outer).rev();
    let Some(state) = machines.find(|state| !state.locals.is_empty()) else {
        return String::new();
    };
    let is_set = |local: &&Local| SETS.iter().any(|set| local.ty.contains(set));
    let (sets, others): (Vec<&Local>, Vec<_>) = state.locals.iter().partition(is_set);
    let likely = if sets.is_empty() { others } else { sets };
    let likely = likely.iter().take(MAX_VARIABLES);
    let names: Vec<_> = likely.map(|local| format!("`{}`", local.name)).collect();
    format!(", in {} of {}", names.join(" or "), state.machine)
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::variables_of;
    use crate::machine::{Local, State};
    use crate::runtime::dump::sample::{dump, only_finding, task};
    use crate::task::TaskInfo;

    const POOL: Local = Local::new("pool", "Arc<Semaphore>");
    const LOCALS: &[Local] = &[POOL, Local::new("reads", "FutureGroup<Read>")];
    static REBUILD: State = State::new("Rebuild", 2, "await page", ("src/a.rs", 36, 40), LOCALS);
    static PLAIN: State = State::new("Plain", 2, "await page", ("src/a.rs", 3, 4), &[POOL]);

    fn at(state: &'static State) -> TaskInfo {
        TaskInfo {
            position: [state, task(1, 0).position[1]].into(),
            ..task(1, 2_000)
        }
    }

    #[test]
    fn woken_futures_have_their_variable() {
        let mut dump = dump(vec![at(&REBUILD)]);
        dump.woken_children = vec![(dump.tasks[0].id, 2)];
        let text = only_finding(&dump).to_string();
        let begin = "woken and not polled: 2 woken futures in task 1.1, in `reads` of Rebuild; it \
            waits at ReadFrame at await poll_fn, ";
        assert!(text.starts_with(begin), "{text}");
    }

    #[test]
    fn outer_machine_has_the_variables() {
        assert_eq!(variables_of(&at(&PLAIN)), ", in `pool` of Plain");
        let only = TaskInfo {
            position: [&REBUILD].into(),
            ..task(1, 0)
        };
        assert_eq!(variables_of(&only), ", in `reads` of Rebuild");
        assert_eq!(variables_of(&task(1, 0)), "");
    }
}
