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

/// Parts of the types of values that may store a future.
const FUTURES: [&str; 6] = ["Future", "Stream", "Pin<", "Box<", "dyn ", "impl "];

/// The type of a variable without a written type.
const UNKNOWN_TYPE: &str = "_";

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
        let is_woken = |task: &TaskInfo| self.has_woken(task);
        let findings = self.tree_findings(FindingKind::WokenNotPolled, is_woken, |found| {
            let example = self.owner_or_longest(found);
            let (tasks, place) = (found.counted_with(example), self.place_of(found));
            let woken = found.tasks.iter().map(|task| self.woken_futures(task));
            let future = self.woken_future_of(example);
            let futures = match (woken.sum(), future) {
                (1, Some(future)) => future,
                (1, None) => "1 woken future".to_owned(),
                (more, Some(future)) => format!("{more} woken futures, such as {future},"),
                (more, None) => format!("{more} woken futures"),
            };
            let variables = self.variables_of_woken(example);
            let passed = self.passed_lock_text(example);
            format!(
                "woken and not polled: {futures} in {tasks}{variables}{passed}; {} at {place}",
                found.verb("it waits", "they wait"),
            )
        });
        let findings = findings.into_iter();
        findings
            .map(|finding| self.with_passed_lock(finding))
            .collect()
    }

    /// Returns the text about the variable that stores the woken futures of a task, or about those
    /// that may store them.
    fn variables_of_woken(&self, task: &TaskInfo) -> String {
        let nodes = self.nodes(task);
        let Some(woken) = nodes.iter().position(|node| node.status == Status::Woken) else {
            return variables_of(task);
        };
        match self.local_around(task, woken) {
            Some((local, Some(machine))) => format!(", in `{local}` of {}", machine.name),
            Some((local, None)) => format!(", in `{local}`"),
            None => String::new(),
        }
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
    pub(super) fn woken_futures(&self, task: &TaskInfo) -> u32 {
        let nodes = self.nodes(task).iter();
        let in_tree = nodes.filter(|node| node.status == Status::Woken).count();
        self.dump.woken_children_of(task).max(in_tree as u32)
    }

    /// Returns `true` if a future of a task was woken, and the task has not polled it since.
    pub(super) fn has_woken(&self, task: &TaskInfo) -> bool {
        self.has_status(task, Status::Woken) || self.dump.woken_children_of(task) > 0
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
fn variables_of(task: &TaskInfo) -> String {
    let outer = task.position.len().saturating_sub(1).max(1);
    let mut machines = task.position.iter().take(outer).rev();
    let Some(state) = machines.find(|state| !state.locals.is_empty()) else {
        return String::new();
    };
    let likely = likely_variables(state.locals).into_iter();
    let names: Vec<_> = likely
        .take(MAX_VARIABLES)
        .map(|local| format!("`{}`", local.name))
        .collect();
    match names[..] {
        [] => String::new(),
        _ => format!(", in {} of {}", names.join(" or "), state.machine),
    }
}

/// Returns the locals that most likely store a future: those of combinators, or else those whose
/// types are not known or may contain a future, or else all.
///
/// A local whose name begins with an underscore is not used, so no await has polled it.
fn likely_variables(locals: &[Local]) -> Vec<&Local> {
    let is_named = |local: &Local, parts: &[&str]| parts.iter().any(|part| local.ty.contains(part));
    let used = locals.iter().filter(|local| !local.name.starts_with('_'));
    let (sets, others): (Vec<_>, Vec<_>) = used.partition(|local| is_named(local, &SETS));
    if !sets.is_empty() {
        return sets;
    }
    let may_store = |local: &&Local| local.ty == UNKNOWN_TYPE || is_named(local, &FUTURES);
    let (possible, others): (Vec<_>, Vec<_>) = others.into_iter().partition(may_store);
    if possible.is_empty() {
        others
    } else {
        possible
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node, Status};

    use super::{Finding, FindingKind, likely_variables, variables_of};
    use crate::machine::{Local, State};
    use crate::runtime::dump::sample::{dump, only_finding, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    const POOL: Local = Local::new("pool", "Pool");
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

    #[test]
    fn variables_without_a_future_are_left_out() {
        let locals = [
            Local::new("_id", "_"),
            Local::new("reads", "_"),
            POOL,
            Local::new("later", "Pin<Box<Write>>"),
        ];
        let names = |locals: &[Local]| {
            let likely = likely_variables(locals).into_iter();
            likely.map(|local| local.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&locals), ["reads", "later"]);
        assert_eq!(names(&[locals[0], POOL]), ["pool"]);
        assert_eq!(names(&locals[..1]), [""; 0]);
    }

    /// Returns the only finding about a task that waits for a lock, and stores a group with a woken
    /// future.
    fn woken_in_a_local(leaf: &'static str) -> Finding {
        let mut dump = dump(Vec::new());
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            Inspector::new(visitor).node(&Node::of_state(&REBUILD), |inspector| {
                inspector.node(&Node::new("app::Mutex::lock"), |_| ());
                inspector.as_dormant("reads", |inspector| {
                    inspector.node(&Node::new("FutureGroup"), |inspector| {
                        inspector.as_child(0, Status::Woken, |inspector| {
                            inspector.node(&Node::new(leaf), |_| ());
                        });
                    });
                });
            });
        });
        dump.tasks.push(TaskInfo {
            tree: added.unwrap().1,
            ..at(&REBUILD)
        });
        only_finding(&dump)
    }

    #[test]
    fn woken_future_has_its_local() {
        let other = woken_in_a_local("Read");
        let begin = "woken and not polled: Read in task 1.1, in `reads` of Rebuild; it waits at ";
        assert!(other.text.starts_with(begin), "{other}");
        assert!(!other.text.contains("passed"), "{other}");
        assert_eq!(other.advice(), FindingKind::WokenNotPolled.advice());
        // A woken future of a lock has got the lock.
        let lock = woken_in_a_local("app::Mutex::lock");
        assert!(
            lock.text
                .contains("; the lock was passed to it; it waits at "),
            "{lock}"
        );
        assert!(lock.advice().contains("Drop the stored future"), "{lock:?}");
    }
}
