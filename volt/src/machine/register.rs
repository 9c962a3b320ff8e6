//! The announcement of a machine to the runtime that polls it.
//!
//! A runtime spawns any future and cannot ask on stable Rust whether its type is a machine. So a
//! machine speaks first: on its first poll it hands its type and a way to walk it to a hook,
//! which notes the walk once a type. Without a runtime the hook is null, and an announcement is
//! one relaxed load and a branch. An explicit machine of a type without parameters notes in a static that this
//! was done, so it does not wait for a runtime.
//!
//! What was told is also asked for again: a trace that comes to a future of which it knows nothing,
//! such as one of a type parameter, goes on if that type was announced.

use core::any::TypeId;
use core::marker::PhantomData;
#[cfg(feature = "rt")]
use core::pin::Pin;
use core::sync::atomic::Ordering;

use super::introspect::{ExpandedAccessor, Introspect};
use super::state::State;
use super::state_machine::StateMachine;

/// A machine that may announce itself.
///
/// What is announced is kept by the type's identity, which knows no lifetimes, and is used for every
/// future of the type: also for one with other lifetimes than those of the announcement.
///
/// # Safety
///
/// Wherever a value of the type exists, whatever its lifetimes, the implementation of
/// [`StateMachine`] exists for it. So an implementation for `X<'static>` alone must not announce
/// `X`. Expanded machines keep this: the type itself has all the bounds of the implementation ([`Introspect`]).
pub unsafe trait Register: StateMachine {}

#[diagnostic::do_not_recommend]
// SAFETY: the promise of `Introspect`, for how it is told of expanded machines.
unsafe impl<M: Introspect> Register for M where M::Accessor: ExpandedAccessor {}

/// Says so of a machine that a test writes by hand.
#[cfg(all(test, feature = "rt"))]
macro_rules! impl_register {
    ($Machine:ident [$($parameters:tt)*] [$($arguments:tt)*]) => {
        // SAFETY: the implementation has no bounds.
        unsafe impl<$($parameters)*> $crate::machine::Register for $Machine<$($arguments)*> {}
    };
}

#[cfg(all(test, feature = "rt"))]
pub(crate) use impl_register;

/// A type of futures of which it can be told where they stand.
#[cfg_attr(
    not(feature = "rt"),
    expect(dead_code, reason = "only a runtime listens")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registration {
    /// The type, lifetimes erased.
    pub(crate) type_id: TypeId,
    /// How that is told.
    pub(crate) trace_fn: TraceFn,
}

/// How it is told where a future stands.
///
/// # Safety
///
/// Both functions want the address of a live future of the type that was announced with them,
/// and nothing may hold a mutable reference into it during the call.
#[cfg_attr(
    not(feature = "rt"),
    expect(dead_code, reason = "only a runtime listens")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) enum TraceFn {
    /// Visits the states of a machine, from the outermost to the innermost.
    Walk(unsafe fn(*const (), &mut dyn FnMut(&'static State))),
    /// Finds the future of type `type_id` that this one is wrapped around.
    Inner {
        type_id: TypeId,
        find: unsafe fn(*const ()) -> *const (),
    },
}

/// A future that is wrapped around another one, and stands where that one does.
///
/// The other one may have references into itself, which a reference to it would invalidate: so it
/// is told where it lies, and nobody borrows it.
///
/// # Safety
///
/// What is told is right: a future of type `Inner` lies there for as long as the wrapper lives.
#[cfg(feature = "rt")]
pub(crate) unsafe trait Wrapper {
    /// The other one.
    type Inner;

    /// Where in the wrapper the other one lies.
    const OFFSET: usize;
}

/// Implements [`Wrapper`] for a wrapper whose field `$future` is the future within.
#[cfg(feature = "rt")]
macro_rules! wrapper {
    ($Wrapper:ident<$F:ident> { $future:ident }) => {
        // SAFETY: it is a field of this type.
        unsafe impl<$F> $crate::machine::Wrapper for $Wrapper<$F> {
            type Inner = $F;

            const OFFSET: usize = {
                let _of_this_type: fn(&$Wrapper<$F>) -> &$F = |wrapper| &wrapper.$future;
                ::core::mem::offset_of!($Wrapper<$F>, $future)
            };
        }
    };
}

#[cfg(feature = "rt")]
pub(crate) use wrapper;

/// Makes a wrapper around a machine that machine still: a trace goes on in its field `$future`.
#[cfg(feature = "rt")]
macro_rules! wrapper_machine {
    ($Wrapper:ident<$F:ident> { $future:ident }) => {
        $crate::machine::wrapper!($Wrapper<$F> { $future });

        impl<$F: $crate::machine::StateMachine> $crate::machine::StateMachine for $Wrapper<$F> {
            const NAME: &'static str = $F::NAME;
            const STATES: &'static [$crate::machine::State] = $F::STATES;
            const TRANSITIONS: &'static [$crate::machine::Transition] = $F::TRANSITIONS;
            const NATIVE_SIZE: Option<usize> = $F::NATIVE_SIZE;

            fn state(&self) -> &'static $crate::machine::State {
                self.$future.state()
            }

            fn trace(&self, visit: &mut dyn FnMut(&'static $crate::machine::State)) {
                self.$future.trace(visit);
            }
        }
    };
}

#[cfg(feature = "rt")]
pub(crate) use wrapper_machine;

/// A runtime that wants to be told, and tells again.
#[derive(Debug)]
pub(crate) struct RegisterHook {
    /// Keeps what is announced.
    pub(crate) record: fn(&Registration),
    /// Finds what was announced of a type.
    pub(crate) find: fn(TypeId) -> Option<TraceFn>,
}

/// A static that any thread may set once, and that models need not explore.
static HOOK: core::sync::atomic::AtomicPtr<RegisterHook> =
    core::sync::atomic::AtomicPtr::new(core::ptr::null_mut());

/// Has `hook` told of each announcement from now on; idempotent.
#[cfg_attr(
    not(feature = "rt"),
    expect(dead_code, reason = "only a runtime listens")
)]
pub(crate) fn set_hook(hook: &'static RegisterHook) {
    // ORDERING: Relaxed. The pointer is a static's, which no thread ever writes: there is nothing
    // behind it to publish.
    HOOK.store(core::ptr::from_ref(hook).cast_mut(), Ordering::Relaxed);
}

#[inline]
fn hook() -> Option<&'static RegisterHook> {
    // ORDERING: Relaxed, as in `set_hook`.
    let hook = HOOK.load(Ordering::Relaxed);
    // SAFETY: only `set_hook` writes it, and what it writes was made of a static reference.
    unsafe { hook.as_ref() }
}

/// Tells the runtime, if there is one, that a machine of this type is polled for the first time.
#[inline]
pub(crate) fn register<M: Register>() {
    if hook().is_some() {
        register_type::<M>();
    }
}

/// Tells the runtime, if there is one, of machines of this type. Does not unwind, so that a poll need not be
/// ready for it.
#[cold]
#[inline(never)]
pub(crate) extern "C" fn register_type<M: Register>() {
    let Some(hook) = hook() else { return };
    (hook.record)(&machine_registration::<M>());
    #[cfg(feature = "rt")]
    (hook.record)(&box_registration::<M>());
}

/// Tells the runtime, if there is one, of a wrapper that is about to wait.
#[cfg(feature = "rt")]
#[cold]
#[inline(never)]
pub(crate) fn register_wrapper<W: Wrapper>() {
    if let Some(hook) = hook() {
        (hook.record)(&wrapper_registration::<W>());
        (hook.record)(&box_registration::<W>());
    }
}

/// Visits the states of a future, if what was announced leads to a machine.
///
/// # Safety
///
/// The future is live, and nothing holds a mutable reference into it.
pub(crate) unsafe fn trace_registered<F>(future: *const F, visit: &mut dyn FnMut(&'static State)) {
    if let Some(hook) = hook() {
        // SAFETY: promised by the caller.
        unsafe { trace_at(future.cast(), type_id_of::<F>(), hook.find, visit) };
    }
}

/// Visits the states of a borrowed future, if what was announced leads to a machine.
pub(crate) fn trace_borrowed<F>(future: &F, visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: it is borrowed.
    unsafe { trace_registered(core::ptr::from_ref(future), visit) };
}

/// Visits the states of the future at an address, from the outermost to the innermost.
///
/// # Safety
///
/// `at` is the address of a live future of type `of`, nothing holds a mutable reference into it,
/// and `find` finds what was announced of a type.
pub(crate) unsafe fn trace_at(
    mut at: *const (),
    mut of: TypeId,
    find: fn(TypeId) -> Option<TraceFn>,
    visit: &mut dyn FnMut(&'static State),
) {
    while let Some(trace_fn) = find(of) {
        match trace_fn {
            TraceFn::Walk(walk) => {
                // SAFETY: it was announced for this type, and the caller vouches for the future.
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

fn machine_registration<M: Register>() -> Registration {
    Registration {
        type_id: type_id_of::<M>(),
        trace_fn: TraceFn::Walk(walk::<M>),
    }
}

#[cfg(feature = "rt")]
fn wrapper_registration<W: Wrapper>() -> Registration {
    Registration {
        type_id: type_id_of::<W>(),
        trace_fn: TraceFn::Inner {
            type_id: type_id_of::<W::Inner>(),
            find: inner_of_wrapper::<W>,
        },
    }
}

#[cfg(feature = "rt")]
fn box_registration<F>() -> Registration {
    Registration {
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
#[cfg(feature = "rt")]
unsafe fn inner_of_wrapper<W: Wrapper>(wrapper: *const ()) -> *const () {
    // SAFETY: the implementation vouches for the distance.
    unsafe { wrapper.byte_add(W::OFFSET) }
}

/// # Safety
///
/// `pinned` points to a live `Pin<Box<_>>` of a sized type, and nothing holds a mutable reference to
/// that.
#[cfg(feature = "rt")]
unsafe fn inner_of_box(pinned: *const ()) -> *const () {
    // SAFETY: promised by the caller. A `Pin` is what it is around, and a `Box` of a sized type is
    // one pointer.
    unsafe { pinned.cast::<*const ()>().read() }
}

/// # Safety
///
/// `machine` points to a live `M` without a mutable reference to it.
unsafe fn walk<M: StateMachine>(machine: *const (), visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: the caller vouches for the type, the life and the absence of other references.
    let machine = unsafe { &*machine.cast::<M>() };
    machine.trace(visit);
}

/// The type's identity, whatever the lifetimes in it.
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
