//! The rule about futures that a task has polled before, and does not poll while it waits.

use volt_inspect::Status;

use super::advice::PASSED_LOCK;
use super::finding::{Finding, FindingKind};
use super::locks::{crate_of, is_lock};
use super::rules::{Found, Rules, titled};
use crate::runtime::dump::place::Place;
use crate::runtime::dump::tree::{Detail, NodeEntry};
use crate::task::TaskInfo;

/// A future that is dormant.
struct DormantFuture {
    /// The local variable that stores it, if it is known.
    local: Option<&'static str>,
    /// The step of the machine that stores it and does not poll it.
    holder: Option<Place>,
    /// The place at which the future itself waits.
    waits_at: String,
}

impl<'a> Rules<'a> {
    /// Finds futures that a task has polled before, and does not poll while it waits.
    ///
    /// Timers, and handles of tasks and jobs, make progress without a poll, so they are not
    /// reported.
    pub(super) fn dormant(&self) -> Vec<Finding> {
        let is_dormant = |task: &TaskInfo| self.has_dormant_future(task);
        let findings = self.tree_findings(FindingKind::Dormant, is_dormant, |found| {
            self.dormant_text(found)
        });
        let findings = findings.into_iter();
        findings
            .map(|finding| self.with_passed_lock(finding))
            .collect()
    }

    fn dormant_text(&self, found: &Found<'a>) -> String {
        let example = self.owner_or_longest(found);
        let future = self
            .dormant_future(example)
            .expect("each of the tasks has one");
        let local = match future.local {
            Some(local) => format!("`{local}`"),
            None => "a future".to_owned(),
        };
        let place = match future.holder {
            Some(place) => place.to_string(),
            None => self.place_of(found),
        };
        let passed = match (self.has_passed_lock(example), found.tasks.len()) {
            (false, _) => String::new(),
            (true, 1) => "; the lock was passed to it".to_owned(),
            (true, _) => format!("; the lock was passed to the one of {}", titled(example)),
        };
        let (count, waits_at) = (found.counted_with(example), future.waits_at);
        format!(
            "dormant future: {count} {} poll {local} at {place}; {local} waits at \
             {waits_at}{passed}",
            found.verb("does not", "do not"),
        )
    }

    /// Returns a task that stores the owner of a lock, or else the one that has waited longest.
    pub(super) fn owner_or_longest(&self, found: &Found<'a>) -> &'a TaskInfo {
        let mut tasks = found.tasks.iter().copied();
        let owner = tasks.find(|task| self.has_passed_lock(task));
        owner.unwrap_or_else(|| self.longest_of(found))
    }

    /// Returns the text about the lock that a woken future of a task has got.
    pub(super) fn passed_lock_text(&self, task: &TaskInfo) -> &'static str {
        match (self.has_passed_lock(task), self.woken_futures(task)) {
            (false, _) => "",
            (true, 1) => "; the lock was passed to it",
            (true, _) => "; the lock was passed to one of them",
        }
    }

    /// Returns the finding with the advice about a lock that was passed to a future, if one of its
    /// tasks stores such a future. This task becomes the first one.
    pub(super) fn with_passed_lock(&self, mut finding: Finding) -> Finding {
        let mut tasks = self.dump.tasks.iter();
        let owner =
            tasks.find(|task| finding.tasks.contains(&task.id) && self.has_passed_lock(task));
        if owner.is_some() {
            finding.advice = PASSED_LOCK;
        }
        finding.led_by(owner.map(|owner| owner.id))
    }

    /// Returns `true` if a lock or permit was passed to a future that a task stores and does not
    /// poll, while the task waits for a lock or permit of the same crate.
    ///
    /// The future of a lock is woken only by the lock. A woken one has the status, or is dormant
    /// and has no waker left.
    fn has_passed_lock(&self, task: &TaskInfo) -> bool {
        let mut awaited = None;
        self.dump.forest.trace(task, |place| awaited = Some(place));
        let places = &self.dump.forest.places;
        let awaited = awaited.map(|place| places.get(place).name);
        let Some(awaited) = awaited.filter(|name| is_lock(name)) else {
            return false;
        };
        let nodes = self.nodes(task);
        let (mut awaits, mut dormant_locks, mut has_woken_lock) = (0, 0, false);
        for (index, leaf) in nodes
            .iter()
            .enumerate()
            .filter(|(index, _)| is_leaf(nodes, *index))
        {
            let around = std::iter::successors(Some(index), |inner| parent(nodes, *inner));
            let statuses: Vec<Status> = around.map(|index| nodes[index].status).collect();
            let name = places.get(leaf.place).name;
            let is_same_lock = is_lock(name) && crate_of(name) == crate_of(awaited);
            has_woken_lock |= is_same_lock && statuses.contains(&Status::Woken);
            if statuses.contains(&Status::Dormant) {
                dormant_locks += u64::from(is_same_lock);
            } else if statuses.iter().all(|status| *status == Status::Waiting) {
                awaits += 1;
            }
        }
        has_woken_lock || dormant_locks == 1 && task.wakers == Some(awaits)
    }

    /// Returns the local variable that stores the future of a node or a future around it, and the
    /// step of the machine with the variable.
    pub(super) fn local_around(
        &self,
        task: &TaskInfo,
        node: usize,
    ) -> Option<(&'static str, Option<Place>)> {
        let nodes = self.nodes(task);
        let mut around = std::iter::successors(Some(node), |inner| parent(nodes, *inner));
        around.find_map(|index| {
            let holder = parent(nodes, index).map(|index| nodes[index].place);
            let holder = holder.map(|place| self.dump.forest.places.get(place));
            Some((self.local_of(task, index)?, holder))
        })
    }

    /// Returns the local variable that stores the future of a node.
    fn local_of(&self, task: &TaskInfo, node: usize) -> Option<&'static str> {
        let number = task.tree.nodes.start + node as u32;
        let mut details = self.dump.forest.details(task, number);
        details.find_map(|detail| match detail {
            Detail::Local(name) => Some(name.0),
            _ => None,
        })
    }

    /// Returns `true` if a task stores a dormant future that needs polls.
    pub(super) fn has_dormant_future(&self, task: &TaskInfo) -> bool {
        self.dormant_future(task).is_some()
    }

    /// Returns the first future of a task that is dormant and needs polls.
    fn dormant_future(&self, task: &TaskInfo) -> Option<DormantFuture> {
        let nodes = self.nodes(task);
        let found = nodes.iter().enumerate().find(|(index, node)| {
            node.status == Status::Dormant && self.needs_polls(task, subtree(nodes, *index))
        });
        let (index, _) = found?;
        let holder = parent(nodes, index).map(|index| nodes[index].place);
        Some(DormantFuture {
            local: self.local_of(task, index),
            holder: holder.map(|place| self.dump.forest.places.get(place)),
            waits_at: self.waits_at(&nodes[subtree(nodes, index)]),
        })
    }

    /// Returns `true` if a leaf in a subtree waits for an event after which it has to be polled.
    fn needs_polls(&self, task: &TaskInfo, subtree: std::ops::Range<usize>) -> bool {
        let nodes = self.nodes(task);
        let is_waiting =
            |index: &usize| nodes[*index].is_live() || nodes[*index].status == Status::Dormant;
        let mut leaves = subtree.filter(|index| is_leaf(nodes, *index) && is_waiting(index));
        leaves.any(|index| {
            let number = task.tree.nodes.start + index as u32;
            let mut details = self.dump.forest.details(task, number);
            let runs = |detail: &Detail| {
                matches!(detail, Detail::Timer(_) | Detail::Task(_) | Detail::Job(_))
            };
            !details.any(runs)
        })
    }

    /// Returns the innermost place in a file at which a subtree waits, and its leaf.
    fn waits_at(&self, nodes: &[NodeEntry]) -> String {
        let places = &self.dump.forest.places;
        let mut trace: Vec<Place> = Vec::new();
        for node in nodes {
            let depth = usize::from(node.depth - nodes[0].depth);
            if depth < trace.len() {
                break;
            }
            if depth == trace.len() && (depth == 0 || node.is_live()) {
                trace.push(places.get(node.place));
            }
        }
        let in_file = trace.iter().rev().find(|place| !place.file.is_empty());
        match (in_file, trace.last()) {
            (Some(place), Some(leaf)) if leaf.file.is_empty() => format!("{place} in {leaf}"),
            (Some(place), _) | (None, Some(place)) => place.to_string(),
            (None, None) => String::new(),
        }
    }
}

/// Returns the range of a node and all nodes in it.
fn subtree(nodes: &[NodeEntry], root: usize) -> std::ops::Range<usize> {
    let mut inner = nodes[root + 1..].iter();
    let end = inner.position(|node| node.depth <= nodes[root].depth);
    root..end.map_or(nodes.len(), |end| root + 1 + end)
}

/// Returns `true` for a node without children.
fn is_leaf(nodes: &[NodeEntry], index: usize) -> bool {
    let next = nodes.get(index + 1);
    next.is_none_or(|next| next.depth <= nodes[index].depth)
}

/// Returns the node around another one.
fn parent(nodes: &[NodeEntry], index: usize) -> Option<usize> {
    let mut before = nodes[..index].iter();
    before.rposition(|other| other.depth < nodes[index].depth)
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node};

    use super::PASSED_LOCK;
    use crate::runtime::dump::findings::finding::Finding;
    use crate::runtime::dump::sample::{dump, id, only_finding, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    /// Returns the finding about two tasks with so many wakers, each of which waits for a lock and
    /// stores a future that waits for a future of this name.
    fn finding(stored: &'static str, wakers: [u64; 2]) -> Finding {
        let mut dump = dump(Vec::new());
        for (slot, wakers) in (1..).zip(wakers) {
            let states = task(slot, 0).position;
            let added = dump.forest.add(ValueLimit::None, |visitor| {
                Inspector::new(visitor).node(&Node::of_state(states[1]), |inspector| {
                    inspector.node(&Node::new("tokio::Mutex::lock"), |_| ());
                    inspector.as_dormant("written", |inspector| {
                        inspector.node(&Node::new(stored), |_| ());
                    });
                });
            });
            dump.tasks.push(TaskInfo {
                tree: added.unwrap().1,
                wakers: Some(wakers),
                ..task(slot, 2_000)
            });
        }
        only_finding(&dump)
    }

    #[test]
    fn dormant_future_without_a_waker_has_the_lock() {
        let owned = finding("tokio::Mutex::lock", [2, 1]);
        assert_eq!(owned.tasks, [id(2), id(1)]);
        let begin = "dormant future: 2 tasks, such as task 2.1, do not poll `written` at ";
        assert!(owned.text.starts_with(begin), "{owned}");
        let passed = "; the lock was passed to the one of task 2.1";
        assert!(owned.text.contains(passed), "{owned}");
        assert_eq!(owned.advice(), PASSED_LOCK);
        for (stored, wakers) in [("tokio::Mutex::lock", [2, 2]), ("app::Reply", [2, 1])] {
            let other = finding(stored, wakers);
            assert!(!other.text.contains("passed"), "{other}");
            assert_ne!(other.advice(), PASSED_LOCK);
        }
    }
}
