//! A coroutine whose type is a parameter of its machine.

use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::coroutine::poll_in_place;
use super::super::position::{CoroutineInput, MachineStage, PackedPtr, ParentLink, Progress};
use super::inline::poll_or_poison;
use super::native_storage::{CoroutineStorage, NestedStorage};
use crate::machine::expansion::waker_check::checked_by;
use crate::machine::state::State;

/// What makes the coroutine `C` of arguments `A`: the machine's type, so that nothing of it is kept.
///
/// # Safety
///
/// `make` puts a coroutine there, and always one of the same function. The coroutine takes each argument once,
/// and it does so before its first await.
pub unsafe trait MakeCoroutine<A, N, C> {
    /// Makes it in its place.
    ///
    /// # Safety
    ///
    /// The place is free, and as `C` has to lie.
    unsafe fn make(given: CoroutineInput<'static, A, N>, place: *mut C);
}

/// Puts a coroutine into its place, where the type of the place is a parameter.
///
/// # Safety
///
/// As for `make` of [`MakeCoroutine`]; and `C` is the type of the coroutine, lifetimes aside.
#[inline]
pub unsafe fn write_coroutine<C, F>(place: *mut C, coroutine: F) {
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
pub enum GenericStorage<A, C, M, N: ParentLink = Progress> {
    /// What a machine is before its first poll: as `Start`.
    #[doc(hidden)]
    Start {
        parent: N::Parent,
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
struct StartLayout<A, N: ParentLink> {
    tag: u8,
    /// The machine that awaits this one, if that is to be told where it lies.
    parent: N::Parent,
    arguments: A,
}

#[repr(C)]
pub(crate) struct RunningLayout<C, N> {
    tag: u8,
    pub(crate) notes: N,
    coroutine: C,
    pinned: PhantomPinned,
}

// SAFETY: what it holds is one of the two, and the caller's progress is written during a poll of the caller alone.
// Said here, and not found out field by field, because the compiler counts each field, too.
unsafe impl<A: Send, C: Send, M, N: ParentLink + Send> Send for GenericStorage<A, C, M, N> {}
// SAFETY: N3: through a shared reference nothing is read but where a trace goes on.
unsafe impl<A: Sync, C: Sync, M, N: ParentLink + Sync> Sync for GenericStorage<A, C, M, N> {}

impl<A, C, M, N: ParentLink> fmt::Debug for GenericStorage<A, C, M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GenericStorage")
            .field(&self.stage())
            .finish()
    }
}

impl<A, C, M, N: ParentLink> GenericStorage<A, C, M, N> {
    /// Keeps the arguments. The function is only asked for its type.
    ///
    /// # Safety
    ///
    /// What it returns is what `M` makes.
    #[inline]
    pub unsafe fn new(arguments: A, _: impl FnOnce(CoroutineInput<'static, A, N>) -> C) -> Self {
        Self::Start {
            parent: N::NONE,
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
        M: MakeCoroutine<A, N, C>,
    {
        // SAFETY: nothing is moved out: the machine is not `Unpin`, and all below is raw pointers.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        let running = this.cast::<RunningLayout<C, N>>();
        // SAFETY: `this` is live, so this is the place of a coroutine.
        let coroutine = unsafe { &raw mut (*running).coroutine };
        // Lives as long as this poll: the coroutine takes the arguments out of it.
        let mut arguments = MaybeUninit::<A>::uninit();
        let mut taken = ptr::null_mut();
        // SAFETY: the tag is a byte at the beginning.
        if unsafe { this.cast::<u8>().read() } == START {
            // SAFETY: N1: it is there at the start.
            let parent = unsafe { (*this.cast::<StartLayout<A, N>>()).parent };
            // SAFETY: the caller is being polled, since it polls this machine, which it owns.
            let parent = unsafe { N::progress(parent).as_ref() };
            let lies_at = this.cast_const().cast();
            if parent.is_some_and(|parent| parent.refuses_poll_at(lies_at, cx)) {
                return Poll::Pending;
            }
            first();
            // SAFETY: N1: at the start the arguments are here, which the tag below ends.
            let start = ManuallyDrop::new(unsafe { this.cast::<StartLayout<A, N>>().read() });
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
            let late = unsafe { CoroutineInput::new(notes.cast_const(), taken) };
            // SAFETY: a place of the variant that the tag names.
            unsafe { M::make(late, coroutine) };
            // SAFETY: N2: written above, and pinned as the machine is.
            let poll = |cx: &mut Context<'_>| unsafe { poll_in_place(coroutine, cx) }.is_ready();
            // SAFETY: as above.
            unsafe { N::pass_arguments(poll, taken.cast()) };
        }
        // SAFETY: N1: the notes are written, and have shared references alone.
        let notes = unsafe { &(*running).notes };
        // SAFETY: N1, N2: the coroutine, pinned as the machine is.
        let polled = poll_or_poison(notes, || unsafe { poll_in_place(coroutine, cx) });
        match polled {
            Poll::Ready(_) => notes.end(),
            Poll::Pending => notes.clear_arguments(taken.cast()),
        }
        polled
    }
}

/// Of a machine that another one awaits by its storage alone. That need not announce itself.
impl<A, C: Future, M: MakeCoroutine<A, N, C>, N: ParentLink> Future for GenericStorage<A, C, M, N> {
    type Output = C::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        let this: *const Self = &raw const *self;
        let suspended_at = || {
            // SAFETY: called behind the poll, by which `self` was reborrowed.
            match unsafe { &*this }.stage() {
                MachineStage::Waiting(state) => Some(state),
                _ => None,
            }
        };
        checked_by(|cx| self.as_mut().run(cx, || ()), cx, suspended_at)
    }
}

impl<A, C, M, N: ParentLink> CoroutineStorage for GenericStorage<A, C, M, N> {
    fn stage(&self) -> MachineStage {
        match self {
            Self::Start { .. } => MachineStage::Start,
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

impl<A, C: Future, M: MakeCoroutine<A, N, C>, N: ParentLink> NestedStorage
    for GenericStorage<A, C, M, N>
{
    type PositionStore = N;

    #[inline]
    fn with_parent(mut self, progress: PackedPtr<Progress>) -> Self {
        if let Self::Start { parent, .. } = &mut self {
            *parent = N::parent(progress);
        }
        self
    }
}
