//! Machines among the futures of tasks.
//!
//! A future that is spawned may be a machine, and its type does not say so here. Instead:
//!
//! 1. A machine announces itself as it begins its first poll, or is the first of its type to do so, and the
//!    way to walk a machine of its type is kept: once a type, for ever.
//! 2. So does a wrapper of this crate that waits, with the way to what it is wrapped around. What
//!    is in a `Pin<Box<..>>` announces that too.
//! 3. Whoever looks at a task asks for the walk of the type of its [`ErasedFuture`].
//! 4. So does a walk that comes to a future of a type parameter, of which its code knows nothing.
//!
//! So a poll costs nothing after the first one, and a task has no room for this. A task that
//! was not polled yet is told of if another one of its type was.

use crate::loom::LeakOnce;
use crate::machine::{
    RegisterHook, Registration, State, TraceFn, register_pending, set_hook, trace_at,
};
use std::any::TypeId;
use std::hash::{Hash, Hasher};
use std::iter::successors;
use std::pin::Pin;

/// A future that may be a machine, by its address and type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErasedFuture {
    address: *const (),
    of: TypeId,
}

// SAFETY: the address is used by unsafe functions alone, whose callers have the future.
unsafe impl Send for ErasedFuture {}

impl ErasedFuture {
    /// Of a future in its place, which is not looked at.
    pub(crate) fn new<F: 'static>(future: Pin<&mut F>) -> Self {
        // SAFETY: Nothing is moved: only the address is kept.
        let future: *mut F = unsafe { Pin::get_unchecked_mut(future) };
        Self {
            address: future.cast_const().cast(),
            of: TypeId::of::<F>(),
        }
    }
}

/// Listens to announcements from here on.
pub(in crate::task) fn install_hook() {
    static HOOK: RegisterHook = RegisterHook { record: hear, find };
    set_hook(&HOOK);
    register_pending();
}

fn hear(machine: &Registration) {
    keep(machine.type_id, machine.trace_fn);
}

/// The states that a future is in, the outermost first; none if it is no machine.
///
/// # Safety
///
/// - The future is in place, and nobody else is at it.
pub(in crate::task) unsafe fn position(root: ErasedFuture) -> Vec<&'static State> {
    let mut states = Vec::new();
    // SAFETY: The caller has the future, which is of this type.
    unsafe { trace_at(root.address, root.of, find, &mut |state| states.push(state)) };
    states
}

/// A type that is known, and those of the same bucket that were known later.
struct TypeEntry {
    of: TypeId,
    trace_fn: TraceFn,
    next: Link,
}

type Link = LeakOnce<TypeEntry>;

const BUCKETS: usize = 64;

static MACHINE_TYPES: [Link; BUCKETS] = [const { Link::new() }; BUCKETS];

fn find(of: TypeId) -> Option<TraceFn> {
    let first = MACHINE_TYPES[bucket(of)].get();
    let known = successors(first, |known| known.next.get());
    Some(known.into_iter().find(|known| known.of == of)?.trace_fn)
}

fn keep(of: TypeId, trace_fn: TraceFn) {
    let mut link = &MACHINE_TYPES[bucket(of)];
    loop {
        let known = link.get_or_leak(|| TypeEntry {
            of,
            trace_fn,
            next: Link::new(),
        });
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
