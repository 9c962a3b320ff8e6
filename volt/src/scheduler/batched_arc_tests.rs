//! Tests with a small value; under loom, models of the races.

use crate::loom::sync::{Arc, Mutex};

use super::{BatchedArc, BatchedCount, RefCache, RefCounted};

/// A value with a cache for all threads, or without one.
struct Value {
    batched_count: BatchedCount,
    ref_cache: Option<Mutex<RefCache>>,
}

impl Value {
    fn new(ref_cache: bool) -> Arc<Self> {
        Arc::new(Self {
            batched_count: BatchedCount::new(),
            ref_cache: ref_cache.then(|| Mutex::new(RefCache::new())),
        })
    }
}

impl RefCounted for Value {
    fn batched_count(&self) -> &BatchedCount {
        &self.batched_count
    }

    fn with_ref_cache<R>(&self, access: impl FnOnce(&mut RefCache) -> R) -> Option<R> {
        let mut ref_cache = self.ref_cache.as_ref()?.lock();
        Some(access(&mut ref_cache))
    }
}

#[cfg(not(loom))]
#[test]
fn batched_arc_keeps_its_value() {
    let value = Value::new(false);
    let weak = Arc::downgrade(&value);
    let (one, two) = (BatchedArc::new(&value), BatchedArc::new(&value));
    assert_eq!(Arc::strong_count(&value), 2, "one count stands for both");
    drop((value, one));
    assert!(weak.upgrade().is_some());
    drop(two);
    assert!(weak.upgrade().is_none());
}

#[cfg(not(loom))]
#[test]
fn references_after_the_last_keep_it_again() {
    let value = Value::new(false);
    for _ in 0..3 {
        drop(BatchedArc::new(&value));
        assert_eq!(Arc::strong_count(&value), 1);
    }
}

#[cfg(not(loom))]
#[test]
fn ref_cache_serves_many_and_is_given_back() {
    let value = Value::new(true);
    let many: Vec<_> = (0..1000).map(|_| BatchedArc::new(&value)).collect();
    drop(many);
    let ref_cache = &mut *value.ref_cache.as_ref().unwrap().lock();
    assert!(
        (1..=2 * super::BATCH).contains(&ref_cache.0),
        "{ref_cache:?}"
    );
    assert_eq!(Arc::strong_count(&value), 2);
    ref_cache.clear(&value);
    assert_eq!(Arc::strong_count(&value), 1);
}

/// One thread releases the last reference while another creates the next, and drops the value.
///
/// Breaks when `make` never adds the strong count, or adds it only once.
#[cfg(loom)]
#[test]
fn last_reference_against_the_next() {
    loom::model(|| {
        let value = Value::new(false);
        let first = BatchedArc::new(&value);
        let other = loom::thread::spawn(move || drop(first));
        let second = BatchedArc::new(&value);
        drop(value);
        assert!(second.ref_cache.is_none());
        drop(second);
        other.join().unwrap();
    });
}

/// Two threads that have the value create the first references, and drop the value.
#[cfg(loom)]
#[test]
fn first_references_of_two() {
    loom::model(|| {
        let value = Value::new(false);
        let same = Arc::clone(&value);
        let other = loom::thread::spawn(move || {
            let reference = BatchedArc::new(&same);
            drop(same);
            assert!(reference.ref_cache.is_none());
        });
        let reference = BatchedArc::new(&value);
        drop(value);
        assert!(reference.ref_cache.is_none());
        drop(reference);
        other.join().unwrap();
    });
}
