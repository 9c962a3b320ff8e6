//! The rule about tasks that own the guard of a lock and wait for another lock.

use super::finding::{Finding, FindingKind};
use super::rules::{Found, Rules};
use crate::task::TaskInfo;

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
