//! The notes of a machine that says nothing of its awaits, and how its coroutine finds its arguments.
//!
//! The coroutine captures nothing, but for a receiver, and all others with it where they may be small. Its first statement
//! is `let late = late.receive().await;`, and the first poll of the machine polls it twice: at first with a waker
//! that is no more than the address of the arguments, at which [`ReceiveArguments`] keeps the address and is pending, then with the caller's own. So the
//! pointer takes room in one state of the coroutine, which all others share.
//!
//! 1. `Inline` moves the arguments to its own stack, and makes the coroutine.
//! 2. [`Untraced::hand`] polls it once. It comes to `ReceiveArguments`, and to nothing of the user's.
//! 3. The poll goes on as ever: `ReceiveArguments` is ready, and the arguments are read.

use core::cell::Cell;
use core::future::Future;
use core::marker::PhantomData;
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use super::position_store::{Brand, CoroutineInput, MachineStage, PositionStore, Unaligned};
use crate::machine::state::State;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UntracedStage {
    Start,
    Running,
    Done,
    Poisoned,
}

/// The notes of a machine that says nothing of its awaits; `RECEIVES` says whether its coroutine waits for
/// arguments at all.
#[derive(Debug)]
pub struct Untraced<const RECEIVES: bool>(Cell<UntracedStage>);

// A machine that has panicked is never polled again, so nobody sees its mark half written.
impl<const RECEIVES: bool> RefUnwindSafe for Untraced<RECEIVES> {}

// SAFETY: only `poll` and `drop` write the cell, which have the machine to themselves. Through a
// shared reference it is only read.
unsafe impl<const RECEIVES: bool> Sync for Untraced<RECEIVES> {}

// SAFETY: `start` ends the start.
unsafe impl<const RECEIVES: bool> PositionStore for Untraced<RECEIVES> {
    const NEW: Self = Self(Cell::new(UntracedStage::Start));

    type Captured<'m, A> = UntracedCapture<'m, A>;

    #[inline]
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> UntracedCapture<'m, A> {
        UntracedCapture(given.brand)
    }

    #[inline]
    fn is_start(&self) -> bool {
        self.0.get() == UntracedStage::Start
    }

    #[inline]
    fn start(&self, _: *mut ()) {
        self.0.set(UntracedStage::Running);
    }

    #[inline]
    fn clear_arguments(&self, _: *mut ()) {}

    #[inline]
    unsafe fn pass_arguments(poll: impl FnOnce(&mut Context<'_>) -> bool, arguments: *mut ()) {
        if !RECEIVES {
            return;
        }
        // SAFETY: none of its functions does anything with the address.
        let waker =
            unsafe { Waker::from_raw(RawWaker::new(arguments.cast_const(), &ADDRESS_VTABLE)) };
        let is_ready = poll(&mut Context::from_waker(&waker));
        debug_assert!(!is_ready, "it waits for its arguments first");
    }

    #[inline]
    fn end(&self) {
        self.0.set(UntracedStage::Done);
    }

    #[cold]
    fn poison(&self) {
        self.0.set(UntracedStage::Poisoned);
    }

    fn stage(&self) -> MachineStage {
        match self.0.get() {
            UntracedStage::Start => MachineStage::Start,
            UntracedStage::Running => MachineStage::Running,
            UntracedStage::Done => MachineStage::Done,
            UntracedStage::Poisoned => MachineStage::Poisoned,
        }
    }

    unsafe fn trace(&self, _: *const (), _: &mut dyn FnMut(&'static State)) {}
}

/// A waker that is an address.
static ADDRESS_VTABLE: RawWakerVTable = RawWakerVTable::new(
    |address| RawWaker::new(address, &ADDRESS_VTABLE),
    |_| (),
    |_| (),
    |_| (),
);

/// What a coroutine captures that is handed its arguments: nothing.
#[derive(Debug)]
pub struct UntracedCapture<'m, A>(PhantomData<Brand<'m, A>>);

impl<'m, A> UntracedCapture<'m, A> {
    pub(crate) const NEW: Self = Self(PhantomData);

    /// Waits for the arguments; the first await of a coroutine.
    #[inline]
    pub fn receive(self) -> ReceiveArguments<'m, A> {
        ReceiveArguments {
            arguments: Unaligned::new(ptr::null_mut()),
            brand: self.0,
        }
    }
}

/// The arguments, once a poll has brought their address.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct ReceiveArguments<'m, A> {
    arguments: Unaligned<*mut A>,
    brand: PhantomData<Brand<'m, A>>,
}

// SAFETY: the address is there only during the machine's first poll.
unsafe impl<A> Send for ReceiveArguments<'_, A> {}
// SAFETY: as above.
unsafe impl<A> Sync for ReceiveArguments<'_, A> {}

impl<'m, A> Future for ReceiveArguments<'m, A> {
    type Output = CoroutineInput<'m, A, Untraced<true>>;

    #[inline]
    fn poll(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<CoroutineInput<'m, A, Untraced<true>>> {
        let arguments = self.arguments.get();
        if !arguments.is_null() {
            let (notes, brand) = (ptr::null(), self.brand);
            return Poll::Ready(CoroutineInput {
                notes,
                arguments,
                brand,
            });
        }
        self.arguments = Unaligned::new(cx.waker().data().cast_mut().cast());
        Poll::Pending
    }
}
