//! `StepLimits`: limits of the machines that a worker runs in one state at the same time.
//!
//! A machine never waits in memory. One that reaches a full state gives up its claim, and waits in
//! the store. The worker claims machines in such a state only while it has places, in the order in
//! which they have reached the state.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_listener::{Event, EventListener};

/// The limits of a worker, one for each name of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct StepLimits(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    limits: Mutex<Vec<Limit>>,
    /// A place became free in a state that others may wait for.
    freed: Event,
}

#[derive(Debug)]
struct Limit {
    state: String,
    places: usize,
    taken: usize,
    /// Machines in this state may wait in the store. A machine that reaches the state does not go
    /// before them.
    others_wait: bool,
}

impl Limit {
    fn free(&self) -> usize {
        self.places.saturating_sub(self.taken)
    }
}

/// The right to run in a limited state, until the next snapshot is stored or the claim ends.
#[derive(Debug)]
pub(super) struct StepPlace {
    limits: StepLimits,
    index: usize,
}

/// The result of reaching a state.
#[derive(Debug)]
pub(super) enum Arrival {
    /// The machine runs on, with a place if the state is limited.
    Runs(Option<StepPlace>),
    /// The machine waits in the store.
    Waits,
}

impl StepLimits {
    pub(super) fn new(limits: BTreeMap<String, usize>) -> Self {
        let limits = limits.into_iter().map(|(state, places)| Limit {
            state,
            places,
            taken: 0,
            others_wait: false,
        });
        Self(Arc::new(Shared {
            limits: Mutex::new(limits.collect()),
            freed: Event::new(),
        }))
    }

    fn limits(&self) -> MutexGuard<'_, Vec<Limit>> {
        let limits = self.0.limits.lock();
        limits.unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a place is free in a state that others may wait for.
    pub(super) fn freed(&self) -> EventListener {
        self.0.freed.listen()
    }

    /// Returns `true` if the state has a limit.
    pub(super) fn has(&self, state: &str) -> bool {
        self.limits().iter().any(|limit| limit.state == state)
    }

    /// Takes a place for the next step of a machine. `current` is that of its last step, which
    /// becomes the returned one if both steps have the same name.
    pub(super) fn arrive(&self, state: &str, current: &mut Option<StepPlace>) -> Arrival {
        let mut limits = self.limits();
        let mut named = limits.iter_mut().enumerate();
        let Some((index, limit)) = named.find(|(_, limit)| limit.state == state) else {
            return Arrival::Runs(None);
        };
        let stays = current.as_ref().is_some_and(|place| place.index == index);
        if limit.others_wait || !stays && limit.free() == 0 {
            limit.others_wait = true;
            return Arrival::Waits;
        }
        if stays {
            return Arrival::Runs(current.take());
        }
        limit.taken += 1;
        Arrival::Runs(Some(self.place(index)))
    }

    fn place(&self, index: usize) -> StepPlace {
        StepPlace {
            limits: self.clone(),
            index,
        }
    }

    /// Reserves places for a claim of at most `room` machines, which may be in any state that has
    /// places.
    pub(super) fn reserve(&self, room: usize) -> Reservation {
        let mut limits = self.limits();
        let free = limits.iter().map(Limit::free).filter(|free| *free > 0);
        let count = free.min().map_or(0, |free| free.min(room));
        let mut open = Vec::new();
        for (index, limit) in limits.iter_mut().enumerate() {
            let is_open = count > 0 && limit.free() > 0;
            // Machines may wait in a full state. In an open one, the claim finds them.
            limit.others_wait = !is_open;
            if is_open {
                limit.taken += count;
                open.push(Open {
                    state: limit.state.clone(),
                    index,
                    left: count,
                });
            }
        }
        Reservation {
            limits: self.clone(),
            count,
            open,
        }
    }
}

impl Drop for StepPlace {
    fn drop(&mut self) {
        let mut limits = self.limits.limits();
        let limit = &mut limits[self.index];
        limit.taken -= 1;
        if limit.others_wait {
            self.limits.0.freed.notify(usize::MAX);
        }
    }
}

/// Places for a claim. The unused ones become free again at the end.
#[derive(Debug)]
pub(super) struct Reservation {
    limits: StepLimits,
    count: usize,
    open: Vec<Open>,
}

/// A state that has places, and the number of reserved ones that are left.
#[derive(Debug)]
struct Open {
    state: String,
    index: usize,
    left: usize,
}

impl Reservation {
    /// The largest number of machines to claim.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns `true` if machines in this state can be claimed.
    pub(super) fn has(&self, state: &str) -> bool {
        self.open.iter().any(|open| open.state == state)
    }

    /// Takes a place for a claimed machine.
    pub(super) fn take(&mut self, state: &str) -> Option<StepPlace> {
        let open = self.open.iter_mut().find(|open| open.state == state)?;
        open.left = open.left.checked_sub(1)?;
        Some(self.limits.place(open.index))
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut limits = self.limits.limits();
        for open in &self.open {
            limits[open.index].taken -= open.left;
        }
    }
}
