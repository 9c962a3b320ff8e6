//! The announcement of a machine to the runtime that polls it.
//!
//! A runtime spawns any future and cannot ask on stable Rust whether its type is a machine. So a
//! machine speaks first: on its first poll it hands its type and a way to walk it to a hook,
//! which notes the walk once a type. Without a runtime the hook is null, and an announcement is
//! one relaxed load and a branch.
//!
//! What was told is also asked for again: a trace that comes to a future whose type it does not
//! know, in generic code say, goes on if that type was announced.

use core::any::TypeId;
use core::marker::PhantomData;
use core::pin::Pin;
use core::sync::atomic::Ordering;
use core::task::Context;

use super::state::State;
use super::state_machine::StateMachine;

/// A machine about to run for the first time.
#[cfg_attr(
    not(feature = "rt"),
    expect(dead_code, reason = "only a runtime listens")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Announcement {
    /// The type of the machine, lifetimes erased.
    pub(crate) type_id: TypeId,
    /// How to walk a machine of this type.
    pub(crate) walk: Walk,
}

/// Visits the states of the machine at an address, from the outermost to the innermost.
///
/// # Safety
///
/// The address must be that of a live future of the type that was announced with it, and nothing
/// may hold a mutable reference into it during the call.
pub(crate) type Walk = unsafe fn(*const (), &mut dyn FnMut(&'static State));

/// A runtime that wants to be told, and tells again.
#[derive(Debug)]
pub(crate) struct Hook {
    /// Keeps what is announced.
    pub(crate) hear: fn(&Announcement),
    /// Finds the walk of a type that was announced.
    pub(crate) find: fn(TypeId) -> Option<Walk>,
}

/// A static that any thread may set once, and that models need not explore.
static HOOK: core::sync::atomic::AtomicPtr<Hook> =
    core::sync::atomic::AtomicPtr::new(core::ptr::null_mut());

/// Has `hook` told of each announcement from now on; idempotent.
#[cfg_attr(
    not(feature = "rt"),
    expect(dead_code, reason = "only a runtime listens")
)]
pub(crate) fn set_hook(hook: &'static Hook) {
    // ORDERING: Release, pairs with the Acquire in `hook`: it publishes what is pointed to.
    HOOK.store(core::ptr::from_ref(hook).cast_mut(), Ordering::Release);
}

#[inline]
fn hook() -> Option<&'static Hook> {
    // ORDERING: Acquire, pairs with the Release in `set_hook`.
    let hook = HOOK.load(Ordering::Acquire);
    // SAFETY: only `set_hook` writes it, and what it writes was made of a static reference.
    unsafe { hook.as_ref() }
}

/// Tells the runtime, if there is one, that a machine of this type is polled, if for the first
/// time.
///
/// Takes what the poll goes on with and gives it back, so that nothing has to outlive the call:
/// a poll that announces nothing then needs no place to save it in.
#[inline]
pub fn announce<'m, 'c, 'w, M: StateMachine>(
    is_fresh: bool,
    machine: Pin<&'m mut M>,
    cx: &'c mut Context<'w>,
) -> (Pin<&'m mut M>, &'c mut Context<'w>) {
    if is_fresh && let Some(hook) = hook() {
        return announce_to(hook, machine, cx);
    }
    (machine, cx)
}

#[cold]
#[inline(never)]
fn announce_to<'m, 'c, 'w, M: StateMachine>(
    hook: &Hook,
    machine: Pin<&'m mut M>,
    cx: &'c mut Context<'w>,
) -> (Pin<&'m mut M>, &'c mut Context<'w>) {
    (hook.hear)(&Announcement {
        type_id: type_id_of::<M>(),
        walk: walk::<M>,
    });
    (machine, cx)
}

/// Goes on in a future that is a machine, if its type was announced.
pub(super) fn trace_announced<F>(future: &F, visit: &mut dyn FnMut(&'static State)) {
    let walk = hook().and_then(|hook| (hook.find)(type_id_of::<F>()));
    if let Some(walk) = walk {
        // SAFETY: the walk was announced for this type, and the future is borrowed.
        unsafe { walk(core::ptr::from_ref(future).cast(), visit) };
    }
}

/// A future around another one: a trace goes on in that.
pub(crate) trait Around {
    /// The other one.
    type Inner;

    /// The other one.
    fn inner(&self) -> &Self::Inner;
}

/// Tells the runtime, if there is one, that futures of this type are around others.
#[cfg_attr(
    not(feature = "rt"),
    expect(
        dead_code,
        reason = "those that are around others belong to the runtime"
    )
)]
pub(crate) fn announce_around<W: Around>() {
    if let Some(hook) = hook() {
        (hook.hear)(&Announcement {
            type_id: type_id_of::<W>(),
            walk: walk_around::<W>,
        });
    }
}

/// # Safety
///
/// `future` points to a live `W` without a mutable reference to it.
#[cfg_attr(
    not(feature = "rt"),
    expect(dead_code, reason = "as `announce_around`")
)]
unsafe fn walk_around<W: Around>(future: *const (), visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: the caller vouches for the type, the life and the absence of other references.
    let future = unsafe { &*future.cast::<W>() };
    trace_announced(future.inner(), visit);
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
