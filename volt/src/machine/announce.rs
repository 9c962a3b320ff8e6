//! The announcement of a machine to the runtime that polls it.
//!
//! A runtime spawns any future and cannot ask on stable Rust whether its type is a machine. So a
//! machine speaks first: on its first poll it hands its type and a way to walk it to a hook,
//! which notes the walk once a type. Without a runtime the hook is null, and an announcement is
//! one relaxed load and a branch.
//!
//! What was told is also asked for again: a trace that comes to a future of which it knows nothing,
//! such as one of a type parameter, goes on if that type was announced.

use core::any::TypeId;
use core::marker::PhantomData;
#[cfg(feature = "rt")]
use core::pin::Pin;
use core::sync::atomic::Ordering;

use super::state::State;
use super::state_machine::StateMachine;

/// A type of futures of which it can be told where they stand.
#[cfg_attr(
    not(feature = "rt"),
    expect(dead_code, reason = "only a runtime listens")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Announcement {
    /// The type, lifetimes erased.
    pub(crate) type_id: TypeId,
    /// How that is told.
    pub(crate) reach: Reach,
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
pub(crate) enum Reach {
    /// Visits the states of a machine, from the outermost to the innermost.
    Walk(unsafe fn(*const (), &mut dyn FnMut(&'static State))),
    /// Finds the future of type `type_id` that this one is wrapped around.
    Within {
        type_id: TypeId,
        find: unsafe fn(*const ()) -> *const (),
    },
}

/// A future that is wrapped around another one, and stands where that one does.
#[cfg(feature = "rt")]
pub(crate) trait Around {
    /// The other one.
    type Inner;

    /// Lends it.
    fn inner(&self) -> &Self::Inner;
}

#[cfg(feature = "rt")]
impl<F> Around for Pin<Box<F>> {
    type Inner = F;

    fn inner(&self) -> &F {
        self
    }
}

/// A runtime that wants to be told, and tells again.
#[derive(Debug)]
pub(crate) struct Hook {
    /// Keeps what is announced.
    pub(crate) hear: fn(&Announcement),
    /// Finds what was announced of a type.
    pub(crate) find: fn(TypeId) -> Option<Reach>,
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
    // ORDERING: Relaxed. The pointer is a static's, which no thread ever writes: there is nothing
    // behind it to publish.
    HOOK.store(core::ptr::from_ref(hook).cast_mut(), Ordering::Relaxed);
}

#[inline]
fn hook() -> Option<&'static Hook> {
    // ORDERING: Relaxed, as in `set_hook`.
    let hook = HOOK.load(Ordering::Relaxed);
    // SAFETY: only `set_hook` writes it, and what it writes was made of a static reference.
    unsafe { hook.as_ref() }
}

/// Tells the runtime, if there is one, that a machine of this type is polled for the first time.
///
/// Takes what the poll goes on with and gives it back.
#[inline]
pub(crate) fn announce<M: StateMachine, T>(polled: T) -> T {
    match hook().is_some() {
        true => announce_now::<M, T>(polled),
        false => polled,
    }
}

/// Does not unwind, so that a poll need not be ready for it.
#[cold]
#[inline(never)]
extern "C" fn announce_now<M: StateMachine, T>(polled: T) -> T {
    let Some(hook) = hook() else { return polled };
    (hook.hear)(&Announcement {
        type_id: type_id_of::<M>(),
        reach: Reach::Walk(walk::<M>),
    });
    #[cfg(feature = "rt")]
    (hook.hear)(&around::<Pin<Box<M>>>());
    polled
}

/// Tells the runtime, if there is one, of a wrapper that is about to wait.
#[cfg(feature = "rt")]
#[cold]
#[inline(never)]
pub(crate) fn announce_around<W: Around>() {
    if let Some(hook) = hook() {
        (hook.hear)(&around::<W>());
        (hook.hear)(&around::<Pin<Box<W>>>());
    }
}

/// Visits the states of a future, if what was announced leads to a machine.
///
/// # Safety
///
/// The future is live, and nothing holds a mutable reference into it.
pub(crate) unsafe fn trace_announced<F>(future: *const F, visit: &mut dyn FnMut(&'static State)) {
    if let Some(hook) = hook() {
        // SAFETY: promised by the caller.
        unsafe { trace_at(future.cast(), type_id_of::<F>(), hook.find, visit) };
    }
}

/// Visits the states of a borrowed future, if what was announced leads to a machine.
pub(crate) fn trace_borrowed<F>(future: &F, visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: it is borrowed.
    unsafe { trace_announced(core::ptr::from_ref(future), visit) };
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
    find: fn(TypeId) -> Option<Reach>,
    visit: &mut dyn FnMut(&'static State),
) {
    while let Some(reach) = find(of) {
        match reach {
            Reach::Walk(walk) => {
                // SAFETY: it was announced for this type, and the caller vouches for the future.
                unsafe { walk(at, visit) };
                break;
            }
            Reach::Within { type_id, find } => {
                // SAFETY: as above.
                at = unsafe { find(at) };
                of = type_id;
            }
        }
    }
}

#[cfg(feature = "rt")]
fn around<W: Around>() -> Announcement {
    Announcement {
        type_id: type_id_of::<W>(),
        reach: Reach::Within {
            type_id: type_id_of::<W::Inner>(),
            find: inner_of::<W>,
        },
    }
}

/// # Safety
///
/// `wrapper` points to a live `W` without a mutable reference to it.
#[cfg(feature = "rt")]
unsafe fn inner_of<W: Around>(wrapper: *const ()) -> *const () {
    // SAFETY: the caller vouches for the type, the life and the absence of other references.
    let wrapper = unsafe { &*wrapper.cast::<W>() };
    core::ptr::from_ref(wrapper.inner()).cast()
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
