//! `CompactAccessor`: the state of a machine that stores only its coroutine.

use core::marker::PhantomData;
use core::pin::Pin;

use super::super::coroutine::{CoroutineInfo, PANICKED, RETURNED, UNRESUMED};
use super::super::position::{Site, suspended_at};
use super::compact_storage::{Place, SuspendTable};
use crate::machine::walk::Walk;
use volt_inspect::Inspector;
use volt_inspect::machine::{Accessor, ExpandedAccessor, PositionLayout, State, Tables};

/// The accessor of machines with the tables and suspend points of `T`.
#[derive(Debug)]
pub struct CompactAccessor<T>(PhantomData<fn() -> T>);

impl<T> ExpandedAccessor for CompactAccessor<T> {}

impl<M: CoroutineInfo, T: SuspendTable> Accessor<M> for CompactAccessor<T> {
    const TABLES: &'static Tables = T::TABLES;
    const POSITION: PositionLayout = {
        let layout = M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.layout;
        match (layout.tag, layout.own_stage) {
            (Some(tag), stage) if tag.size == 1 => PositionLayout::Suspended {
                stage: match stage {
                    Some(offset) => offset,
                    None => tag.offset,
                },
                tag: tag.offset,
                tables: T::TABLES,
                slots: T::SLOTS,
            },
            _ => PositionLayout::Unknown,
        }
    };

    unsafe fn state(machine: &M) -> &'static State {
        // SAFETY: a shared reference exists, so the machine is not being polled.
        unsafe { state::<M, T>(core::ptr::from_ref(machine).cast()) }
    }

    unsafe fn trace(machine: &M, visit: &mut dyn FnMut(&'static State)) {
        let machine = core::ptr::from_ref(machine).cast();
        // SAFETY: as above.
        unsafe { walk::<M, T>(machine, &mut Walk::States(visit)) };
    }

    unsafe fn inspect(machine: Pin<&mut M>, inspector: &mut Inspector<'_>) {
        // SAFETY: nothing is moved out.
        let machine: *mut M = unsafe { Pin::get_unchecked_mut(machine) };
        // SAFETY: the caller has exclusive access to the machine.
        unsafe { walk::<M, T>(machine.cast_const().cast(), &mut Walk::Tree(inspector)) };
    }
}

/// Returns the site at which a machine waits, and the address of the awaited future, if the
/// attribute sees that.
///
/// # Safety
///
/// There is such a machine at the address, which is not being polled.
pub(super) unsafe fn waiting<M: CoroutineInfo, T: SuspendTable>(
    machine: *const (),
) -> Option<(&'static Site, Option<*const ()>)> {
    let place = Place::of::<M>(machine.cast_mut());
    // SAFETY: promised by the caller.
    if let UNRESUMED | RETURNED | PANICKED = unsafe { place.stage() } {
        return None;
    }
    // SAFETY: by its stage, there is a suspended coroutine.
    let (site, offset) = suspended_at(T::SLOTS, unsafe { place.suspend_point() })?;
    // SAFETY: the awaited future is in the coroutine.
    let future = offset.map(|offset| unsafe { machine.byte_add(offset) });
    Some((site, future))
}

/// Returns the state of a machine.
///
/// # Safety
///
/// The same as for `waiting`.
unsafe fn state<M: CoroutineInfo, T: SuspendTable>(machine: *const ()) -> &'static State {
    // SAFETY: promised by the caller.
    let stage = unsafe { Place::of::<M>(machine.cast_mut()).stage() };
    match stage {
        UNRESUMED => &T::TABLES.states[0],
        RETURNED => &T::TABLES.states[T::TABLES.states.len() - 1],
        PANICKED => &T::TABLES.own[1],
        // SAFETY: promised by the caller.
        _ => unsafe { waiting::<M, T>(machine) }.map_or(&T::TABLES.own[0], |(site, _)| site.state),
    }
}

/// Walks a machine.
///
/// # Safety
///
/// The same as for `waiting`, and the pointer is to all of the machine. In a walk as a tree the
/// caller has exclusive access to it, and the pointer may write.
unsafe fn walk<M: CoroutineInfo, T: SuspendTable>(machine: *const (), walk: &mut Walk<'_, '_>) {
    // SAFETY: promised by the caller.
    let state = unsafe { state::<M, T>(machine) };
    walk.enter(state, T::TABLES, |walk| {
        // SAFETY: promised by the caller.
        if let Some((site, Some(future))) = unsafe { waiting::<M, T>(machine) } {
            // SAFETY: the future of the suspend point is there, and pinned.
            unsafe { (site.trace)(future, walk) };
        }
    });
}
