//! The notes of a machine that says nothing of its awaits, and how its coroutine finds its arguments.
//!
//! The coroutine captures nothing, but for a receiver, and all others with it where they may be small. Its first statement
//! is `let late = late.receive().await;`, and the first poll of the machine polls it twice: at first with a waker
//! that is no more than the address of the arguments, at which [`Receive`] keeps the address and is pending, then with the caller's own. So the
//! pointer takes room in one state of the coroutine, which all others share.
//!
//! 1. `Inline` moves the arguments to its own stack, and makes the coroutine.
//! 2. [`Untraced::hand`] polls it once. It comes to `Receive`, and to nothing of the user's.
//! 3. The poll goes on as ever: `Receive` is ready, and the arguments are read.

use core::cell::Cell;
use core::future::Future;
use core::marker::PhantomData;
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use super::position_store::{Brand, Given, Notes, Stage, Unaligned};
use crate::machine::state::State;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Start,
    Running,
    Done,
    Poisoned,
}

/// The notes of a machine that says nothing of its awaits; `HANDS` says whether its coroutine waits for
/// arguments at all.
#[derive(Debug)]
pub struct Untraced<const HANDS: bool>(Cell<Mark>);

// A machine that has panicked is never polled again, so nobody sees its mark half written.
impl<const HANDS: bool> RefUnwindSafe for Untraced<HANDS> {}

// SAFETY: only `poll` and `drop` write the cell, which have the machine to themselves. Through a
// shared reference it is only read.
unsafe impl<const HANDS: bool> Sync for Untraced<HANDS> {}

// SAFETY: `start` ends the start.
unsafe impl<const HANDS: bool> Notes for Untraced<HANDS> {
    const NEW: Self = Self(Cell::new(Mark::Start));

    type Captured<'m, A> = Quiet<'m, A>;

    #[inline]
    fn capture<'m, A>(given: Given<'m, A, Self>) -> Quiet<'m, A> {
        Quiet(given.brand)
    }

    #[inline]
    fn is_start(&self) -> bool {
        self.0.get() == Mark::Start
    }

    #[inline]
    fn start(&self, _: *mut ()) {
        self.0.set(Mark::Running);
    }

    #[inline]
    fn forget(&self, _: *mut ()) {}

    #[inline]
    unsafe fn hand(poll: impl FnOnce(&mut Context<'_>) -> bool, arguments: *mut ()) {
        if !HANDS {
            return;
        }
        // SAFETY: none of its functions does anything with the address.
        let waker = unsafe { Waker::from_raw(RawWaker::new(arguments.cast_const(), &ADDRESS)) };
        let is_ready = poll(&mut Context::from_waker(&waker));
        debug_assert!(!is_ready, "it waits for its arguments first");
    }

    #[inline]
    fn end(&self) {
        self.0.set(Mark::Done);
    }

    #[cold]
    fn poison(&self) {
        self.0.set(Mark::Poisoned);
    }

    fn stage(&self) -> Stage {
        match self.0.get() {
            Mark::Start => Stage::Start,
            Mark::Running => Stage::Running,
            Mark::Done => Stage::Done,
            Mark::Poisoned => Stage::Poisoned,
        }
    }

    unsafe fn trace(&self, _: *const (), _: &mut dyn FnMut(&'static State)) {}
}

/// A waker that is an address.
static ADDRESS: RawWakerVTable = RawWakerVTable::new(
    |address| RawWaker::new(address, &ADDRESS),
    |_| (),
    |_| (),
    |_| (),
);

/// What a coroutine captures that is handed its arguments: nothing.
#[derive(Debug)]
pub struct Quiet<'m, A>(PhantomData<Brand<'m, A>>);

impl<'m, A> Quiet<'m, A> {
    pub(crate) const NEW: Self = Self(PhantomData);

    /// Waits for the arguments; the first await of a coroutine.
    #[inline]
    pub fn receive(self) -> Receive<'m, A> {
        Receive {
            arguments: Unaligned::new(ptr::null_mut()),
            brand: self.0,
        }
    }
}

/// The arguments, once a poll has brought their address.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Receive<'m, A> {
    arguments: Unaligned<*mut A>,
    brand: PhantomData<Brand<'m, A>>,
}

// SAFETY: the address is there only during the machine's first poll.
unsafe impl<A> Send for Receive<'_, A> {}
// SAFETY: as above.
unsafe impl<A> Sync for Receive<'_, A> {}

impl<'m, A> Future for Receive<'m, A> {
    type Output = Given<'m, A, Untraced<true>>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Given<'m, A, Untraced<true>>> {
        let arguments = self.arguments.get();
        if !arguments.is_null() {
            let (notes, brand) = (ptr::null(), self.brand);
            return Poll::Ready(Given {
                notes,
                arguments,
                brand,
            });
        }
        self.arguments = Unaligned::new(cx.waker().data().cast_mut().cast());
        Poll::Pending
    }
}
