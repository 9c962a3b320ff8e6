//! The registration of types with a runtime.
//!
//! A runtime spawns any future, and on stable Rust it cannot query whether the type of the future
//! implements [`Inspect`]. So a type registers itself at its first poll. The hook of a runtime
//! records the inspect function of the type once. Without a runtime the hook is null, and a
//! registration does nothing.

use core::any::TypeId;
use core::hash::{Hash, Hasher};
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicPtr, AtomicU32, fence};

use super::trace_fn::TraceFn;
use super::type_facts::{TypeFacts, TypeName, name_of};
use crate::description::PositionLayout;
use crate::inspect::Registrable;
use crate::inspector::{InspectBy, Inspector};
use crate::type_id::type_id_of;
use crate::visitor::Visitor;

/// The number of keys of recent types. Small targets, which seldom have a runtime, have only two.
const RECENT_TYPES: usize = if cfg!(target_pointer_width = "64") {
    512
} else {
    2
};

/// The keys of types for which a registration has nothing to do: the runtime knows them, or there
/// is no runtime. [`set_hook`] clears the table.
static RECENT: [AtomicU32; RECENT_TYPES] = [const { AtomicU32::new(0) }; RECENT_TYPES];

/// The functions of a type of futures.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TypeRegistration {
    /// The type, with its lifetimes erased.
    pub type_id: TypeId,
    /// The way to inspect a future of the type.
    pub inspect: InspectBy,
    /// The function that traces the states of a machine, or of the machine in a wrapper.
    pub trace_fn: Option<TraceFn>,
    /// The name of the type, for debuggers.
    pub type_name: &'static str,
    /// The place of the future's position, for debuggers.
    pub position: PositionLayout,
}

/// The functions of a runtime that stores registrations.
#[doc(hidden)]
#[derive(Debug)]
pub struct RegisterHook {
    record: fn(&TypeRegistration),
    find: fn(TypeId) -> Option<TypeRegistration>,
    is_inspecting: fn() -> bool,
    current_task: fn() -> u64,
}

impl RegisterHook {
    /// Returns a hook: `record` stores a registration, and `find` returns that of a type.
    #[must_use]
    pub const fn new(
        record: fn(&TypeRegistration),
        find: fn(TypeId) -> Option<TypeRegistration>,
    ) -> Self {
        Self {
            record,
            find,
            is_inspecting: || false,
            current_task: || 0,
        }
    }

    /// Sets the function that returns the id of the task that this thread polls, or zero.
    #[must_use]
    pub const fn with_current_task(self, current_task: fn() -> u64) -> Self {
        Self {
            current_task,
            ..self
        }
    }

    /// Sets the function that returns `true` if this thread is in an inspection poll.
    #[must_use]
    pub const fn with_inspection_polls(self, is_inspecting: fn() -> bool) -> Self {
        Self {
            is_inspecting,
            ..self
        }
    }
}

/// Returns `true` if a registration of the type has nothing to do.
#[inline]
fn is_recent<F: ?Sized>() -> bool {
    let key = key(type_id_of::<F>());
    // ORDERING: Relaxed. The key publishes nothing: a lookup synchronizes with the record.
    RECENT[key as usize % RECENT_TYPES].load(Relaxed) == key
}

fn set_recent(type_id: TypeId) {
    let key = key(type_id);
    // ORDERING: Relaxed, as in `is_recent`.
    RECENT[key as usize % RECENT_TYPES].store(key, Relaxed);
}

/// A static that any thread may set once, and that models need not explore.
static HOOK: AtomicPtr<RegisterHook> = AtomicPtr::new(ptr::null_mut());

/// Passes each registration to `hook` from now on. A second call with the same hook has no effect.
#[doc(hidden)]
pub fn set_hook(hook: &'static RegisterHook) {
    // ORDERING: Relaxed. The pointer is that of a static, whose functions no thread ever writes, so
    // it publishes no data.
    HOOK.store(ptr::from_ref(hook).cast_mut(), Relaxed);
    // ORDERING: SeqCst, pairs with the fence of `recent_hook`: either that thread sees the hook, or
    // its key is cleared here.
    fence(SeqCst);
    for key in &RECENT {
        key.store(0, Relaxed);
    }
}

/// Returns the hook for the registration of a type. If there is none, the type counts as recent
/// until there is one.
fn recent_hook(type_id: TypeId) -> Option<&'static RegisterHook> {
    if let Some(hook) = hook() {
        return Some(hook);
    }
    set_recent(type_id);
    // ORDERING: SeqCst, pairs with the fence of `set_hook`.
    fence(SeqCst);
    hook()
}

#[inline]
fn hook() -> Option<&'static RegisterHook> {
    // ORDERING: Relaxed, as in `set_hook`.
    let hook = HOOK.load(Relaxed);
    // SAFETY: only `set_hook` writes it, from a static reference.
    unsafe { hook.as_ref() }
}

/// Returns the key of a type in the table of recent types.
#[inline]
fn key(type_id: TypeId) -> u32 {
    struct Part(u64);

    impl Hasher for Part {
        #[inline]
        fn finish(&self) -> u64 {
            self.0
        }

        #[inline]
        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.0 = self.0.rotate_left(8) ^ u64::from(byte);
            }
        }

        #[inline]
        fn write_u64(&mut self, part: u64) {
            self.0 ^= part;
        }
    }

    let mut part = Part(0);
    type_id.hash(&mut part);
    let hash = part.finish();
    // Zero is the key of no type.
    (hash as u32).max(1)
}

/// Returns `true` if this thread is in an inspection poll of the runtime.
#[cold]
#[inline(never)]
pub(crate) fn is_inspecting() -> bool {
    hook().is_some_and(|hook| (hook.is_inspecting)())
}

/// Returns the id of the task that this thread polls, or zero.
pub(crate) fn current_task() -> u64 {
    hook().map_or(0, |hook| (hook.current_task)())
}

/// Returns `true` if there is a runtime that stores registrations.
#[inline]
pub(crate) fn has_hook() -> bool {
    hook().is_some()
}

/// Returns the registration of a type.
pub(crate) fn find(type_id: TypeId) -> Option<TypeRegistration> {
    (hook()?.find)(type_id)
}

/// Registers a type, so that an inspection continues in its values.
///
/// Call it in the first poll of a future, or in its constructor. The pinned pointers `Pin<Box<F>>`
/// and `Pin<&mut F>` are registered with it. Without a runtime the call does nothing, so a
/// constructor that runs before the runtime exists registers nothing. A repeated call is one
/// comparison in most cases.
#[inline]
pub fn register<F: Registrable>() {
    if !is_recent::<F>() {
        record(const { &TypeFacts::of::<F>() });
    }
}

/// Registers a type in the same way as [`register`], and the reference `&mut F` with it.
#[inline]
pub fn register_unpin<F: Registrable + Unpin>() {
    if !is_recent::<&mut F>() {
        record_unpin(const { &TypeFacts::of::<F>() }, name_of::<&mut F>);
    }
}

/// Registers a type of wrappers, and the type of the futures in them, by one comparison.
#[doc(hidden)]
#[inline]
pub fn register_nested<W: Registrable, F: Registrable>() {
    if !is_recent::<W>() {
        record_nested(
            const { &[TypeFacts::of::<F>(), TypeFacts::of::<W>()] },
            type_id_of::<W>,
        );
    }
}

/// Registers a type with these facts. It does not unwind.
#[inline]
pub(crate) fn register_traced<F: Registrable>(facts: &TypeFacts) {
    if !is_recent::<F>() {
        record(facts);
    }
}

/// Records a type, and the pinned pointers to it. It does not unwind, so a function that does not
/// unwind may jump to it.
#[cold]
#[inline(never)]
extern "C" fn record(facts: &TypeFacts) {
    let names = (facts.names)();
    let (type_id, type_name) = names.future;
    let Some(hook) = recent_hook(type_id) else {
        return;
    };
    (hook.record)(&TypeRegistration {
        type_id,
        inspect: facts.inspect,
        trace_fn: facts.trace_fn,
        type_name,
        position: facts.position,
    });
    for [pinned, reference] in names.pointers {
        record_pointer(hook, pinned, names.future);
        record_pointer(hook, reference, pinned);
    }
    set_recent(type_id);
}

#[cold]
#[inline(never)]
fn record_nested([inner, wrapper]: &[TypeFacts; 2], wrapper_id: fn() -> TypeId) {
    // Without a hook both types would count as recent, and a hook that is set between them would
    // know only one.
    if recent_hook(wrapper_id()).is_some() {
        record(inner);
        record(wrapper);
    }
}

#[cold]
#[inline(never)]
fn record_unpin(facts: &TypeFacts, reference: fn() -> TypeName) {
    let reference = reference();
    let Some(hook) = recent_hook(reference.0) else {
        return;
    };
    record(facts);
    record_pointer(hook, reference, (facts.names)().future);
    set_recent(reference.0);
}

/// Records a type of thin pointers to a pinned future, or to one that is `Unpin`.
fn record_pointer(
    hook: &RegisterHook,
    (type_id, type_name): TypeName,
    (pointee, pointee_name): TypeName,
) {
    (hook.record)(&TypeRegistration {
        type_id,
        inspect: InspectBy::Pointee {
            type_id: pointee,
            name: pointee_name,
        },
        trace_fn: Some(TraceFn::Inner {
            type_id: pointee,
            find: read_pointer,
        }),
        type_name,
        position: PositionLayout::Pointer { type_id: pointee },
    });
}

/// # Safety
///
/// `pointer` points to a live thin pointer, and nothing has a mutable reference to the target.
unsafe fn read_pointer(pointer: *const ()) -> *const () {
    // SAFETY: promised by the caller. A `Pin` has the representation of its pointer.
    unsafe { pointer.cast::<*const ()>().read() }
}

impl<'a> Inspector<'a> {
    /// Returns an inspector that reports to a visitor.
    pub fn new(visitor: &'a mut dyn Visitor) -> Self {
        Self::with_find(visitor, |type_id| Some(find(type_id)?.inspect))
    }
}
