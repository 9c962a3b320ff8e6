//! Machines among the futures of tasks.
//!
//! A future that is spawned may be a machine, and its type does not say so here. Instead:
//!
//! 1. A machine announces itself as it begins its first poll, and the way to walk a machine of
//!    its type is kept: once a type, for ever.
//! 2. Whoever looks at a task asks for the walk of the type of its [`Root`].
//! 3. A walk that comes to a future of a type parameter asks in the same way, and goes on.
//!
//! So a poll costs nothing after the first one, and a task has no room for this. A task that
//! was not polled yet is told of if another one of its type was.

use crate::machine::{Announcement, Hook, State, Walk, set_hook};
use std::any::TypeId;
use std::hash::{Hash, Hasher};
use std::iter::successors;
use std::sync::OnceLock;

/// A future that may be a machine, by its address and type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    address: *const (),
    of: TypeId,
}

impl Root {
    /// Of a future in its place.
    pub(crate) fn new<F: 'static>(future: &F) -> Self {
        Self {
            address: std::ptr::from_ref(future).cast(),
            of: TypeId::of::<F>(),
        }
    }
}

/// Listens to announcements from here on.
pub(super) fn listen() {
    static HOOK: Hook = Hook { hear, find };
    set_hook(&HOOK);
}

fn hear(machine: &Announcement) {
    keep(machine.type_id, machine.walk);
}

/// The states that a future is in, the outermost first; none if it is no machine.
///
/// # Safety
///
/// - The future is in place, and nobody else is at it.
pub(super) unsafe fn position(root: Root) -> Vec<&'static State> {
    let mut states = Vec::new();
    if let Some(walk) = find(root.of) {
        // SAFETY: The walk was announced for this type, and the caller has the future.
        unsafe { walk(root.address, &mut |state| states.push(state)) };
    }
    states
}

/// A type that is known, and those of the same bucket that were known later.
struct Known {
    of: TypeId,
    walk: Walk,
    next: Link,
}

type Link = OnceLock<Box<Known>>;

const BUCKETS: usize = 64;

static KNOWN: [Link; BUCKETS] = [const { Link::new() }; BUCKETS];

fn find(of: TypeId) -> Option<Walk> {
    let first = KNOWN[bucket(of)].get();
    let known = successors(first, |known| known.next.get());
    Some(known.into_iter().find(|known| known.of == of)?.walk)
}

fn keep(of: TypeId, walk: Walk) {
    let mut link = &KNOWN[bucket(of)];
    loop {
        let next = Link::new();
        let known = link.get_or_init(|| Box::new(Known { of, walk, next }));
        if known.of == of {
            return;
        }
        link = &known.next;
    }
}

/// A `TypeId` is a hash: part of it will do.
fn bucket(of: TypeId) -> usize {
    struct Part(u64);

    impl Hasher for Part {
        fn finish(&self) -> u64 {
            self.0
        }

        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.0 = self.0.rotate_left(8) ^ u64::from(byte);
            }
        }

        fn write_u64(&mut self, part: u64) {
            self.0 ^= part;
        }
    }

    let mut part = Part(0);
    of.hash(&mut part);
    part.finish() as usize % BUCKETS
}
