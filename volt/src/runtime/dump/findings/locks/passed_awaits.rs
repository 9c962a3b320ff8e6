//! The tasks that may own a lock, because they have passed an earlier line or await.
//!
//! The finding begins with them, because a reader looks for the owner of a lock.

use std::collections::{BTreeMap, HashSet};

use super::lock_places::LockPlace;
#[cfg(feature = "inspect")]
use crate::machine::Transition;
use crate::runtime::dump::findings::rules::{Found, Rules};
use crate::runtime::dump::place::{Place, PlaceIndex};
#[cfg(feature = "inspect")]
use crate::task::machine_tables;
use crate::task::{Lifecycle, TaskId, TaskInfo};

/// A clause about tasks that own or may own a lock, and the task that it names first.
pub(super) struct LikelyOwner {
    pub(super) clause: String,
    pub(super) task: TaskId,
    pub(super) kind: OwnerKind,
}

/// The reason for which a task owns or may own a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnerKind {
    /// Its guard is known, and it waits for another event.
    Guard,
    /// It waits for another event, at a later line of a function that takes the lock.
    LaterWait,
    /// It waits for a lock after an earlier line or await.
    LaterLock,
}

impl OwnerKind {
    /// Returns `true` if the task does not wait for such a lock itself.
    pub(super) fn is_other(self) -> bool {
        self != Self::LaterLock
    }
}

/// The tasks that wait in a function that takes locks, by their lines.
#[derive(Default)]
struct FunctionLines<'a> {
    /// The tasks that wait for a lock, each with its place.
    locks: BTreeMap<u32, Vec<(PlaceIndex, &'a TaskInfo)>>,
    /// The tasks that have waited for long for another event, at a line after all of these.
    later: BTreeMap<u32, Vec<&'a TaskInfo>>,
}

impl<'a> Rules<'a> {
    /// Returns the tasks that may own the locks for which others wait, because they have passed an
    /// earlier line or await of their function.
    pub(super) fn likely_owners(
        &self,
        by_place: &[(LockPlace, Vec<(u32, &'a TaskInfo)>)],
    ) -> Vec<LikelyOwner> {
        let functions = self.lines_of_functions(by_place);
        let mut owners: Vec<_> = functions
            .iter()
            .filter_map(|(function, lines)| self.passed_line(function, lines))
            .collect();
        let mut tasks = by_place.iter().flat_map(|(_, tasks)| tasks);
        // A dormant future is a known cause.
        if !tasks.any(|(_, task)| self.has_dormant_future(task)) {
            let crossed = functions
                .iter()
                .filter_map(|(function, lines)| self.passed_await(function, lines));
            owners.extend(crossed);
        }
        owners
    }

    /// Returns the tasks that wait for locks, by the names of their functions and by their lines.
    fn lines_of_functions(
        &self,
        by_place: &[(LockPlace, Vec<(u32, &'a TaskInfo)>)],
    ) -> Vec<(&'a str, FunctionLines<'a>)> {
        let mut functions = BTreeMap::<_, FunctionLines<'a>>::new();
        let mut waiting = HashSet::new();
        for (at, tasks) in by_place {
            waiting.extend(tasks.iter().map(|(_, task)| task.id));
            let place = self.grouping.places.get(at.place);
            if place.line > 0 && !place.is_spawn() {
                let lines = functions.entry((place.file, place.name)).or_default();
                let at_line = lines.locks.entry(place.line).or_default();
                at_line.extend(tasks.iter().map(|(_, task)| (at.place, *task)));
            }
        }
        let others = self.dump.tasks.iter().filter(|task| {
            task.lifecycle == Lifecycle::Idle && self.is_long(task) && !waiting.contains(&task.id)
        });
        for task in others {
            if functions.is_empty() {
                break;
            }
            self.dump.forest.waiting_paths(task, |path| {
                let mut places = path.iter().map(|place| self.grouping.places.get(*place));
                let later = places.find(|place| {
                    let lines = functions.get(&(place.file, place.name));
                    let last = lines.and_then(|lines| lines.locks.last_key_value());
                    last.is_some_and(|(last, _)| place.line > *last)
                });
                let Some(place) = later else { return };
                if let Some(lines) = functions.get_mut(&(place.file, place.name)) {
                    lines.later.entry(place.line).or_default().push(task);
                }
            });
        }
        let functions = functions.into_iter();
        functions.map(|((_, name), lines)| (name, lines)).collect()
    }

    /// Returns the tasks that wait at the last line of a function, after a lock for which other
    /// tasks wait.
    fn passed_line(&self, function: &str, lines: &FunctionLines<'a>) -> Option<LikelyOwner> {
        let (first, _) = lines.locks.first_key_value()?;
        let later = lines.later.last_key_value();
        let (last, tasks, kind) = match later {
            Some((last, tasks)) => (last, tasks.clone(), OwnerKind::LaterWait),
            None => {
                let (last, tasks) = lines.locks.last_key_value()?;
                let tasks = tasks.iter().map(|(_, task)| *task).collect();
                (last, tasks, OwnerKind::LaterLock)
            }
        };
        if first == last {
            return None;
        }
        let found = Found { tasks, group: None };
        let waits = match kind {
            OwnerKind::LaterLock => String::new(),
            _ => format!(
                " and {} waited there for {}",
                found.verb("has", "have"),
                self.time_of(&found)
            ),
        };
        let clause = format!(
            "{} at line {last} of {function} {} passed line {first}{waits}, so {} may own its lock",
            self.counted_with_example(&found),
            found.verb("has", "have"),
            found.verb("it", "they"),
        );
        Some(LikelyOwner {
            clause,
            kind,
            task: self.longest_of(&found).id,
        })
    }

    /// Returns the tasks that wait for locks at one line of a function, after an earlier await of
    /// it. Each may own a lock since then.
    ///
    /// Without the attribute the guards of a task are not known. A function of which tasks wait at
    /// two lines is in the text about passed lines. A task with more wakers than waits is in
    /// another text, because it may store a future.
    fn passed_await(&self, function: &str, lines: &FunctionLines<'a>) -> Option<LikelyOwner> {
        let is_one = lines.locks.len() == 1 && lines.later.is_empty();
        let (line, tasks) = lines.locks.first_key_value().filter(|_| is_one)?;
        let may_own = |(place, task): &&(PlaceIndex, &TaskInfo)| {
            self.has_passed_await(task, *place) && !self.has_more_wakers(task)
        };
        let owners = tasks.iter().filter(may_own).map(|(_, task)| *task);
        let found = Found {
            tasks: owners.collect(),
            group: None,
        };
        if found.tasks.len() < 2 {
            return None;
        }
        let clause = format!(
            "{} at line {line} of {function} have passed an earlier await of it, so if the \
             function takes a lock before this line, they may own it and wait for each other",
            self.counted_with_example(&found),
        );
        Some(LikelyOwner {
            clause,
            kind: OwnerKind::LaterLock,
            task: self.longest_of(&found).id,
        })
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
    use crate::machine::State;
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
        let clause = "locks that are not released: 2 tasks, such as task 1.1, at line 31 of \
                      ReadFrame have passed an earlier await of it, so if the function takes a \
                      lock before this line, they may own it and wait for each other; 2 tasks \
                      have waited for ";
        let later = text_of_two(|task| task.polls = 2);
        assert!(later.starts_with(clause), "{later}");
        let first = text_of_two(|task| task.polls = 1);
        assert!(!first.contains("earlier await"), "{first}");
        // These tasks may store a future.
        let more = text_of_two(|task| task.wakers = Some(2));
        assert!(!more.contains("earlier await"), "{more}");
    }

    #[test]
    fn wait_at_a_later_line_is_a_likely_owner() {
        static LATER: State =
            State::new("ReadFrame", 9, "await send", ("src/frame.rs", 40, 9), &[]);
        let mut dump = dump_of_two(|task| task.polls = 1);
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            Inspector::new(visitor).node(&Node::of_state(&LATER), |inspector| {
                inspector.node(&Node::new("app::Send"), |_| ());
            });
        });
        dump.tasks.push(TaskInfo {
            tree: added.unwrap().1,
            ..task(3, 900)
        });
        let finding = &dump.findings()[0];
        assert!(!finding.text.contains("line 40"), "{finding}");
        dump.tasks[2].since = dump.tasks[0].since;
        let finding = &dump.findings()[0];
        let begin = "locks that are not released: task 3.1 at line 40 of ReadFrame has passed line \
                     31 and has waited there for 2.0 s, so it may own its lock; 2 tasks have waited";
        assert!(finding.text.starts_with(begin), "{finding}");
        assert_eq!((finding.tasks[0], finding.count), (dump.tasks[2].id, 3));
        assert!(finding.advice().contains("the event of that line"));
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
