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

use core::any::TypeId;

use super::introspect::{ExpandedAccessor, Introspect};
use super::state_machine::StateMachine;
use crate::description::{PositionLayout, State};
use crate::inspect::Registrable;
use crate::registry::{TraceFn, TypeFacts, WalkBy, find, has_hook, register_traced};
use crate::type_id::type_id_of;

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
pub unsafe trait Register: StateMachine + Registrable {}

#[diagnostic::do_not_recommend]
// SAFETY: the promise of `Introspect` for accessors of expanded machines.
unsafe impl<M: Introspect> Register for M where M::Accessor: ExpandedAccessor {}

#[diagnostic::do_not_recommend]
// SAFETY: as above.
unsafe impl<M: Introspect> Registrable for M where M::Accessor: ExpandedAccessor {}

/// A future around another one, whose state is that of the inner future.
///
/// The inner future may have references into itself, which a reference to it would invalidate. So
/// the trait has an offset, and no code borrows the inner future.
///
/// # Safety
///
/// At the offset there is a future of type `Inner` for as long as the wrapper lives.
pub unsafe trait Wrapper: Registrable {
    /// The inner future.
    type Inner;

    /// The offset of the inner future in the wrapper.
    const OFFSET: usize;
}

/// Registers the type of a machine that is polled for the first time, if there is a runtime.
#[inline]
pub fn register<M: Register>() {
    if has_hook() {
        register_type::<M>();
    }
}

/// Registers a type of machines, if there is a runtime. It does not unwind, so a poll needs no
/// landing pad for it.
#[cold]
#[inline(never)]
pub extern "C" fn register_type<M: Register>() {
    register_traced::<M>(
        const {
            let walk = match M::ACCESS {
                Some(access) => WalkBy::Machine(access),
                None => WalkBy::Call(walk::<M>),
            };
            let tables = M::TABLES;
            &TypeFacts::traced::<M>(TraceFn::Machine { walk, tables }, M::POSITION)
        },
    );
}

/// Registers the type of a wrapper that is about to wait, if there is a runtime.
#[cold]
#[inline(never)]
pub fn register_wrapper<W: Wrapper>() {
    let type_id = type_id_of::<W::Inner>();
    let find = inner_of_wrapper::<W>;
    let offset = W::OFFSET;
    register_traced::<W>(&TypeFacts::traced::<W>(
        TraceFn::Inner { type_id, find },
        PositionLayout::Field { offset, type_id },
    ));
}

/// Visits the states of a future, if the registrations lead to a machine.
///
/// # Safety
///
/// The future is live, and nothing has a mutable reference into it.
pub unsafe fn trace_registered<F>(future: *const F, visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: promised by the caller.
    unsafe { trace_at(future.cast(), type_id_of::<F>(), visit) };
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
/// `at` is the address of a live future of type `of`, and nothing has a mutable reference into it.
pub unsafe fn trace_at(mut at: *const (), mut of: TypeId, visit: &mut dyn FnMut(&'static State)) {
    while let Some(trace_fn) = find(of).and_then(|found| found.trace_fn) {
        match trace_fn {
            TraceFn::Machine { walk, .. } => {
                match walk {
                    // SAFETY: the function is registered for this type, and the caller promises
                    // that the future is live.
                    WalkBy::Call(walk) => unsafe { walk(at, visit) },
                    // SAFETY: as above.
                    WalkBy::Machine(access) => unsafe { access.trace(at, visit) },
                }
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

/// # Safety
///
/// `wrapper` points to a live `W`.
unsafe fn inner_of_wrapper<W: Wrapper>(wrapper: *const ()) -> *const () {
    // SAFETY: the implementation of `Wrapper` promises the offset.
    unsafe { wrapper.byte_add(W::OFFSET) }
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
