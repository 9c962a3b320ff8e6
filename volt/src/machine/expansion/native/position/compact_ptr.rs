//! `CompactPtr`: the capture of a coroutine in a machine that stores nothing else.
//!
//! Such a coroutine needs no pointer to its machine: see [`suspended_at`](super::suspended_at).
//! Only its first statement, `let start = ptr.receive();`, needs the address of the arguments, and
//! a thread-local passes that.

use core::marker::PhantomData;

use super::brand::{Brand, copy_branded};
use super::handoff::{pass, take};
use super::position_store::{CoroutineInput, InputKind, TracedKind};
use super::site::Site;
use super::suspended_at::enter_macro;
use super::table::Table;

/// The kind of a machine that stores only its coroutine.
#[derive(Debug)]
pub struct Compact;

impl InputKind for Compact {
    const IS_COMPACT: bool = true;

    type Captured<'m, A> = CompactPtr<'m, A>;

    #[inline]
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> CompactPtr<'m, A> {
        CompactPtr::passing(given.arguments)
    }
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

/// The address of the arguments, for the first statements of a coroutine.
pub struct StartArguments<'m, A> {
    address: *mut A,
    brand: PhantomData<Brand<'m, A>>,
}

copy_branded! { StartArguments }

impl<A> StartArguments<'_, A> {
    /// Returns the address. It is valid until the coroutine reaches its first await.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn arguments(self) -> *mut A {
        let _ = self.brand;
        self.address
    }
}
