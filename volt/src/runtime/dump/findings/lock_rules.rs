//! The rules about tasks that wait for locks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::finding::{Finding, FindingKind};
use super::rules::{Found, Rules};
use crate::runtime::dump::place::{PlaceIndex, counted, period};
use crate::task::{Lifecycle, TaskInfo};

/// The number of places that the text about locks names.
const MAX_PLACES: usize = 4;

impl<'a> Rules<'a> {
    /// Finds tasks that own a guard of a lock while they wait for a lock of the same crate.
    ///
    /// The locks themselves are not known. Two such tasks wait for each other if they take two
    /// locks in opposite order.
    pub(super) fn may_hold(&self) -> Vec<Finding> {
        let may_hold = |task: &TaskInfo| self.guard_of_same_family(task).is_some();
        self.tree_findings(FindingKind::MayHold, may_hold, |found| {
            self.lock_text(found)
        })
    }

    fn lock_text(&self, found: &Found<'a>) -> String {
        let longest = self.longest_of(found);
        let guard = self.guard_of_same_family(longest);
        let (name, ty) = guard.expect("each of the tasks has one");
        format!(
            "may hold a lock: {} {} the guard `{name}: {ty}` and {} for a lock at {}",
            self.counted_with_example(found),
            found.verb("has", "have"),
            found.verb("waits", "wait"),
            self.place_of(found),
        )
    }

    /// Returns a guard that a task owns while it waits for a lock of the same crate.
    fn guard_of_same_family(&self, task: &TaskInfo) -> Option<(&'static str, &'static str)> {
        let forest = &self.dump.forest;
        let mut guards = forest.guards(task).peekable();
        guards.peek()?;
        let mut leaf = None;
        forest.trace(task, |place| leaf = Some(place));
        let leaf = forest.places.get(leaf?).name;
        if !is_lock(leaf) {
            return None;
        }
        guards.find(|(_, ty)| crate_of(ty) == crate_of(leaf))
    }
}

/// The place at which a task waits for a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LockPlace {
    /// The innermost place in a file, or that of the spawn.
    place: PlaceIndex,
    /// The future of the lock.
    lock: PlaceIndex,
    /// The innermost future.
    leaf: PlaceIndex,
}

/// The tasks that wait for locks of one crate.
#[derive(Default)]
struct LockFamily<'a> {
    /// The tasks that have waited for long, by their places, each with its group.
    long: BTreeMap<LockPlace, Vec<(u32, &'a TaskInfo)>>,
    /// `true` if another task has waited for a short time, or owns a known guard.
    is_other: bool,
}

impl<'a> Rules<'a> {
    /// Finds tasks that have waited for long for locks of a crate, none of which was passed on.
    ///
    /// A task that owns a known guard is in the finding `may_hold`. A task may wait for another
    /// event too, such as a timeout: the lock was not passed on to it either.
    pub(super) fn lock_waits(&self) -> Vec<Finding> {
        let places = self.grouping.places.places().iter();
        let is_lock: Vec<_> = places.map(|place| is_lock(place.name)).collect();
        if !is_lock.contains(&true) {
            return Vec::new();
        }
        let mut families = BTreeMap::<&str, LockFamily<'a>>::new();
        for (task, places) in self.dump.tasks.iter().zip(&self.grouping.tasks) {
            let Some(at) = self.lock_place(task, places.spawned, &is_lock) else {
                continue;
            };
            let lock = self.grouping.places.get(at.lock).name;
            let family = families.entry(crate_of(lock)).or_default();
            let is_idle = task.lifecycle == Lifecycle::Idle;
            if is_idle && self.is_long(task) && self.guard_of_same_family(task).is_none() {
                let tasks = family.long.entry(at).or_default();
                tasks.push((places.group, task));
            } else {
                family.is_other = true;
            }
        }
        let stuck = families.into_iter().filter(|(_, family)| !family.is_other);
        stuck
            .map(|(name, family)| self.stuck_family(name, family))
            .collect()
    }

    /// Returns `true` if a task has waited for long for a lock, a permit or a notification.
    pub(super) fn has_contention(&self) -> bool {
        let places = self.grouping.places.places().iter();
        let is_shared: Vec<_> = places.map(|place| is_shared(place.name)).collect();
        let mut tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        is_shared.contains(&true)
            && tasks.any(|(task, places)| {
                let is_long = task.lifecycle == Lifecycle::Idle && self.is_long(task);
                is_long && self.lock_place(task, places.spawned, &is_shared).is_some()
            })
    }

    /// Returns the first lock among the futures for which a task waits.
    fn lock_place(
        &self,
        task: &TaskInfo,
        spawned: PlaceIndex,
        is_lock: &[bool],
    ) -> Option<LockPlace> {
        let mut found = None;
        self.dump.forest.waiting_paths(task, |path| {
            let has_file = |place: &PlaceIndex| !self.grouping.places.get(*place).file.is_empty();
            let lined = path.iter().rposition(has_file);
            let mut awaited = path[lined.map_or(0, |lined| lined + 1)..].iter();
            let lock = awaited.find(|place| is_lock[**place as usize]);
            found = found.or(lock.map(|lock| LockPlace {
                place: lined.map_or(spawned, |lined| path[lined]),
                lock: *lock,
                leaf: path[path.len() - 1],
            }));
        });
        found
    }

    fn stuck_family(&self, name: &str, family: LockFamily<'a>) -> Finding {
        let mut by_place: Vec<_> = family.long.into_iter().collect();
        by_place.sort_by_key(|(_, tasks)| Reverse(tasks.len()));
        let all = by_place.iter().flat_map(|(_, tasks)| tasks);
        let (groups, tasks): (BTreeSet<_>, Vec<_>) = all.copied().unzip();
        let group = groups.first().filter(|_| groups.len() == 1);
        let found = Found {
            tasks,
            group: group.map(|group| *group as usize),
        };
        let (count, longest) = (counted(found.tasks.len()), self.longest_of(&found));
        let mut text = format!(
            "locks that are not released: {count} {} for up to {} for a lock of {name}",
            found.verb("has waited", "have waited"),
            period(self.dump.time_since(longest)),
        );
        for (nth, (at, tasks)) in by_place.iter().take(MAX_PLACES).enumerate() {
            let group = tasks[0].0 as usize;
            let tasks = tasks.iter().map(|(_, task)| *task).collect();
            let example = self.counted_with_example(&Found { tasks, group: None });
            let before = if nth == 0 { ": " } else { "; " };
            let [place, leaf] = [at.place, at.leaf].map(|index| self.grouping.places.get(index));
            _ = write!(text, "{before}{example} at {place} in {leaf}");
            if let Some(outer) = self.await_around(group, at.place) {
                _ = write!(text, ", awaited by {outer}");
            }
        }
        if by_place.len() > MAX_PLACES {
            _ = write!(text, "; and {} more places", by_place.len() - MAX_PLACES);
        }
        let place = by_place.first().filter(|_| by_place.len() == 1);
        let place = place.map(|(at, _)| self.grouping.places.get(at.place));
        Finding {
            place,
            ..self.finding(FindingKind::LockWaits, found, text)
        }
    }
}

fn crate_of(type_name: &str) -> &str {
    type_name.split("::").next().unwrap_or_default()
}

/// Returns `true` for the name of a future that waits for a lock, a permit or a notification.
fn is_shared(type_name: &str) -> bool {
    is_lock(type_name) || type_name.to_lowercase().contains("notif")
}

/// Returns `true` for the name of a future that waits for a lock or a permit.
fn is_lock(type_name: &str) -> bool {
    let name = type_name.to_lowercase();
    let has = |word: &str| name.contains(word);
    (has("lock") && !has("block")) || has("mutex") || has("semaphore")
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node, Status};

    use super::{crate_of, is_lock};
    use crate::runtime::FindingKind;
    use crate::runtime::dump::sample::{dump, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    /// Returns the findings about a task that waits for a timeout, and for a lock with a status.
    fn findings_beside_a_timeout(status: Status) -> Vec<FindingKind> {
        let mut dump = dump(Vec::new());
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            Inspector::new(visitor).node(&Node::new("Timeout"), |inspector| {
                inspector.as_child(0, Status::Waiting, |inspector| {
                    inspector.node(&Node::new("Sleep"), |_| ());
                });
                inspector.as_child(1, status, |inspector| {
                    inspector.node(&Node::new("tokio::Mutex::lock"), |_| ());
                });
            });
        });
        dump.tasks.push(TaskInfo {
            tree: added.unwrap().1,
            ..task(1, 2_000)
        });
        let findings = dump.findings().into_iter();
        findings.map(|finding| finding.kind).collect()
    }

    #[test]
    fn lock_beside_a_timeout_is_a_finding() {
        let waiting = findings_beside_a_timeout(Status::Waiting);
        assert_eq!(waiting, [FindingKind::LockWaits]);
        assert_eq!(findings_beside_a_timeout(Status::NotStarted), []);
        // A woken future of a lock has got the lock.
        let woken = findings_beside_a_timeout(Status::Woken);
        assert_eq!(woken, [FindingKind::WokenNotPolled]);
    }

    #[test]
    fn future_of_a_lock_has_its_name() {
        assert!(is_lock("tokio::sync::mutex::Mutex<i64>::lock::{{closure}}"));
        assert!(is_lock("async_lock::rwlock::futures::Write<u8>"));
        assert!(is_lock(
            "tokio::sync::semaphore::Semaphore::acquire::{{closure}}"
        ));
        assert!(!is_lock("volt::runtime::SpawnBlocking<u8>"));
        assert!(!is_lock("Sleep"));
    }

    #[test]
    fn guard_and_lock_have_the_same_crate() {
        let lock = crate_of("async_lock::mutex::Lock<i64>");
        assert_eq!(crate_of("async_lock::mutex::MutexGuard<i64>"), lock);
        assert_ne!(crate_of("tokio::sync::mutex::MutexGuard<i64>"), lock);
    }
}
