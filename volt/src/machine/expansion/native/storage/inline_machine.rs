//! Machines with an `Inline` storage, created and polled by address.
//!
//! Expanded code names no field of such a struct. So if the name of the struct is already in use,
//! that is the only error of the compiler.

use core::future::Future;
use core::mem::MaybeUninit;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::coroutine::{CoroutineInfo, Measured};
use super::super::position::PositionStore;
use super::inline::{poll_or_poison, slot_offset};
use super::machine_header::HeaderAccessor;
use super::native_storage::register_on_first_poll;
use crate::machine::expansion::max_size::assert_fits_inline;
use volt_inspect::machine::Introspect;
use volt_inspect::machine::Register;

/// A machine that stores arguments `A`, and then its coroutine, in an [`Inline`](super::Inline).
///
/// # Safety
///
/// The machine is `repr(C)`. It begins with an `Inline` of these arguments and of the position that
/// its accessor names. The fields after it have size zero and no alignment.
pub unsafe trait InlineMachine<A> {}

/// Creates a machine from its arguments.
#[inline]
#[must_use]
pub fn new_inline<M, A, T, N>(arguments: A) -> M
where
    M: InlineMachine<A> + Introspect<Accessor = HeaderAccessor<T, N>>,
    N: PositionStore,
{
    let mut machine = MaybeUninit::<M>::uninit();
    let place = machine.as_mut_ptr();
    // SAFETY: the machine begins with its position.
    unsafe { place.cast::<N>().write(N::NEW) };
    // SAFETY: the slot has the size and alignment of the arguments.
    let slot = unsafe { place.byte_add(slot_offset::<M, N>()).cast::<A>() };
    // SAFETY: as above.
    unsafe { slot.write(arguments) };
    // SAFETY: the other bytes of the slot may be uninitialized, and no other field has any bytes.
    unsafe { machine.assume_init() }
}

/// Polls the coroutine of a machine, which the first poll creates.
#[inline]
pub fn poll_inline<M, A, T, N>(machine: Pin<&mut M>, cx: &mut Context<'_>) -> Poll<M::Output>
where
    M: InlineMachine<A>
        + Introspect<Accessor = HeaderAccessor<T, N>>
        + CoroutineInfo
        + Future
        + Register,
    N: PositionStore,
{
    const { fits::<M, N>(&M::RECURSIVE_MACHINE_NEEDS_BOX_PIN) };
    // SAFETY: nothing is moved out. All code below uses raw pointers.
    let this: *mut M = unsafe { Pin::get_unchecked_mut(machine) };
    // SAFETY: `this` is live, and begins with its position; a cell may be shared.
    let progress = unsafe { &*this.cast::<N>() };
    // SAFETY: a place of a live value, without a reference to it.
    let slot = unsafe { this.byte_add(slot_offset::<M, N>()).cast::<()>() };
    // It is live during this poll: the coroutine moves the arguments out of it.
    let mut arguments = MaybeUninit::<A>::uninit();
    let mut taken = ptr::null_mut();
    // SAFETY: N1, N2: after the start there is a coroutine of this vtable, pinned because the
    // machine is.
    let poll = |cx: &mut Context<'_>| unsafe { M::VTABLE.poll::<M::Output>(slot, cx) };
    if progress.is_start() {
        register_on_first_poll::<M>();
        // SAFETY: N1: at the start the slot holds the arguments, which `start` below ends.
        arguments.write(unsafe { slot.cast::<A>().read() });
        // One pointer for all uses: another one would invalidate the coroutine's copy of the first.
        taken = arguments.as_mut_ptr().cast();
        progress.start(taken);
        let position = ptr::from_ref(progress).cast();
        // SAFETY: N2, N5: the machine is pinned from now on. `fits` has checked size and alignment,
        // and the arguments are moved out.
        unsafe { M::VTABLE.make(position, taken, slot) };
        // SAFETY: made above.
        unsafe { N::pass_arguments(|cx| poll(cx).is_ready(), taken) };
    }
    let polled = poll_or_poison(progress, cx, poll);
    match polled {
        Poll::Ready(_) => progress.end(),
        Poll::Pending => progress.clear_arguments(taken),
    }
    polled
}

/// Checks that the coroutine fits in the slot.
const fn fits<M, N>(coroutine: &Measured) {
    assert_fits_inline(coroutine.size, size_of::<M>() - slot_offset::<M, N>());
    assert!(
        coroutine.align <= align_of::<M>(),
        "the coroutine's alignment is larger than its machine's"
    );
}
