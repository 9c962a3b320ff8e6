//! A coroutine whose type is a parameter of its machine.

use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::coroutine::poll_in;
use super::super::position::{Calls, Given, Packed, Progress, Stage};
use super::inline::watched;
use super::native_storage::{Nested, Storage};
use crate::machine::expansion::waker_check::checked_by;
use crate::machine::state::State;

/// What makes the coroutine `C` of arguments `A`: the machine's type, so that nothing of it is kept.
///
/// # Safety
///
/// `make` puts a coroutine there, and always one of the same function. The coroutine takes each argument once,
/// and it does so before its first await.
pub unsafe trait Makes<A, N, C> {
    /// Makes it in its place.
    ///
    /// # Safety
    ///
    /// The place is free, and as `C` has to lie.
    unsafe fn make(given: Given<'static, A, N>, place: *mut C);
}

/// Puts a coroutine into its place, where the type of the place is a parameter.
///
/// # Safety
///
/// As for `make` of [`Makes`]; and `C` is the type of the coroutine, lifetimes aside.
#[inline]
pub unsafe fn put<C, F>(place: *mut C, coroutine: F) {
    const { assert!(size_of::<C>() == size_of::<F>() && align_of::<C>() == align_of::<F>()) };
    // SAFETY: promised by the caller.
    unsafe { place.cast::<F>().write(coroutine) };
}

/// The arguments `A` until the first poll, the coroutine `C` from then on. The machine `M` makes that.
///
/// An enum, and not a union of cells: the compiler counts each type around a coroutine on the way into machines
/// that await machines, and refuses a program where they are 128. By its representation it is a union of two
/// structs, `Start` and `Running`, so each field can be written in its place.
///
/// The notes have cells and there are two variants, so a shared reference claims none of its bytes.
#[repr(u8)]
pub enum Open<A, C, M, N: Calls = Progress> {
    /// What a machine is before its first poll: as `Start`.
    #[doc(hidden)]
    Start {
        caller: N::Caller,
        arguments: A,
        machine: PhantomData<fn() -> M>,
    } = START,
    /// What it is from then on, also when it has returned: as `Running`.
    #[doc(hidden)]
    Running {
        notes: N,
        coroutine: C,
        pinned: PhantomPinned,
    } = RUNNING,
}

const START: u8 = 0;
pub(crate) const RUNNING: u8 = 1;

#[repr(C)]
struct Start<A, N: Calls> {
    tag: u8,
    /// The machine that awaits this one, if that is to be told where it lies.
    caller: N::Caller,
    arguments: A,
}

#[repr(C)]
pub(crate) struct Running<C, N> {
    tag: u8,
    pub(crate) notes: N,
    coroutine: C,
    pinned: PhantomPinned,
}

// SAFETY: what it holds is one of the two, and the caller's progress is written during a poll of the caller alone.
// Said here, and not found out field by field, because the compiler counts each field, too.
unsafe impl<A: Send, C: Send, M, N: Calls + Send> Send for Open<A, C, M, N> {}
// SAFETY: N3: through a shared reference nothing is read but where a trace goes on.
unsafe impl<A: Sync, C: Sync, M, N: Calls + Sync> Sync for Open<A, C, M, N> {}

impl<A, C, M, N: Calls> fmt::Debug for Open<A, C, M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Open").field(&self.stage()).finish()
    }
}

impl<A, C, M, N: Calls> Open<A, C, M, N> {
    /// Keeps the arguments. The function is only asked for its type.
    ///
    /// # Safety
    ///
    /// What it returns is what `M` makes.
    #[inline]
    pub unsafe fn new(arguments: A, _: impl FnOnce(Given<'static, A, N>) -> C) -> Self {
        Self::Start {
            caller: N::NOBODY,
            arguments,
            machine: PhantomData,
        }
    }

    /// Polls the coroutine, which the first poll makes.
    ///
    /// # Panics
    ///
    /// If the coroutine panics; it does so when it has returned before.
    #[inline]
    pub fn run(self: Pin<&mut Self>, cx: &mut Context<'_>, first: impl FnOnce()) -> Poll<C::Output>
    where
        C: Future,
        M: Makes<A, N, C>,
    {
        // SAFETY: nothing is moved out: the machine is not `Unpin`, and all below is raw pointers.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        let running = this.cast::<Running<C, N>>();
        // SAFETY: `this` is live, so this is the place of a coroutine.
        let coroutine = unsafe { &raw mut (*running).coroutine };
        // Lives as long as this poll: the coroutine takes the arguments out of it.
        let mut arguments = MaybeUninit::<A>::uninit();
        let mut taken = ptr::null_mut();
        // SAFETY: the tag is a byte at the beginning.
        if unsafe { this.cast::<u8>().read() } == START {
            // SAFETY: N1: it is there at the start.
            let caller = unsafe { (*this.cast::<Start<A, N>>()).caller };
            // SAFETY: the caller is being polled, since it polls this machine, which it owns.
            let caller = unsafe { N::progress(caller).as_ref() };
            let lies_at = this.cast_const().cast();
            if caller.is_some_and(|caller| caller.refuses_at(lies_at, cx)) {
                return Poll::Pending;
            }
            first();
            // SAFETY: N1: at the start the arguments are here, which the tag below ends.
            let start = ManuallyDrop::new(unsafe { this.cast::<Start<A, N>>().read() });
            // SAFETY: the value around is not dropped.
            arguments.write(unsafe { ptr::read(&raw const start.arguments) });
            // SAFETY: the tag is a byte at the beginning; the arguments and all else are out.
            unsafe { this.cast::<u8>().write(RUNNING) };
            // SAFETY: a place of the variant that the tag names.
            let notes = unsafe { &raw mut (*running).notes };
            // SAFETY: as above.
            unsafe { notes.write(N::NEW) };
            // One pointer for all: another one would end what the coroutine has of the first.
            taken = arguments.as_mut_ptr();
            // SAFETY: written above; from here on it is read through shared references alone.
            unsafe { &*notes }.start(taken.cast());
            // SAFETY: N2, N5: the machine is pinned from now on.
            let late = unsafe { Given::new(notes.cast_const(), taken) };
            // SAFETY: a place of the variant that the tag names.
            unsafe { M::make(late, coroutine) };
            // SAFETY: N2: written above, and pinned as the machine is.
            let poll = |cx: &mut Context<'_>| unsafe { poll_in(coroutine, cx) }.is_ready();
            // SAFETY: as above.
            unsafe { N::hand(poll, taken.cast()) };
        }
        // SAFETY: N1: the notes are written, and have shared references alone.
        let notes = unsafe { &(*running).notes };
        // SAFETY: N1, N2: the coroutine, pinned as the machine is.
        let polled = watched(notes, || unsafe { poll_in(coroutine, cx) });
        match polled {
            Poll::Ready(_) => notes.end(),
            Poll::Pending => notes.forget(taken.cast()),
        }
        polled
    }
}

/// Of a machine that another one awaits by its storage alone. That need not announce itself.
impl<A, C: Future, M: Makes<A, N, C>, N: Calls> Future for Open<A, C, M, N> {
    type Output = C::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        let this: *const Self = &raw const *self;
        let waits_at = || {
            // SAFETY: called behind the poll, by which `self` was reborrowed.
            match unsafe { &*this }.stage() {
                Stage::Waiting(state) => Some(state),
                _ => None,
            }
        };
        checked_by(|cx| self.as_mut().run(cx, || ()), cx, waits_at)
    }
}

impl<A, C, M, N: Calls> Storage for Open<A, C, M, N> {
    fn stage(&self) -> Stage {
        match self {
            Self::Start { .. } => Stage::Start,
            Self::Running { notes, .. } => notes.stage(),
        }
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        let base = ptr::from_ref(self).cast();
        if let Self::Running { notes, .. } = self {
            // SAFETY: a poll has the machine to itself, so none is going on.
            unsafe { notes.trace(base, visit) };
        }
    }
}

impl<A, C: Future, M: Makes<A, N, C>, N: Calls> Nested for Open<A, C, M, N> {
    type Notes = N;

    #[inline]
    fn awaited_by(mut self, progress: Packed<Progress>) -> Self {
        if let Self::Start { caller, .. } = &mut self {
            *caller = N::caller(progress);
        }
        self
    }
}
