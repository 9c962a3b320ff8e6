//! The storage of a coroutine whose type is a parameter of its machine.

use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::coroutine::poll_in_place;
use super::super::position::{
    CoroutineInput, MachinePtr, MachineStage, ParentLink, Progress, note_pending,
};
use super::inline::poll_or_poison;
use super::native_storage::{CoroutineStorage, NestedStorage};
use crate::machine::expansion::waker_check::checked_by;
use crate::machine::walk::Walk;

/// A machine type that creates the coroutine `C` from arguments `A`, so that no function has to be
/// stored.
///
/// # Safety
///
/// `make` writes a coroutine to the place, and always one of the same function. The coroutine moves
/// each argument out once, before its first await.
pub unsafe trait MakeCoroutine<A, N, C> {
    /// Creates the coroutine in its place.
    ///
    /// # Safety
    ///
    /// The place is free, and has the size and alignment of `C`.
    unsafe fn make(given: CoroutineInput<'static, A, N>, place: *mut C);
}

/// Writes a coroutine to its place, whose type is a parameter.
///
/// # Safety
///
/// The requirements of `make` of [`MakeCoroutine`] hold, and `C` is the type of the coroutine,
/// lifetimes aside.
#[inline]
pub unsafe fn write_coroutine<C, F>(place: *mut C, coroutine: F) {
    const { assert!(size_of::<C>() == size_of::<F>() && align_of::<C>() == align_of::<F>()) };
    // SAFETY: promised by the caller.
    unsafe { place.cast::<F>().write(coroutine) };
}

/// The arguments `A` until the first poll, the coroutine `C` from then on. The machine `M` creates
/// the coroutine.
///
/// It is an enum, and not a union of cells. The compiler counts each type around a coroutine on the
/// path into machines that await machines, and rejects a program with 128 of them. By its
/// representation it is a union of two structs, `StartLayout` and `RunningLayout`, so each field
/// can be written in its place.
///
/// The position has cells and there are two variants, so a shared reference claims none of its
/// bytes.
#[repr(u8)]
pub enum GenericStorage<A, C, M, N: ParentLink = Progress> {
    /// The contents before the first poll. They have the layout of `StartLayout`.
    #[doc(hidden)]
    Start {
        parent: N::Parent,
        arguments: A,
        machine: PhantomData<fn() -> M>,
    } = START,
    /// The contents from then on, also when the machine has returned. They have the layout of
    /// `RunningLayout`.
    #[doc(hidden)]
    Running {
        position: N,
        coroutine: C,
        pinned: PhantomPinned,
    } = RUNNING,
}

const START: u8 = 0;
pub(crate) const RUNNING: u8 = 1;

#[repr(C)]
struct StartLayout<A, N: ParentLink> {
    tag: u8,
    /// The link to the machine that awaits this one, if that records its address.
    parent: N::Parent,
    arguments: A,
}

#[repr(C)]
pub(crate) struct RunningLayout<C, N> {
    tag: u8,
    pub(crate) position: N,
    coroutine: C,
    pinned: PhantomPinned,
}

// SAFETY: it contains one of the two, and the awaiting machine's progress is written only during a
// poll of that machine. The implementation is explicit, because the compiler would count each
// field, too.
unsafe impl<A: Send, C: Send, M, N: ParentLink + Send> Send for GenericStorage<A, C, M, N> {}
// SAFETY: N3: through a shared reference only the fields are read in which a trace continues.
unsafe impl<A: Sync, C: Sync, M, N: ParentLink + Sync> Sync for GenericStorage<A, C, M, N> {}

impl<A, C, M, N: ParentLink> fmt::Debug for GenericStorage<A, C, M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GenericStorage")
            .field(&self.stage())
            .finish()
    }
}

impl<A, C, M, N: ParentLink> GenericStorage<A, C, M, N> {
    /// Stores the arguments. The function is used only for its type.
    ///
    /// # Safety
    ///
    /// The output of the function is the coroutine that `M` creates.
    #[inline]
    pub unsafe fn new(arguments: A, _: impl FnOnce(CoroutineInput<'static, A, N>) -> C) -> Self {
        Self::Start {
            parent: N::NONE,
            arguments,
            machine: PhantomData,
        }
    }

    /// Polls the coroutine, which the first poll creates.
    ///
    /// # Panics
    ///
    /// Panics if the coroutine panics. It does so if it has returned before.
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
        // It is live during this poll: the coroutine moves the arguments out of it.
        let mut arguments = MaybeUninit::<A>::uninit();
        let mut taken = ptr::null_mut();
        // SAFETY: the tag is a byte at the beginning.
        if unsafe { this.cast::<u8>().read() } == START {
            // SAFETY: N1: at the start the link is there.
            let parent = unsafe { (*this.cast::<StartLayout<A, N>>()).parent };
            // SAFETY: the awaiting machine is being polled, because it owns and polls this machine.
            let parent = unsafe { N::progress(parent).as_ref() };
            let lies_at = this.cast_const().cast();
            if parent.is_some_and(|parent| parent.refuses_poll_at(lies_at, cx)) {
                return Poll::Pending;
            }
            first();
            // SAFETY: N1: at the start the arguments are here, which the tag below ends.
            let start = ManuallyDrop::new(unsafe { this.cast::<StartLayout<A, N>>().read() });
            // SAFETY: the value around it is not dropped.
            arguments.write(unsafe { ptr::read(&raw const start.arguments) });
            // SAFETY: the tag is a byte at the beginning; the arguments and all else are out.
            unsafe { this.cast::<u8>().write(RUNNING) };
            // SAFETY: a place of the variant that the tag names.
            let position = unsafe { &raw mut (*running).position };
            // SAFETY: as above.
            unsafe { position.write(N::NEW) };
            // One pointer for all uses: another one would invalidate the coroutine's copy of the
            // first.
            taken = arguments.as_mut_ptr();
            // SAFETY: written above; from here on it is read through shared references alone.
            unsafe { &*position }.start(taken.cast());
            // SAFETY: N2, N5: the machine is pinned from now on.
            let input = unsafe { CoroutineInput::new(position.cast_const(), taken) };
            // SAFETY: a place of the variant that the tag names.
            unsafe { M::make(input, coroutine) };
            // SAFETY: N2: written above, and pinned as the machine is.
            let poll = |cx: &mut Context<'_>| unsafe { poll_in_place(coroutine, cx) }.is_ready();
            // SAFETY: as above.
            unsafe { N::pass_arguments(poll, taken.cast()) };
        }
        // SAFETY: N1: the position is written, and has only shared references.
        let position = unsafe { &(*running).position };
        // SAFETY: N1, N2: the coroutine is pinned because the machine is.
        let polled = poll_or_poison(position, cx, |cx| unsafe { poll_in_place(coroutine, cx) });
        match polled {
            Poll::Ready(_) => position.end(),
            Poll::Pending => position.clear_arguments(taken.cast()),
        }
        polled
    }
}

/// The future of a machine that another one awaits by its storage alone. It need not be registered.
impl<A, C: Future, M: MakeCoroutine<A, N, C>, N: ParentLink> Future for GenericStorage<A, C, M, N> {
    type Output = C::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        let this: *const Self = &raw const *self;
        // SAFETY: called after the poll, which had reborrowed `self`.
        let suspended_at = || unsafe { &*this }.stage().waiting();
        let polled = checked_by(|cx| self.as_mut().run(cx, || ()), cx, suspended_at);
        if polled.is_pending() {
            note_pending(this.cast());
        }
        polled
    }
}

impl<A, C, M, N: ParentLink> CoroutineStorage for GenericStorage<A, C, M, N> {
    fn stage(&self) -> MachineStage {
        match self {
            Self::Start { .. } => MachineStage::Start,
            Self::Running { position, .. } => position.stage(),
        }
    }

    fn walk(&self, walk: &mut Walk<'_, '_>) {
        let base = ptr::from_ref(self).cast();
        if let Self::Running { position, .. } = self {
            // SAFETY: a poll has exclusive access to the machine, so none is running.
            unsafe { position.walk(base, walk) };
        }
    }
}

impl<A, C: Future, M: MakeCoroutine<A, N, C>, N: ParentLink> NestedStorage
    for GenericStorage<A, C, M, N>
{
    type Store = N;

    #[inline]
    fn with_parent(mut self, machine: MachinePtr) -> Self {
        if let Self::Start { parent, .. } = &mut self {
            *parent = N::parent(machine);
        }
        self
    }
}
