//! `CompactPtr`: the capture of a coroutine in a machine that stores nothing else.
//!
//! Such a coroutine needs no pointer to its machine: see [`suspended_at`](super::suspended_at).
//! Only its first statement, `let start = ptr.receive();`, needs the address of the arguments, and
//! a thread-local passes that.

use core::cell::UnsafeCell;
use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::argument_bytes::{ArgumentBytes, ArgumentField};
use super::brand::{Brand, copy_branded};
use super::handoff::{pass, take};
use super::position_store::{CompactFields, CoroutineInput, InputKind, TracedKind};
use super::site::Site;
use super::suspended_at::enter_macro;
use super::table::Table;

/// The kind of a machine that stores only its coroutine.
#[derive(Debug)]
pub struct Compact;

impl InputKind for Compact {
    type Captured<'m, A> = CompactPtr<'m, A>;

    #[inline]
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> CompactPtr<'m, A> {
        CompactPtr::passing(given.arguments)
    }
}

impl<A: ArgumentBytes> CompactFields<A> for Compact {
    const FIELDS: Option<&'static [ArgumentField]> = Some(A::FIELDS);
}

impl TracedKind for Compact {
    type Pointer<'m, A> = CompactPtr<'m, A>;

    #[inline]
    fn pointer<'m, A>(given: CoroutineInput<'m, A, Self>) -> CompactPtr<'m, A> {
        CompactPtr(given.brand)
    }
}

/// A value that marks the awaits of a coroutine, and receives the address of its arguments `A`.
///
/// The lifetime keeps it within the coroutine: its function is generic over `'m`.
pub struct CompactPtr<'m, A>(PhantomData<Brand<'m, A>>);

copy_branded! { CompactPtr }

impl<'m, A> CompactPtr<'m, A> {
    /// Passes the address of the arguments to the first statement of the coroutine.
    #[inline]
    pub(crate) fn passing(arguments: *mut A) -> Self {
        pass(arguments.cast_const().cast());
        Self(PhantomData)
    }

    /// Returns the address of the arguments. The first poll calls it once, before any other code of
    /// the coroutine.
    #[inline]
    #[must_use]
    pub fn receive(self) -> StartArguments<'m, A> {
        StartArguments {
            address: take().cast_mut().cast(),
            brand: self.0,
        }
    }

    /// Records that the coroutine is about to wait in a macro, at a site at which a trace ends.
    #[inline]
    pub fn enter_site<T: Table, const INDEX: usize>(self) {
        enter_macro(const { &Site::of_macro::<T, INDEX>() });
    }
}

/// The capture of a coroutine that is created with its arguments, as one with type parameters is.
///
/// The cell is for the type of the coroutine: a shared reference to that claims none of its bytes,
/// because it has cells and several variants.
pub struct CompactCapture<'m, A> {
    /// The value that marks the awaits of the coroutine. It is a field, because a call might panic
    /// while the coroutine has its arguments: see `captured_pointer`.
    #[doc(hidden)]
    pub pointer: CompactPtr<'m, A>,
    cell: UnsafeCell<()>,
}

// SAFETY: the cell has no bytes.
unsafe impl<A> Sync for CompactCapture<'_, A> {}

impl<A> RefUnwindSafe for CompactCapture<'_, A> {}

impl<A> fmt::Debug for CompactCapture<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompactCapture").finish_non_exhaustive()
    }
}

impl<'m, A> CompactCapture<'m, A> {
    /// Creates the value. Only expanded code calls it.
    #[inline]
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only expansions create it")]
    pub const fn new() -> Self {
        Self {
            pointer: CompactPtr(PhantomData),
            cell: UnsafeCell::new(()),
        }
    }

    /// Returns the address of the arguments, which `take_arguments` reads. The first statement of
    /// the coroutine calls it. The address stays passed for the [`StartGate`].
    #[inline]
    #[must_use]
    pub fn receive(self) -> StartArguments<'m, A> {
        let () = self.cell.into_inner();
        let address = take();
        pass(address);
        StartArguments {
            address: address.cast_mut().cast(),
            brand: self.pointer.0,
        }
    }
}

/// The arguments of a coroutine that has not begun. It is `Send` and `Sync`, because its machine
/// checks the arguments themselves. The compiler does not prove all bounds of values in a
/// coroutine.
#[derive(Debug)]
pub struct HeldArguments<B>(pub B);

// SAFETY: the machine is `Send` only if its arguments are.
unsafe impl<B> Send for HeldArguments<B> {}
// SAFETY: as above.
unsafe impl<B> Sync for HeldArguments<B> {}

/// The first await of a coroutine, at which it waits with its arguments. It is pending once: in the
/// poll that has passed the arguments.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct StartGate;

impl Future for StartGate {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if take().is_null() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl CompactPtr<'static, ()> {
    /// The value that marks the awaits of an `async` block.
    pub(crate) const OF_BLOCK: Self = Self(PhantomData);
}

impl<'m, A> CoroutineInput<'m, A, Compact> {
    /// Returns the capture of a coroutine that is created with its arguments.
    #[inline]
    #[must_use]
    pub fn capture_with_arguments(self) -> CompactCapture<'m, A> {
        CompactCapture::new()
    }
}

/// The address of the arguments, for the first statements of a coroutine.
pub struct StartArguments<'m, A> {
    address: *mut A,
    brand: PhantomData<Brand<'m, A>>,
}

copy_branded! { StartArguments }

impl<'m, A> StartArguments<'m, A> {
    /// Returns the value that marks the awaits of the coroutine.
    #[inline]
    #[must_use]
    pub fn pointer(self) -> CompactPtr<'m, A> {
        CompactPtr(self.brand)
    }

    /// Returns the address. It is valid until the coroutine reaches its first await.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn arguments(self) -> *mut A {
        let _ = self.brand;
        self.address
    }
}
