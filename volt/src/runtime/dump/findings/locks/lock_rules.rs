//! The rule about tasks that wait for locks, and whose guards are not known.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::runtime::dump::findings::advice::{ORDER_OF_LOCKS, STORED_FUTURE};
use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::{Found, Rules};
use crate::runtime::dump::place::{PlaceIndex, counted};
use crate::task::{Lifecycle, TaskInfo};

/// The number of places that the text about locks names.
pub(super) const MAX_PLACES: usize = 4;

/// The place at which a task waits for a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LockPlace {
    /// The innermost place in a file, or that of the spawn.
    pub(super) place: PlaceIndex,
    /// The future of the lock.
    pub(super) lock: PlaceIndex,
    /// The innermost future.
    pub(super) leaf: PlaceIndex,
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
    pub(in crate::runtime::dump::findings) fn lock_waits(&self) -> Vec<Finding> {
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
    pub(in crate::runtime::dump::findings) fn has_contention(&self) -> bool {
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
    pub(super) fn lock_place(
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
        let named_first = by_place.first().map(|(_, tasks)| Found {
            tasks: tasks.iter().map(|(_, task)| *task).collect(),
            group: None,
        });
        let named_first = named_first.map(|found| self.longest_of(&found).id);
        let all = by_place.iter().flat_map(|(_, tasks)| tasks);
        let (groups, tasks): (BTreeSet<_>, Vec<_>) = all.copied().unzip();
        let group = groups.first().filter(|_| groups.len() == 1);
        let found = Found {
            tasks,
            group: group.map(|group| *group as usize),
        };
        let mut locks = by_place
            .iter()
            .map(|(at, _)| self.grouping.places.get(at.lock));
        let (title, event) = match locks.all(|lock| is_semaphore(lock.name)) {
            true => ("permits that are not returned", "permit"),
            false => ("locks that are not released", "lock"),
        };
        let mut text = format!(
            "{title}: {} {} for {} for a {event} of {name}",
            counted(found.tasks.len()),
            found.verb("has waited", "have waited"),
            self.time_of(&found),
        );
        _ = write!(text, ": {}", self.lock_places_text(&by_place));
        let mut passed = self.passed_locks(by_place.iter().map(|(at, _)| at.place));
        passed.push_str(&self.crossed_locks(&by_place));
        text.push_str(&passed);
        let mut tasks = found.tasks.iter();
        let advice = if !passed.is_empty() {
            ORDER_OF_LOCKS
        } else if tasks.any(|task| self.has_more_wakers(task)) {
            STORED_FUTURE
        } else {
            FindingKind::LockWaits.advice()
        };
        let place = by_place.first().filter(|_| by_place.len() == 1);
        let place = place.map(|(at, _)| self.grouping.places.get(at.place));
        let finding = Finding {
            place,
            advice,
            ..self.finding(FindingKind::LockWaits, found, text)
        };
        finding.led_by(named_first)
    }
}

impl<'a> Rules<'a> {
    /// Returns the tasks at each place of a lock, and the await around it.
    pub(super) fn lock_places_text(
        &self,
        by_place: &[(LockPlace, Vec<(u32, &'a TaskInfo)>)],
    ) -> String {
        let places = by_place.iter().take(MAX_PLACES).map(|(at, tasks)| {
            let group = tasks[0].0 as usize;
            let tasks = tasks.iter().map(|(_, task)| *task).collect();
            let example = self.counted_with_example(&Found { tasks, group: None });
            let [place, leaf] = [at.place, at.leaf].map(|index| self.grouping.places.get(index));
            match self.await_around(group, at.place) {
                Some(outer) => format!("{example} at {place} in {leaf}, awaited by {outer}"),
                None => format!("{example} at {place} in {leaf}"),
            }
        });
        let mut texts: Vec<_> = places.collect();
        if by_place.len() > MAX_PLACES {
            texts.push(format!("and {} more places", by_place.len() - MAX_PLACES));
        }
        texts.join("; ")
    }
}

pub(in crate::runtime::dump::findings) fn crate_of(type_name: &str) -> &str {
    type_name.split("::").next().unwrap_or_default()
}

/// Returns `true` for the name of a future that waits for a lock, a permit or a notification.
fn is_shared(type_name: &str) -> bool {
    is_lock(type_name) || type_name.to_lowercase().contains("notif")
}

/// Returns `true` for the name of a future that waits for a lock or a permit.
pub(in crate::runtime::dump::findings) fn is_lock(type_name: &str) -> bool {
    let name = type_name.to_lowercase();
    let has = |word: &str| name.contains(word);
    (has("lock") && !has("block")) || has("mutex") || has("semaphore")
}

/// Returns `true` for the name of a future that waits for a permit of a semaphore.
fn is_semaphore(type_name: &str) -> bool {
    // The semaphore in a mutex of tokio is `batch_semaphore`.
    let mut parts = type_name.split("::").map(str::to_lowercase);
    parts.any(|part| part.starts_with("semaphore"))
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node, Status};

    use super::{crate_of, is_lock, is_semaphore};
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
    fn semaphore_has_permits() {
        assert!(is_semaphore("tokio::sync::semaphore::Semaphore::acquire"));
        assert!(is_semaphore("async_lock::semaphore::Acquire"));
        assert!(!is_semaphore("tokio::sync::mutex::Mutex<i64>::lock"));
        assert!(!is_semaphore("tokio::sync::batch_semaphore::Acquire"));
    }

    #[test]
    fn guard_and_lock_have_the_same_crate() {
        let lock = crate_of("async_lock::mutex::Lock<i64>");
        assert_eq!(crate_of("async_lock::mutex::MutexGuard<i64>"), lock);
        assert_ne!(crate_of("tokio::sync::mutex::MutexGuard<i64>"), lock);
    }
}
