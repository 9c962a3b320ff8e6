//! The position of a machine that records none of its awaits, and the future through which its
//! coroutine receives its arguments.
//!
//! The coroutine captures nothing but a receiver, and all arguments with it if they may be small.
//! Its first statement is `let ptr = ptr.receive().await;`. The first poll of the machine polls it
//! twice. The first waker is only the address of the arguments: [`ReceiveArguments`] stores that
//! address and is pending. The second waker is the caller's own. So the pointer takes space in one
//! state of the coroutine, which all other states share.
//!
//! 1. `Inline` moves the arguments to its own stack, and creates the coroutine.
//! 2. [`Untraced::pass_arguments`] polls it once. It runs up to `ReceiveArguments`, and no code of
//!    the user.
//! 3. The poll continues: `ReceiveArguments` is ready, and the arguments are moved out.

use core::cell::Cell;
use core::future::Future;
use core::marker::PhantomData;
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use super::brand::Brand;
use super::position_store::{
    CompactFields, CoroutineInput, InputKind, MachineStage, PositionStore, Unaligned,
};
use crate::machine::walk::Walk;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UntracedStage {
    Start,
    Running,
    Done,
    Poisoned,
}

/// The stage of a machine that records none of its awaits. `RECEIVES` is `true` if its coroutine
/// waits for arguments.
#[derive(Debug)]
pub struct Untraced<const RECEIVES: bool>(Cell<UntracedStage>);

// A machine that has panicked is never polled again, so no code sees a stage that is half written.
impl<const RECEIVES: bool> RefUnwindSafe for Untraced<RECEIVES> {}

// SAFETY: only `poll` and `drop` write the cell, with exclusive access to the machine. Through a
// shared reference it is only read.
unsafe impl<const RECEIVES: bool> Sync for Untraced<RECEIVES> {}

impl<A, const RECEIVES: bool> CompactFields<A> for Untraced<RECEIVES> {}

impl<const RECEIVES: bool> InputKind for Untraced<RECEIVES> {
    type Captured<'m, A> = UntracedCapture<'m, A>;

    #[inline]
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> UntracedCapture<'m, A> {
        UntracedCapture(given.brand)
    }
}

// SAFETY: `start` replaces the stage `Start`, which no function sets again.
unsafe impl<const RECEIVES: bool> PositionStore for Untraced<RECEIVES> {
    const NEW: Self = Self(Cell::new(UntracedStage::Start));

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
        // SAFETY: the functions of the table do not use the address.
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

    unsafe fn walk(&self, _: *const (), _: &mut Walk<'_, '_>) {}
}

/// The functions of a waker that is only an address.
static ADDRESS_VTABLE: RawWakerVTable = RawWakerVTable::new(
    |address| RawWaker::new(address, &ADDRESS_VTABLE),
    |_| (),
    |_| (),
    |_| (),
);

/// The capture of a coroutine that receives its arguments later: a value of size zero.
#[derive(Debug)]
pub struct UntracedCapture<'m, A>(PhantomData<Brand<'m, A>>);

impl<'m, A> UntracedCapture<'m, A> {
    pub(crate) const NEW: Self = Self(PhantomData);

    /// Returns a future of the arguments, for the first await of a coroutine.
    #[inline]
    pub fn receive(self) -> ReceiveArguments<'m, A> {
        ReceiveArguments {
            arguments: Unaligned::new(ptr::null_mut()),
            brand: self.0,
        }
    }
}

/// The arguments, after a poll has passed their address.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct ReceiveArguments<'m, A> {
    arguments: Unaligned<*mut A>,
    brand: PhantomData<Brand<'m, A>>,
}

// SAFETY: the address is stored only during the machine's first poll.
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
            let (position, brand) = (ptr::null(), self.brand);
            return Poll::Ready(CoroutineInput {
                position,
                arguments,
                brand,
            });
        }
        self.arguments = Unaligned::new(cx.waker().data().cast_mut().cast());
        Poll::Pending
    }
}
