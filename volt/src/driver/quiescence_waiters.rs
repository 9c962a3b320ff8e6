//! The wakers of tasks that wait for quiescence: for a moment at which all threads are idle.

use std::task::Waker;

use super::slab::{Key, Slab};
use super::wake_batch::WakeBatch;
use crate::loom::sync::Mutex;

/// The wakers that wait for quiescence under a paused clock.
#[derive(Debug)]
pub(super) struct QuiescenceWaiters(Mutex<Slab<Waker>>);

impl QuiescenceWaiters {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Slab::new()))
    }

    /// Moves all wakers to the batch.
    pub(super) fn take_all(&self, batch: &mut WakeBatch) {
        self.take_all_if(|| true, batch);
    }

    /// Does the same if `is_quiescent` returns `true`. It is called under the lock, so no task
    /// begins to wait meanwhile.
    pub(super) fn take_all_if(&self, is_quiescent: impl FnOnce() -> bool, batch: &mut WakeBatch) {
        let mut waiting = self.0.lock();
        if is_quiescent() {
            waiting.drain().for_each(|waker| batch.push(waker));
        }
    }

    pub(super) fn insert(&self, waker: Waker) -> Key {
        self.0.lock().insert(waker)
    }

    /// Replaces the waker of `key`; returns `false` if the old one was called already.
    pub(super) fn replace(&self, key: Key, waker: &Waker) -> bool {
        // A waker is foreign code that may use this list, so it is cloned and dropped outside of
        // the lock.
        let waker = waker.clone();
        let mut waiting = self.0.lock();
        let replaced = match waiting.get_mut(key) {
            Some(stored) => Ok(std::mem::replace(stored, waker)),
            None => Err(waker),
        };
        drop(waiting);
        replaced.is_ok()
    }

    pub(super) fn remove(&self, key: Key) {
        let removed = self.0.lock().remove(key);
        drop(removed);
    }
}
