//! Companion threads: threads that observe a runtime, and end when its pool is closed.

use crate::loom::sync::Mutex;

/// A function that ends a companion thread. It does not wait for the thread.
pub(in crate::runtime) type StopThread = Box<dyn FnOnce() + Send>;

/// The companion threads of one runtime.
#[derive(Default)]
pub(in crate::runtime) struct CompanionThreads(Mutex<CompanionState>);

enum CompanionState {
    Open(Vec<StopThread>),
    Stopped,
}

impl Default for CompanionState {
    fn default() -> Self {
        Self::Open(Vec::new())
    }
}

impl CompanionThreads {
    /// Adds a thread. If the runtime has shut down, the thread is ended at once.
    pub(in crate::runtime) fn add(&self, stop: StopThread) {
        let mut state = self.0.lock();
        match &mut *state {
            CompanionState::Open(threads) => threads.push(stop),
            CompanionState::Stopped => {
                drop(state);
                stop();
            }
        }
    }

    /// Ends all threads.
    pub(super) fn stop(&self) {
        let before = std::mem::replace(&mut *self.0.lock(), CompanionState::Stopped);
        if let CompanionState::Open(threads) = before {
            for stop in threads {
                stop();
            }
        }
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::CompanionThreads;
    use std::sync::mpsc::channel;

    #[test]
    fn late_companion_is_stopped_at_once() {
        let (companions, (send, stopped)) = (CompanionThreads::default(), channel());
        let add = |name| {
            let send = send.clone();
            companions.add(Box::new(move || send.send(name).unwrap()));
        };
        add("early");
        assert!(stopped.try_recv().is_err());
        companions.stop();
        companions.stop();
        add("late");
        let stopped: Vec<_> = stopped.try_iter().collect();
        assert_eq!(stopped, ["early", "late"]);
    }
}
