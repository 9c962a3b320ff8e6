//! Registration of machine types with the runtime that polls them.
//!
//! A runtime spawns any future, and on stable Rust it cannot query whether the future's type is a
//! machine. So a machine registers itself. On its first poll it passes its type and a function that
//! traces it to a hook, which records the function once for each type. Without a runtime the hook
//! is null, and a registration is one relaxed load and a branch. An explicit machine of a type
//! without parameters records the registration in a static, so it does not depend on a runtime that
//! exists already.
//!
//! The registrations are also read. A trace that reaches a future of an unknown type, such as that
//! of a type parameter, continues if that type is registered.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::any::TypeId;
use core::marker::PhantomData;
#[cfg(feature = "alloc")]
use core::pin::Pin;
use core::sync::atomic::Ordering;

use super::introspect::{ExpandedAccessor, Introspect};
use super::state::State;
use super::state_machine::StateMachine;

/// A machine that may be registered.
///
/// A registration is stored by the type's identity, which ignores lifetimes. It is used for every
/// future of the type, also for one with other lifetimes than those of the registration.
///
/// # Safety
///
/// Wherever a value of the type exists, whatever its lifetimes, the implementation of
/// [`StateMachine`] exists for it. So an implementation for `X<'static>` alone must not register
/// `X`. Expanded machines meet this: the type itself has all the bounds of the implementation
/// ([`Introspect`]).
pub unsafe trait Register: StateMachine {}

#[diagnostic::do_not_recommend]
// SAFETY: the promise of `Introspect` for accessors of expanded machines.
unsafe impl<M: Introspect> Register for M where M::Accessor: ExpandedAccessor {}

/// The trace function of a type of futures.
#[derive(Clone, Copy, Debug)]
pub struct TypeRegistration {
    /// The type, with its lifetimes erased.
    pub type_id: TypeId,
    /// The trace function.
    pub trace_fn: TraceFn,
}

/// A function that traces the futures of a type.
///
/// # Safety
///
/// Both functions require the address of a live future of the registered type. Nothing may have a
/// mutable reference into it during the call.
#[derive(Clone, Copy, Debug)]
pub enum TraceFn {
    /// Visits the states of a machine, from the outermost to the innermost.
    Walk(unsafe fn(*const (), &mut dyn FnMut(&'static State))),
    /// Finds the future of type `type_id` inside of this wrapper.
    Inner {
        type_id: TypeId,
        find: unsafe fn(*const ()) -> *const (),
    },
}

/// A future around another one, whose state is that of the inner future.
///
/// The inner future may have references into itself, which a reference to it would invalidate. So
/// the trait has an offset, and no code borrows the inner future.
///
/// # Safety
///
/// At the offset there is a future of type `Inner` for as long as the wrapper lives.
pub unsafe trait Wrapper {
    /// The inner future.
    type Inner;

    /// The offset of the inner future in the wrapper.
    const OFFSET: usize;
}

/// The functions of a runtime that stores registrations.
#[derive(Debug)]
pub struct RegisterHook {
    /// Stores a registration.
    pub record: fn(&TypeRegistration),
    /// Returns the trace function of a registered type.
    pub find: fn(TypeId) -> Option<TraceFn>,
}

/// A static that any thread may set once, and that models need not explore.
static HOOK: core::sync::atomic::AtomicPtr<RegisterHook> =
    core::sync::atomic::AtomicPtr::new(core::ptr::null_mut());

/// Passes each registration to `hook` from now on. A second call with the same hook has no effect.
pub fn set_hook(hook: &'static RegisterHook) {
    // ORDERING: Relaxed. The pointer is that of a static, which no thread ever writes, so it
    // publishes no data.
    HOOK.store(core::ptr::from_ref(hook).cast_mut(), Ordering::Relaxed);
}

#[inline]
fn hook() -> Option<&'static RegisterHook> {
    // ORDERING: Relaxed, as in `set_hook`.
    let hook = HOOK.load(Ordering::Relaxed);
    // SAFETY: only `set_hook` writes it, from a static reference.
    unsafe { hook.as_ref() }
}

/// Registers the type of a machine that is polled for the first time, if there is a runtime.
#[inline]
pub fn register<M: Register>() {
    if hook().is_some() {
        register_type::<M>();
    }
}

/// Registers a type of machines, if there is a runtime. It does not unwind, so a poll needs no
/// landing pad for it.
#[cold]
#[inline(never)]
pub extern "C" fn register_type<M: Register>() {
    let Some(hook) = hook() else { return };
    (hook.record)(&machine_registration::<M>());
    #[cfg(feature = "alloc")]
    (hook.record)(&box_registration::<M>());
}

/// Registers the type of a wrapper that is about to wait, if there is a runtime.
#[cold]
#[inline(never)]
pub fn register_wrapper<W: Wrapper>() {
    if let Some(hook) = hook() {
        (hook.record)(&wrapper_registration::<W>());
        #[cfg(feature = "alloc")]
        (hook.record)(&box_registration::<W>());
    }
}

/// Visits the states of a future, if the registrations lead to a machine.
///
/// # Safety
///
/// The future is live, and nothing has a mutable reference into it.
pub unsafe fn trace_registered<F>(future: *const F, visit: &mut dyn FnMut(&'static State)) {
    if let Some(hook) = hook() {
        // SAFETY: promised by the caller.
        unsafe { trace_at(future.cast(), type_id_of::<F>(), hook.find, visit) };
    }
}

/// Visits the states of a borrowed future, if the registrations lead to a machine.
pub fn trace_borrowed<F>(future: &F, visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: the future is borrowed.
    unsafe { trace_registered(core::ptr::from_ref(future), visit) };
}

/// Visits the states of the future at an address, from the outermost to the innermost.
///
/// # Safety
///
/// `at` is the address of a live future of type `of`, nothing has a mutable reference into it, and
/// `find` returns the trace functions of registered types.
pub unsafe fn trace_at(
    mut at: *const (),
    mut of: TypeId,
    find: fn(TypeId) -> Option<TraceFn>,
    visit: &mut dyn FnMut(&'static State),
) {
    while let Some(trace_fn) = find(of) {
        match trace_fn {
            TraceFn::Walk(walk) => {
                // SAFETY: the function is registered for this type, and the caller promises that
                // the future is live.
                unsafe { walk(at, visit) };
                break;
            }
            TraceFn::Inner { type_id, find } => {
                // SAFETY: as above.
                at = unsafe { find(at) };
                of = type_id;
            }
        }
    }
}

fn machine_registration<M: Register>() -> TypeRegistration {
    TypeRegistration {
        type_id: type_id_of::<M>(),
        trace_fn: TraceFn::Walk(walk::<M>),
    }
}

fn wrapper_registration<W: Wrapper>() -> TypeRegistration {
    TypeRegistration {
        type_id: type_id_of::<W>(),
        trace_fn: TraceFn::Inner {
            type_id: type_id_of::<W::Inner>(),
            find: inner_of_wrapper::<W>,
        },
    }
}

#[cfg(feature = "alloc")]
fn box_registration<F>() -> TypeRegistration {
    TypeRegistration {
        type_id: type_id_of::<Pin<Box<F>>>(),
        trace_fn: TraceFn::Inner {
            type_id: type_id_of::<F>(),
            find: inner_of_box,
        },
    }
}

/// # Safety
///
/// `wrapper` points to a live `W`.
unsafe fn inner_of_wrapper<W: Wrapper>(wrapper: *const ()) -> *const () {
    // SAFETY: the implementation of `Wrapper` promises the offset.
    unsafe { wrapper.byte_add(W::OFFSET) }
}

/// # Safety
///
/// `pinned` points to a live `Pin<Box<_>>` of a sized type, and nothing has a mutable reference to
/// the boxed value.
#[cfg(feature = "alloc")]
unsafe fn inner_of_box(pinned: *const ()) -> *const () {
    // SAFETY: promised by the caller. A `Pin` has the representation of its pointer, and a `Box` of
    // a sized type is one pointer.
    unsafe { pinned.cast::<*const ()>().read() }
}

/// # Safety
///
/// `machine` points to a live `M` without a mutable reference to it.
unsafe fn walk<M: StateMachine>(machine: *const (), visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: the caller promises the type, that the value is live, and that there are no other
    // references.
    let machine = unsafe { &*machine.cast::<M>() };
    machine.trace(visit);
}

/// Returns the type's identity, which ignores lifetimes.
pub(crate) fn type_id_of<T: ?Sized>() -> TypeId {
    trait Identify {
        fn identify(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Identify for PhantomData<T> {
        fn identify(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let phantom: &dyn Identify = &PhantomData::<T>;
    // SAFETY: the object is a `PhantomData`: no data of any lifetime is reached through it, and
    // type identity is computed after lifetimes are erased.
    let phantom =
        unsafe { core::mem::transmute::<&dyn Identify, &(dyn Identify + 'static)>(phantom) };
    phantom.identify()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_id_ignores_lifetimes() {
        fn of<'a>(_: &'a u8) -> TypeId {
            type_id_of::<&'a u8>()
        }
        let local = 1;
        assert_eq!(of(&local), TypeId::of::<&'static u8>());
        assert_ne!(of(&local), TypeId::of::<u8>());
    }
}
