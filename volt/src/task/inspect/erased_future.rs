//! The machine types that tasks contain, and the inspection of a future whose type is erased.
//!
//! The future of a task may be a machine, but the type system does not show this to the inspector.
//! So the types register themselves at run time:
//!
//! 1. The first machine of a type registers the type in its first poll. The entry has the function
//!    that reads the states of such a machine, and is never removed.
//! 2. A wrapper of this crate registers in the same way when it waits, with the path to the future
//!    in it. So does a machine in a `Pin<Box<..>>`.
//! 3. An inspector finds the entry by the type of the [`ErasedFuture`] of the task.
//! 4. A walk that reaches a future of a type parameter finds its entry in the same way.
//!
//! So polls after the first one cost nothing, and a task stores nothing for this. A task that was
//! not polled yet can be inspected if another task of its type was polled.

use crate::loom::LeakOnce;
#[cfg(feature = "inspect")]
use crate::machine::Tables;
use crate::machine::{State, register_pending, trace_at};
use crate::task::current_task;
#[cfg(all(feature = "inspect", not(loom)))]
use crate::task::reference::is_recording;
use std::any::{TypeId, type_name};
use std::hash::{Hash, Hasher};
use std::iter::successors;
#[cfg(not(any(loom, all(test, shuttle))))]
use std::mem::offset_of;
use std::pin::Pin;
#[cfg(feature = "inspect")]
use volt_inspect::TraceFn;
use volt_inspect::{Inspector, RegisterHook, TypeRegistration, Visitor, set_hook};

/// A future that may be a machine, by its address and type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErasedFuture {
    address: *mut (),
    type_id: TypeId,
    type_name: &'static str,
}

// SAFETY: Only unsafe functions use the address, and their callers own the future.
unsafe impl Send for ErasedFuture {}

impl ErasedFuture {
    /// Erases the type of a pinned future.
    pub(crate) fn new<F: 'static>(future: Pin<&mut F>) -> Self {
        // SAFETY: The future is not moved: only its address is stored.
        let future: *mut F = unsafe { Pin::get_unchecked_mut(future) };
        Self {
            address: future.cast(),
            type_id: TypeId::of::<F>(),
            type_name: type_name::<F>(),
        }
    }
}

/// Installs the hook that records machine types.
pub(in crate::task) fn install_hook() {
    #[cfg(not(all(feature = "inspect", not(loom))))]
    static HOOK: RegisterHook = RegisterHook::new(record, find).with_current_task(current_task);
    #[cfg(all(feature = "inspect", not(loom)))]
    static HOOK: RegisterHook = RegisterHook::new(record, find)
        .with_current_task(current_task)
        .with_inspection_polls(is_recording);
    set_hook(&HOOK);
    register_pending();
}

/// Returns the id of the task that this thread polls, or zero.
fn current_task() -> u64 {
    current_task::with_current(|task| task.map_or(0, |task| task.id().to_bits()))
}

fn record(registration: &TypeRegistration) {
    insert(*registration);
}

/// Passes the tree of futures in a future to a visitor.
///
/// # Safety
///
/// - The future is valid, and the caller has exclusive access to it.
pub(in crate::task) unsafe fn inspect(future: ErasedFuture, visitor: &mut dyn Visitor) {
    let mut inspector = Inspector::new(visitor);
    // SAFETY: The caller has exclusive access to the future, which has this type.
    unsafe { inspector.erased_future(future.address, future.type_id, future.type_name) };
}

/// Returns the states of a future, the outermost first, or none if it is not a machine.
///
/// # Safety
///
/// - The future is valid, and the caller has exclusive access to it.
pub(in crate::task) unsafe fn position(future: ErasedFuture) -> Vec<&'static State> {
    let mut states = Vec::new();
    let visit = &mut |state| states.push(state);
    // SAFETY: The caller has exclusive access to the future, which has this type.
    unsafe { trace_at(future.address, future.type_id, visit) };
    states
}

/// A registered type, and the link to the next type of the same bucket.
struct TypeEntry {
    registration: TypeRegistration,
    next: Link,
}

type Link = LeakOnce<TypeEntry>;

/// Each type has five entries: its own, and those of pinned pointers to it.
const BUCKETS: usize = 1024;

static MACHINE_TYPES: [Link; BUCKETS] = [const { Link::new() }; BUCKETS];

/// The registered types, and the offsets of their fields, for debuggers.
#[cfg(not(any(loom, all(test, shuttle))))]
#[repr(C)]
pub(in crate::task) struct TypeTableLayout {
    buckets: &'static [Link; BUCKETS],
    bucket_count: usize,
    type_id: usize,
    type_name: usize,
    position: usize,
    next: usize,
}

#[cfg(not(any(loom, all(test, shuttle))))]
impl TypeTableLayout {
    pub(in crate::task) const NEW: Self = Self {
        buckets: &MACHINE_TYPES,
        bucket_count: BUCKETS,
        type_id: offset_of!(TypeEntry, registration.type_id),
        type_name: offset_of!(TypeEntry, registration.type_name),
        position: offset_of!(TypeEntry, registration.position),
        next: offset_of!(TypeEntry, next),
    };
}

fn find(type_id: TypeId) -> Option<TypeRegistration> {
    let first = MACHINE_TYPES[bucket(type_id)].get();
    let mut entries = successors(first, |entry| entry.next.get());
    let found = entries.find(|entry| entry.registration.type_id == type_id);
    Some(found?.registration)
}

/// Returns the states and transitions of the machine types that are registered. Several types can
/// have the same name.
#[cfg(feature = "inspect")]
pub(crate) fn machine_tables() -> impl Iterator<Item = &'static Tables> {
    let entries = MACHINE_TYPES
        .iter()
        .flat_map(|first| successors(first.get(), |entry| entry.next.get()));
    entries.filter_map(|entry| match entry.registration.trace_fn? {
        TraceFn::Machine { tables, .. } => Some(tables),
        TraceFn::Inner { .. } => None,
    })
}

fn insert(registration: TypeRegistration) {
    let type_id = registration.type_id;
    let mut link = &MACHINE_TYPES[bucket(type_id)];
    loop {
        let entry = link.get_or_leak(|| TypeEntry {
            registration,
            next: Link::new(),
        });
        if entry.registration.type_id == type_id {
            return;
        }
        link = &entry.next;
    }
}

/// Returns the bucket of a type. A `TypeId` is a hash, so a part of it is sufficient.
fn bucket(type_id: TypeId) -> usize {
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
    type_id.hash(&mut part);
    part.finish() as usize % BUCKETS
}
