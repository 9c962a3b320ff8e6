//! Those who wait until everybody is at rest.

use std::task::Waker;

use super::slab::{Key, Slab};
use super::wake_batch::WakeBatch;
use crate::loom::sync::Mutex;

/// Those who wait for rest under a paused clock.
#[derive(Debug)]
pub(super) struct QuiescenceWaiters(Mutex<Slab<Waker>>);

impl QuiescenceWaiters {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Slab::new()))
    }

    /// Gathers the wakers of all who wait.
    pub(super) fn take_all(&self, batch: &mut WakeBatch) {
        self.take_all_if(|| true, batch);
    }

    /// The same if `is_quiet` says so, which is asked while nobody can come in.
    pub(super) fn take_all_if(&self, is_quiet: impl FnOnce() -> bool, batch: &mut WakeBatch) {
        let mut waiting = self.0.lock();
        if is_quiet() {
            waiting.drain().for_each(|waker| batch.push(waker));
        }
    }

    pub(super) fn enter(&self, waker: Waker) -> Key {
        self.0.lock().insert(waker)
    }

    /// Has this waker called instead; false if the old one was called already.
    pub(super) fn update(&self, key: Key, waker: &Waker) -> bool {
        // A waker is foreign code that may use this list: it is cloned and dropped outside of the
        // lock.
        let waker = waker.clone();
        let mut waiting = self.0.lock();
        let replaced = match waiting.get_mut(key) {
            Some(stored) => Ok(std::mem::replace(stored, waker)),
            None => Err(waker),
        };
        drop(waiting);
        replaced.is_ok()
    }

    pub(super) fn leave(&self, key: Key) {
        let left = self.0.lock().remove(key);
        drop(left);
    }
}
