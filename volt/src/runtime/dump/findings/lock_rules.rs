//! The rules about tasks that wait for locks.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::finding::{Finding, FindingKind};
use super::rules::{Found, Rules};
use crate::runtime::dump::place::counted;
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

/// The tasks that wait for locks of one crate.
#[derive(Default)]
struct LockFamily<'a> {
    /// The tasks that have waited for long, with their groups.
    long: Vec<(u32, &'a TaskInfo)>,
    /// `true` if another task has waited for a short time, or owns a known guard.
    is_other: bool,
}

impl<'a> Rules<'a> {
    /// Finds tasks that have waited for long for locks of a crate, none of which was passed on.
    ///
    /// A task that owns a known guard is in the finding `may_hold`.
    pub(super) fn lock_waits(&self) -> Vec<Finding> {
        let mut families = BTreeMap::<&str, LockFamily<'a>>::new();
        let groups = 0..self.grouping.groups.len();
        let leaves: Vec<_> = groups.map(|group| self.lock_of(group)).collect();
        for (task, places) in self.dump.tasks.iter().zip(&self.grouping.tasks) {
            let Some(lock) = leaves[places.group as usize] else {
                continue;
            };
            let family = families.entry(crate_of(lock)).or_default();
            let is_idle = task.lifecycle == Lifecycle::Idle;
            if is_idle && self.is_long(task) && self.guard_of_same_family(task).is_none() {
                family.long.push((places.group, task));
            } else {
                family.is_other = true;
            }
        }
        let stuck = families.into_iter().filter(|(_, family)| !family.is_other);
        stuck
            .map(|(name, family)| self.stuck_family(name, family))
            .collect()
    }

    /// Returns the name of the lock for which the tasks of a group wait.
    fn lock_of(&self, group: usize) -> Option<&'static str> {
        let mut futures = self.grouping.awaited(group).map(|future| future.name);
        futures.find(|name| is_lock(name))
    }

    fn stuck_family(&self, name: &str, family: LockFamily<'a>) -> Finding {
        let mut by_group = BTreeMap::<u32, Vec<&'a TaskInfo>>::new();
        for (group, task) in &family.long {
            by_group.entry(*group).or_default().push(task);
        }
        let tasks: Vec<_> = family.long.into_iter().map(|(_, task)| task).collect();
        let group = (by_group.len() == 1).then(|| by_group.keys().map(|group| *group as usize));
        let group = group.and_then(|mut group| group.next());
        let found = Found { tasks, group };
        let (count, longest) = (counted(found.tasks.len()), self.longest_of(&found));
        let mut text = format!(
            "locks that are not released: {count} {} for up to {} ms for a lock of {name}",
            found.verb("has waited", "have waited"),
            self.dump.time_since(longest).as_millis(),
        );
        for (nth, (group, tasks)) in by_group.iter().take(MAX_PLACES).enumerate() {
            let tasks = tasks.clone();
            let at = Found {
                tasks,
                group: Some(*group as usize),
            };
            let before = if nth == 0 { ": " } else { "; " };
            let (example, place) = (self.counted_with_example(&at), self.place_of(&at));
            _ = write!(text, "{before}{example} at {place}");
        }
        if by_group.len() > MAX_PLACES {
            _ = write!(text, "; and {} more places", by_group.len() - MAX_PLACES);
        }
        self.finding(FindingKind::LockWaits, found, text)
    }
}

fn crate_of(type_name: &str) -> &str {
    type_name.split("::").next().unwrap_or_default()
}

/// Returns `true` for the name of a future that waits for a lock or a permit.
fn is_lock(type_name: &str) -> bool {
    let name = type_name.to_lowercase();
    let has = |word: &str| name.contains(word);
    (has("lock") && !has("block")) || has("mutex") || has("semaphore")
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{crate_of, is_lock};

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
