//! `CompactCoroutine`: a coroutine that is created together with its machine.
//!
//! A coroutine with type parameters is a type parameter of its machine, and all that this stores.
//! An `async fn` stores its arguments twice: as they were passed, and as locals. This coroutine
//! captures none of them:
//!
//! 1. The function of the machine creates the coroutine and polls it. Its first statement moves the
//!    arguments to a local, and then it waits at a [`StartGate`].
//! 2. The function returns the machine, so it moves the coroutine. No reference into the coroutine
//!    is there yet: it has run no code of the user, and the gate has no fields.
//! 3. The first poll of the machine resumes the coroutine, which binds the parameters.
//!
//! In all other states the memory of that local has other values.
//!
//! A method has its receiver as a parameter, so its coroutine captures that and all arguments, and
//! is not polled when it is created. A coroutine that has begun must not move with captured
//! references. A coroutine without awaits captures its arguments, too, because the local of the
//! gate has padding.

use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::MaybeUninit;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll, Waker};

use super::super::await_site::Tracer;
use super::super::compact_await::{begin_compact, poll_compact_await};
use super::super::coroutine::{CompactLayout, poll_in_place};
use super::super::position::{Compact, CompactPtr, CoroutineInput, MachineStage, Table, pass};
use super::super::storage::CoroutineStorage;
use super::compact_accessor::CompactAccess;
use super::compact_machine::poll_recorded;
use super::compact_storage::Place;
use super::suspend_table::{SlotsOf, SuspendTable};
use crate::machine::walk::Walk;

/// The type parameters of a storage, which do not determine its bytes.
type Parameters<A, M, T> = fn() -> (A, M, T);

/// A coroutine `C` of a machine `M` that was created from arguments `A`, with the table `T`.
///
/// Its field is the coroutine itself, without a cell. The compiler counts each type around a
/// coroutine on the path into machines that await machines. The coroutine has a
/// [`CompactCapture`](super::super::position::CompactCapture), so a shared reference to it claims
/// none of its bytes.
#[repr(C)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct CompactCoroutine<A, C, M, T> {
    coroutine: C,
    parameters: PhantomData<Parameters<A, M, T>>,
    pinned: PhantomPinned,
}

// SAFETY: the coroutine has the arguments in a `HeldArguments`, which is `Send` in any case. So
// both have to be.
unsafe impl<A: Send, C: Send, M, T> Send for CompactCoroutine<A, C, M, T> {}
// SAFETY: as above.
unsafe impl<A: Sync, C: Sync, M, T> Sync for CompactCoroutine<A, C, M, T> {}

impl<A, C, M, T> fmt::Debug for CompactCoroutine<A, C, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompactCoroutine").finish_non_exhaustive()
    }
}

impl<A, C, M, T> CompactCoroutine<A, C, M, T> {
    /// Creates the coroutine with its arguments. No code of the user runs.
    ///
    /// # Safety
    ///
    /// `make` creates the coroutine of the table's function, which moves each argument out once:
    /// when it is created, or before its first suspend point. If the table is gated, that point is
    /// a `StartGate`, and no reference into the coroutine is live there.
    #[inline]
    pub unsafe fn start(
        arguments: A,
        make: impl FnOnce(CoroutineInput<'static, A, Compact>) -> C,
    ) -> Self
    where
        C: Future,
        T: SuspendTable,
    {
        let mut arguments = MaybeUninit::new(arguments);
        let place = arguments.as_mut_ptr();
        // SAFETY: a coroutine of this kind has no position. The arguments are live in this call.
        let input = unsafe { CoroutineInput::new(ptr::null(), place) };
        let mut this = Self {
            coroutine: make(input),
            parameters: PhantomData,
            pinned: PhantomPinned,
        };
        if T::IS_GATED {
            pass(place.cast_const().cast());
            let cx = &mut Context::from_waker(Waker::noop());
            // SAFETY: the coroutine moves after this poll. It has no reference into itself before
            // the next one, which finds it pinned.
            let polled = unsafe { poll_in_place(&raw mut this.coroutine, cx) };
            debug_assert!(polled.is_pending(), "it waits for its start");
            let place = Place::at((&raw mut this).cast(), Self::LAYOUT);
            // SAFETY: the coroutine waits at the gate.
            unsafe { place.begin() };
        }
        this
    }
}

impl<A, C, M, T: SuspendTable> CompactCoroutine<A, C, M, T> {
    const LAYOUT: CompactLayout = CompactLayout::of_coroutine::<C>(T::IS_GATED);
    const ACCESS: &'static CompactAccess = &CompactAccess::of::<T, SlotsOf<C, T>>(Self::LAYOUT);
}

impl<A, C: Future, M, T: SuspendTable> CompactCoroutine<A, C, M, T> {
    /// Polls the coroutine. Calls `first` before the first poll.
    ///
    /// # Panics
    ///
    /// Panics if the coroutine panics. It does so if it has returned before.
    #[inline]
    pub fn run(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        first: impl FnOnce(),
    ) -> Poll<C::Output> {
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        let place = Place::at(this.cast(), const { Self::LAYOUT });
        // SAFETY: the coroutine is live.
        if unsafe { place.may_be_new() } {
            first();
        }
        // SAFETY: it is the first field, and pinned because the machine is.
        let poll = |cx: &mut Context<'_>| unsafe { poll_in_place(this.cast::<C>(), cx) };
        let machine = (this.cast(), size_of::<C>());
        // SAFETY: the coroutine is there.
        unsafe { poll_recorded::<T, SlotsOf<C, T>, _>(place, machine, cx, poll) }
    }
}

/// The future of a machine that another one awaits by its coroutine alone. It need not be
/// registered.
impl<A, C: Future, M, T: SuspendTable> Future for CompactCoroutine<A, C, M, T> {
    type Output = C::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        // SAFETY: nothing is moved out.
        let this: *const Self = unsafe { self.as_mut().get_unchecked_mut() };
        poll_compact_await(this.cast(), cx, |cx| self.run(cx, || ()))
    }
}

impl<A, C, M, T: SuspendTable> CoroutineStorage for CompactCoroutine<A, C, M, T> {
    fn stage(&self) -> MachineStage {
        // SAFETY: a poll has exclusive access to the machine, so none is running.
        unsafe { Self::ACCESS.stage(ptr::from_ref(self).cast()) }
    }

    fn walk(&self, walk: &mut Walk<'_, '_>) {
        // SAFETY: as above. A walk as a tree has exclusive access to the machine.
        unsafe { Self::ACCESS.walk_awaited(ptr::from_ref(self).cast(), walk) };
    }
}

/// Begins the await of the coroutine of a machine, in a compact machine.
#[inline]
pub(in super::super) fn await_coroutine<F, M: Table, T: Tracer<F>, const INDEX: usize, A>(
    coroutine: F,
    _: CompactPtr<'_, A>,
) -> F {
    begin_compact::<F, M, T, INDEX>();
    coroutine
}
