//! The places at which tasks wait for locks.

use crate::runtime::dump::findings::rules::{Found, Rules};
use crate::runtime::dump::place::{PlaceIndex, last_argument};
use crate::task::TaskInfo;

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

impl<'a> Rules<'a> {
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

/// Returns `true` for the name of a future that waits for a lock or a permit.
pub(in crate::runtime::dump::findings) fn is_lock(type_name: &str) -> bool {
    let name = type_name.to_lowercase();
    let has = |word: &str| name.contains(word);
    (has("lock") && !has("block")) || has("mutex") || has("semaphore")
}

/// Returns `true` for the name of a future that waits for a permit of a semaphore.
pub(super) fn is_semaphore(type_name: &str) -> bool {
    // The semaphore in a mutex of tokio is `batch_semaphore`.
    let mut parts = type_name.split("::").map(str::to_lowercase);
    parts.any(|part| part.starts_with("semaphore"))
}

/// Returns `true` for the name of a permit of a semaphore.
pub(super) fn is_permit(type_name: &str) -> bool {
    let path = type_name.split('<').next().unwrap_or_default();
    path.ends_with("Permit")
}

/// Returns `true` if a guard may belong to a lock, by the names of their types.
///
/// They are of one crate and kind, and protect a value of the same type, if it is known.
pub(super) fn may_belong(guard: &str, lock: &str) -> bool {
    if crate_of(guard) != crate_of(lock) || is_permit(guard) != is_semaphore(lock) {
        return false;
    }
    let is_known = |value: &String| value.len() > "<T>".len();
    let value = |name: &str| last_argument(name.split_once('<')?.1).filter(is_known);
    match (value(guard), value(lock)) {
        (Some(guard), Some(lock)) => guard == lock,
        _ => true,
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{crate_of, is_lock, is_semaphore, may_belong};

    #[test]
    fn guard_belongs_to_a_lock_of_its_type() {
        let guard = "tokio::sync::mutex::MutexGuard<'_, std::vec::Vec<u8>>";
        let permit = "tokio::sync::semaphore::OwnedSemaphorePermit";
        for (guard, lock, expected) in [
            (
                guard,
                "tokio::sync::mutex::Mutex<alloc::vec::Vec<u8>>::lock",
                true,
            ),
            (guard, "tokio::sync::mutex::Mutex<T>::lock", true),
            (guard, "tokio::sync::mutex::Mutex<u8>::lock", false),
            (guard, "async_lock::mutex::Lock<'_, Vec<u8>>", false),
            (guard, "tokio::sync::semaphore::Semaphore::acquire", false),
            (permit, "tokio::sync::semaphore::Semaphore::acquire", true),
            (permit, "tokio::sync::mutex::Mutex<u8>::lock", false),
        ] {
            assert_eq!(may_belong(guard, lock), expected, "{guard} {lock}");
        }
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
