//! `GuardTypes`: the types of locals that are guards of locks.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::runtime::dump::place::AddressHasher;

/// A cache of the names of types. A dump of many tasks contains few different names, and each is a
/// static, so it is found by its address.
#[derive(Clone, Debug, Default)]
pub(super) struct GuardTypes(HashMap<(usize, usize), bool, BuildHasherDefault<AddressHasher>>);

impl GuardTypes {
    /// Returns `true` if a type with this name is the guard of a lock.
    pub(super) fn contains(&mut self, type_name: &'static str) -> bool {
        let key = (type_name.as_ptr().addr(), type_name.len());
        *self.0.entry(key).or_insert_with(|| is_guard(type_name))
    }
}

/// Returns `true` for the name of a type that ends in `Guard` or `Permit`, without its parameters.
fn is_guard(type_name: &str) -> bool {
    let path = type_name.split('<').next().unwrap_or_default();
    path.ends_with("Guard") || path.ends_with("GuardArc") || path.ends_with("Permit")
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::GuardTypes;

    #[test]
    fn type_is_a_guard_by_its_name() {
        let mut types = GuardTypes::default();
        for _ in 0..2 {
            assert!(types.contains("tokio::sync::mutex::MutexGuard<i64>"));
            assert!(types.contains("async_lock::rwlock::RwLockReadGuard<Vec<u8>>"));
            assert!(types.contains("tokio::sync::semaphore::SemaphorePermit"));
            assert!(!types.contains("app::GuardTower"));
            assert!(!types.contains("Vec<MutexGuard<i64>>"));
            assert!(!types.contains(""));
        }
    }
}
