//! The values, and when they expire.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use volt::time::{Interval, interval, now};

use crate::session::Shared;

/// How often what has expired is thrown away. It is not found any more from the moment itself.
const SWEEP: Duration = Duration::from_millis(100);

type Key = Arc<[u8]>;
pub(crate) type Value = Arc<[u8]>;

/// All keys of a server.
#[derive(Debug, Default)]
pub(crate) struct Store(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    by_key: HashMap<Key, Entry>,
    by_end: BTreeSet<(Instant, Key)>,
}

#[derive(Debug)]
struct Entry {
    value: Value,
    end: Option<Instant>,
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<Value> {
        let mut entries = self.lock();
        Some(Arc::clone(&entries.live(key)?.value))
    }

    /// How long it has yet; `None` if there is no such key, `Some(None)` if it has no end.
    pub(crate) fn rest(&self, key: &[u8]) -> Option<Option<Duration>> {
        let mut entries = self.lock();
        let end = entries.live(key)?.end;
        Some(end.map(|end| end.saturating_duration_since(now())))
    }

    pub(crate) fn set(&self, key: &[u8], value: &[u8], lasts: Option<Duration>) {
        let end = lasts.and_then(|lasts| now().checked_add(lasts));
        let value = value.into();
        self.lock().put(key, Entry { value, end });
    }

    /// Adds one to a number, which begins at zero, and keeps its end.
    pub(crate) fn increment(&self, key: &[u8]) -> Option<i64> {
        let mut entries = self.lock();
        let (number, end) = match entries.live(key) {
            None => (0, None),
            Some(entry) => {
                let digits = std::str::from_utf8(&entry.value).ok()?;
                (digits.parse::<i64>().ok()?, entry.end)
            }
        };
        let number = number.checked_add(1)?;
        let value = number.to_string().into_bytes().into();
        entries.put(key, Entry { value, end });
        Some(number)
    }

    /// Removes a key. Returns `true` if it was present.
    pub(crate) fn remove(&self, key: &[u8]) -> bool {
        let mut entries = self.lock();
        entries.live(key).is_some() && entries.remove(key)
    }

    pub(crate) fn len(&self) -> usize {
        let mut entries = self.lock();
        entries.sweep();
        entries.by_key.len()
    }
}

impl Entries {
    /// The entry, if it is there and has not expired.
    fn live(&mut self, key: &[u8]) -> Option<&Entry> {
        let end = self.by_key.get(key)?.end;
        if end.is_some_and(|end| end <= now()) {
            self.remove(key);
            return None;
        }
        self.by_key.get(key)
    }

    fn put(&mut self, key: &[u8], entry: Entry) {
        self.remove(key);
        let key: Key = key.into();
        if let Some(end) = entry.end {
            self.by_end.insert((end, Arc::clone(&key)));
        }
        self.by_key.insert(key, entry);
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        let Some((key, entry)) = self.by_key.remove_entry(key) else {
            return false;
        };
        if let Some(end) = entry.end {
            self.by_end.remove(&(end, key));
        }
        true
    }

    fn sweep(&mut self) {
        let now = now();
        while let Some((end, _)) = self.by_end.first()
            && *end <= now
        {
            if let Some((_, key)) = self.by_end.pop_first() {
                self.by_key.remove(&key);
            }
        }
    }
}

/// Throws away what has expired, for as long as it is let.
#[volt::state_machine]
pub(crate) async fn sweep(shared: Arc<Shared>) {
    let mut ticks: Interval = interval(SWEEP);
    loop {
        ticks.tick().await;
        shared.store.lock().sweep();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Store, sweep};
    use crate::session::Shared;

    #[volt::test(start_paused = true)]
    async fn value_is_gone_when_its_time_is_over() {
        let shared = Arc::new(Shared::default());
        let sweeping = volt::spawn(sweep(Arc::clone(&shared)));
        let store = &shared.store;
        store.set(b"brief", b"1", Some(Duration::from_millis(250)));
        store.set(b"long", b"2", Some(Duration::from_secs(60)));
        store.set(b"ever", b"3", None);
        volt::time::sleep(Duration::from_millis(249)).await;
        assert_eq!(store.increment(b"brief"), Some(2));
        volt::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(store.get(b"brief"), None);
        assert!(!store.remove(b"brief"));
        assert_eq!(store.rest(b"ever"), Some(None));
        volt::time::sleep(Duration::from_secs(61)).await;
        // No request has looked it up: the sweep has found it.
        let entries = store.lock();
        assert_eq!((entries.by_key.len(), entries.by_end.len()), (1, 0));
        drop(entries);
        sweeping.cancel();
    }

    #[volt::test(start_paused = true)]
    async fn set_replaces_expiry_of_value() {
        let store = Store::default();
        store.set(b"key", b"1", Some(Duration::from_secs(1)));
        store.set(b"key", b"2", None);
        volt::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(store.len(), 1);
        assert_eq!(store.get(b"key").as_deref(), Some(&b"2"[..]));
        assert_eq!(store.increment(b"key"), Some(3));
        store.set(b"key", b"text", None);
        assert_eq!(store.increment(b"key"), None);
    }
}
