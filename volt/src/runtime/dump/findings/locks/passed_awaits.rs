//! The tasks that may own a lock, because they have passed an earlier line or await.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::lock_rules::LockPlace;
#[cfg(feature = "inspect")]
use crate::machine::Transition;
use crate::runtime::dump::findings::rules::Rules;
use crate::runtime::dump::place::{Place, PlaceIndex};
use crate::task::TaskInfo;
#[cfg(feature = "inspect")]
use crate::task::machine_tables;

impl<'a> Rules<'a> {
    /// Returns the text about tasks that wait for a lock after another one of the same function.
    /// Other tasks wait for the earlier one.
    pub(super) fn passed_locks(&self, places: impl Iterator<Item = PlaceIndex>) -> String {
        let mut lines = BTreeMap::<_, BTreeSet<u32>>::new();
        for place in places.map(|place| self.grouping.places.get(place)) {
            if place.line > 0 && !place.is_spawn() {
                let lines = lines.entry((place.file, place.name)).or_default();
                lines.insert(place.line);
            }
        }
        let mut text = String::new();
        for ((_, function), lines) in lines {
            let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
                continue;
            };
            if first < last {
                _ = write!(
                    text,
                    "; the tasks at line {last} of {function} have passed line {first}, \
                     so they may own its lock",
                );
            }
        }
        text
    }

    /// Returns the text about tasks that wait for locks at one line of a function, after an earlier
    /// await of it. Each may own a lock since then.
    ///
    /// Without the attribute the guards of a task are not known. A function of which tasks wait at
    /// two lines is in the text about passed lines. A task with more wakers than waits is in
    /// another text, because it may store a future. A dormant future is a known cause.
    pub(super) fn crossed_locks(
        &self,
        by_place: &[(LockPlace, Vec<(u32, &'a TaskInfo)>)],
    ) -> String {
        let mut tasks = by_place.iter().flat_map(|(_, tasks)| tasks);
        if tasks.any(|(_, task)| self.has_dormant_future(task)) {
            return String::new();
        }
        let mut lines = BTreeMap::<_, BTreeMap<u32, Vec<(PlaceIndex, &TaskInfo)>>>::new();
        for (at, tasks) in by_place {
            let place = self.grouping.places.get(at.place);
            if place.line > 0 && !place.is_spawn() {
                let lines = lines.entry((place.file, place.name)).or_default();
                let at_line = lines.entry(place.line).or_default();
                at_line.extend(tasks.iter().map(|(_, task)| (at.place, *task)));
            }
        }
        let may_own = |(place, task): &&(PlaceIndex, &TaskInfo)| {
            self.has_passed_await(task, *place) && !self.has_more_wakers(task)
        };
        let mut text = String::new();
        for ((_, function), mut lines) in lines {
            let Some((line, tasks)) = lines.pop_first().filter(|_| lines.is_empty()) else {
                continue;
            };
            let owners = tasks.iter().filter(may_own).count();
            if owners > 1 {
                _ = write!(
                    text,
                    "; {owners} tasks at line {line} of {function} have passed an earlier await of \
                     it, so if the function takes a lock before this line, they may own it and \
                     wait for each other",
                );
            }
        }
        text
    }

    /// Returns `true` if a task that waits at a place has passed an earlier await of the same
    /// function.
    ///
    /// The transitions of a machine are known. Of other functions, only the outermost one has all
    /// earlier polls of the task.
    fn has_passed_await(&self, task: &TaskInfo, place: PlaceIndex) -> bool {
        let known = passed_await_at(self.grouping.places.get(place));
        known.unwrap_or_else(|| task.polls > 1 && self.is_outermost(task, place))
    }

    /// Returns `true` if no other function with a known file awaits the one at a place.
    fn is_outermost(&self, task: &TaskInfo, place: PlaceIndex) -> bool {
        let mut is_outermost = false;
        self.dump.forest.waiting_paths(task, |path| {
            let has_file = |place: &&PlaceIndex| !self.grouping.places.get(**place).file.is_empty();
            is_outermost |= path.iter().find(has_file) == Some(&place);
        });
        is_outermost
    }
}

/// Returns `true` if a machine that waits at a place has passed another await, and `None` if the
/// place is in no registered machine.
#[cfg(feature = "inspect")]
fn passed_await_at(place: Place) -> Option<bool> {
    machine_tables().find_map(|tables| {
        let mut states = tables.states.iter();
        let state = states.find(|state| Place::of_state(state) == place)?;
        Some(follows_await(tables.transitions, state.index))
    })
}

#[cfg(not(feature = "inspect"))]
fn passed_await_at(_: Place) -> Option<bool> {
    None
}

/// Returns `true` if each way to a state passes another await. The state 0 is the start.
#[cfg(feature = "inspect")]
fn follows_await(transitions: &[Transition], state: usize) -> bool {
    let to_state = transitions
        .iter()
        .filter(|step| step.to == state && step.from != state);
    let mut from = to_state.map(|step| step.from).peekable();
    from.peek().is_some() && from.all(|from| from != 0)
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node, Status};

    #[cfg(feature = "inspect")]
    use super::follows_await;
    #[cfg(feature = "inspect")]
    use crate::machine::Transition;
    use crate::runtime::FindingKind;
    use crate::runtime::dump::Dump;
    use crate::runtime::dump::sample::{dump, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    /// Returns a dump of two tasks of a machine that wait for a lock at one line.
    fn dump_of_two(change: impl Fn(&mut TaskInfo)) -> Dump {
        let mut dump = dump(Vec::new());
        for slot in 1..=2 {
            let states = task(slot, 0).position;
            let added = dump.forest.add(ValueLimit::None, |visitor| {
                Inspector::new(visitor).node(&Node::of_state(states[1]), |inspector| {
                    inspector.node(&Node::new("tokio::Mutex::lock"), |_| ());
                });
            });
            let mut added = TaskInfo {
                tree: added.unwrap().1,
                ..task(slot, 2_000)
            };
            change(&mut added);
            dump.tasks.push(added);
        }
        dump
    }

    fn text_of_two(change: impl Fn(&mut TaskInfo)) -> String {
        dump_of_two(change).findings()[0].to_string()
    }

    #[test]
    fn tasks_after_an_await_may_own_locks() {
        let clause = "; 2 tasks at line 31 of ReadFrame have passed an earlier await of it, so if \
                      the function takes a lock before this line, they may own it and wait for \
                      each other";
        let later = text_of_two(|task| task.polls = 2);
        assert!(later.ends_with(clause), "{later}");
        let first = text_of_two(|task| task.polls = 1);
        assert!(!first.contains("earlier await"), "{first}");
        // These tasks may store a future.
        let more = text_of_two(|task| task.wakers = Some(2));
        assert!(!more.contains("earlier await"), "{more}");
    }

    #[test]
    fn await_of_the_caller_is_not_of_the_function() {
        let mut dump = dump(Vec::new());
        for slot in 1..=2 {
            let states = task(slot, 0).position;
            let added = dump.forest.add(ValueLimit::None, |visitor| {
                Inspector::new(visitor).node(&Node::of_state(states[0]), |inspector| {
                    inspector.node(&Node::of_state(states[1]), |inspector| {
                        inspector.node(&Node::new("tokio::Mutex::lock"), |_| ());
                    });
                });
            });
            dump.tasks.push(TaskInfo {
                tree: added.unwrap().1,
                polls: 9,
                ..task(slot, 2_000)
            });
        }
        let finding = &dump.findings()[0];
        assert!(!finding.text.contains("earlier await"), "{finding}");
    }

    #[test]
    fn dormant_future_is_the_known_cause() {
        let mut dump = dump(Vec::new());
        for slot in 1..=3 {
            let states = task(slot, 0).position;
            let added = dump.forest.add(ValueLimit::None, |visitor| {
                Inspector::new(visitor).node(&Node::of_state(states[1]), |inspector| {
                    let children = [(0, Status::Waiting), (1, Status::Dormant)];
                    // The third task waits for the lock without a stored future.
                    let count = if slot == 3 { 1 } else { 2 };
                    for (child, status) in children.into_iter().take(count) {
                        inspector.as_child(child, status, |inspector| {
                            inspector.node(&Node::new("tokio::Mutex::lock"), |_| ());
                        });
                    }
                });
            });
            dump.tasks.push(TaskInfo {
                tree: added.unwrap().1,
                ..task(slot, 2_000)
            });
        }
        let findings = dump.findings();
        assert_eq!(findings[0].kind, FindingKind::Dormant);
        let text: String = findings.iter().map(ToString::to_string).collect();
        assert!(!text.contains("earlier await"), "{text}");
    }

    #[test]
    fn advice_begins_with_the_likely_cause() {
        let advice = |change: &dyn Fn(&mut TaskInfo)| dump_of_two(change).findings()[0].advice();
        let order = advice(&|task| task.polls = 2);
        assert!(
            order.contains("each other, taken in opposite order: look"),
            "{order}"
        );
        let stored = advice(&|task| (task.polls, task.wakers) = (2, Some(2)));
        assert!(
            stored.contains("may store a future that is next"),
            "{stored}"
        );
        let unknown = advice(&|task| task.polls = 1);
        assert!(![order, stored].contains(&unknown), "{unknown}");
    }

    #[cfg(feature = "inspect")]
    #[test]
    fn each_way_to_a_state_is_examined() {
        let follows = |steps: &[(usize, usize)], state| {
            let steps: Vec<_> = steps
                .iter()
                .map(|(from, to)| Transition::new(*from, *to))
                .collect();
            follows_await(&steps, state)
        };
        assert!(!follows(&[(0, 1), (1, 2)], 1));
        assert!(follows(&[(0, 1), (1, 2)], 2));
        // The state is the first await of a loop, and may be the first of all.
        assert!(!follows(&[(0, 1), (1, 2), (2, 1)], 1));
        assert!(!follows(&[(0, 1), (1, 1)], 1));
        assert!(!follows(&[], 1));
    }
}
