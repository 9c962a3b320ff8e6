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
    pub(super) fn renew(&self, key: Key, waker: &Waker) -> bool {
        let mut waiting = self.0.lock();
        let Some(stored) = waiting.get_mut(key) else {
            return false;
        };
        let replaced = (!stored.will_wake(waker)).then(|| waker.clone());
        let replaced = replaced.map(|waker| std::mem::replace(stored, waker));
        drop(waiting);
        drop(replaced);
        true
    }

    pub(super) fn leave(&self, key: Key) {
        let left = self.0.lock().remove(key);
        drop(left);
    }
}
