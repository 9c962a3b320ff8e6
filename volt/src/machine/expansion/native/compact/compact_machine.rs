//! Machines with a [`CompactStorage`](super::CompactStorage), created and polled by address.

use core::future::Future;
use core::mem::MaybeUninit;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::coroutine::{CoroutineInfo, FIRST_SUSPEND, Measured, RETURNED, UNRESUMED};
use super::super::position::{AwaitCount, MacroSite, SlotSource, fill_slot, suspended_at};
use super::super::storage::register_on_first_poll;
use super::compact_accessor::CompactAccessor;
use super::compact_storage::Place;
use super::suspend_table::{SlotsOf, SuspendTable};
use crate::machine::expansion::waker_check::report_noted;
use volt_inspect::machine::{Introspect, Register};

/// A machine that begins with a [`CompactStorage`](super::CompactStorage) of arguments `A`.
///
/// # Safety
///
/// The machine is `repr(C)`. The fields after the storage have size zero and no alignment.
pub unsafe trait CompactMachine<A> {}

/// Creates a machine from its arguments.
#[inline]
#[must_use]
pub fn new_compact<M, A, T>(arguments: A) -> M
where
    M: CompactMachine<A> + CoroutineInfo + Introspect<Accessor = CompactAccessor<T>>,
    T: SuspendTable,
{
    const { assert_fits::<M>(&M::RECURSIVE_MACHINE_NEEDS_BOX_PIN) };
    let mut machine = MaybeUninit::<M>::uninit();
    let place = Place::of::<M>(machine.as_mut_ptr().cast());
    // SAFETY: it is a new machine.
    unsafe { place.write_arguments(arguments) };
    // SAFETY: it is a new machine, and the arguments are beside the tag.
    unsafe { place.set_unresumed() };
    // SAFETY: all bytes of the storage may be uninitialized, and no other field has any bytes.
    unsafe { machine.assume_init() }
}

/// Polls the coroutine of a machine, which the first poll creates.
#[inline]
pub fn poll_compact<M, A, T>(machine: Pin<&mut M>, cx: &mut Context<'_>) -> Poll<M::Output>
where
    M: CompactMachine<A>
        + Introspect<Accessor = CompactAccessor<T>>
        + CoroutineInfo
        + Future
        + Register,
    T: SuspendTable,
{
    // SAFETY: nothing is moved out. All code below uses raw pointers.
    let this: *mut M = unsafe { Pin::get_unchecked_mut(machine) };
    let slot = this.cast::<()>();
    let place = Place::of::<M>(slot);
    // It is live during this poll: the coroutine moves the arguments out of it.
    let mut arguments = MaybeUninit::<A>::uninit();
    // SAFETY: the machine is live.
    if unsafe { place.stage() } == UNRESUMED {
        register_on_first_poll::<M>();
        // SAFETY: N1: at the start the arguments are there, which the coroutine ends.
        arguments.write(unsafe { place.read_arguments::<A>() });
        // SAFETY: N2, N5: the machine is pinned from now on. The slot has the size and alignment
        // of the coroutine, and the arguments are moved out.
        unsafe { M::VTABLE.make(ptr::null(), arguments.as_mut_ptr().cast(), slot) };
        // SAFETY: the coroutine was created.
        unsafe { place.enter() };
    }
    // SAFETY: N1, N2: there is a coroutine of this vtable, pinned because the machine is.
    let poll = |cx: &mut Context<'_>| unsafe { M::VTABLE.poll::<M::Output>(slot, cx) };
    // SAFETY: the coroutine is there.
    unsafe { poll_recorded::<T, SlotsOf<(), T>, _>(place, (slot, size_of::<M>()), cx, poll) }
}

/// Polls a coroutine in a machine of an address and a size, and records where it is suspended.
///
/// # Safety
///
/// There is a coroutine in the place, which `poll` polls.
#[inline]
pub(super) unsafe fn poll_recorded<T: SuspendTable, S: SlotSource, R>(
    place: Place,
    (machine, size): (*mut (), usize),
    cx: &mut Context<'_>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<R>,
) -> Poll<R> {
    let (panic, count) = (PanicStage(place), AwaitCount::begin());
    let entered = T::HIDES_AWAITS.then(|| {
        // SAFETY: there is a coroutine, which is not being polled.
        MacroSite::begin::<S>(unsafe { place.suspend_point() })
    });
    let polled = poll(cx);
    drop(count);
    core::mem::forget(panic);
    if polled.is_ready() {
        // SAFETY: the coroutine has returned.
        unsafe { place.leave(RETURNED) };
    } else {
        // SAFETY: the coroutine is suspended.
        unsafe { place.leave(FIRST_SUSPEND) };
        // SAFETY: as above.
        let index = unsafe { place.suspend_point() };
        fill_slot::<S>(index, (machine.cast_const(), size), T::HIDES_AWAITS);
        report_noted(cx, || {
            let (site, _) = suspended_at(S::known(), index)?;
            Some(site.state)
        });
    }
    drop(entered);
    polled
}

/// Records a panic in a machine with a stage of its own.
struct PanicStage(Place);

impl Drop for PanicStage {
    fn drop(&mut self) {
        // SAFETY: the coroutine has panicked.
        unsafe { self.0.panic() };
    }
}

/// Checks that the layout fits in the machine.
const fn assert_fits<M>(measured: &Measured) {
    assert!(
        measured.size == size_of::<M>() && measured.align <= align_of::<M>(),
        "the storage of a machine has the layout of its coroutine"
    );
}
