//! The compiler's own coroutine: its size, and one probe for its auto traits.
//!
//! The function that creates the coroutine is named and never called.
//!
//! ```text
//! impl<'a> AutoTraitInfo for Fetch<'a> where .. {    generic over all lifetimes of the machine
//!     const AUTO: AutoTraits = auto_traits_of(&|| {
//!         let _never = never();
//!         probe_output::<(&'a str,), _>(reference_fn).__volt_auto()
//!     });
//! }
//! ```
//!
//! The first method that applies is that of [`SendSyncProbe`]; the others are found through its
//! `Deref`. So the result has no false positive: a coroutine that is `Send` only for some lifetimes
//! counts as not `Send`.

use core::future::Future;
use core::marker::PhantomData;

use super::fallback_vtable::{ArgumentTuple, CallWithTuple, FallbackVtable};
use super::size::Size;
#[cfg(feature = "std")]
use crate::machine::expansion::native::byte_of_tag;
use crate::machine::expansion::native::{SendSyncProbe, probe_type};

/// The coroutine that a function `F` creates from arguments `A`, which a machine may store.
#[derive(Clone, Copy, Debug)]
pub struct StoredFallback<A, F>(PhantomData<fn(A, F)>);

/// A coroutine that is only compared: the machine must be explicit, or it is cloned or compared.
#[derive(Clone, Copy, Debug)]
pub struct SizeOnly<T>(PhantomData<fn() -> T>);

/// A coroutine that may be smaller than the fields of its machine.
#[derive(Clone, Copy, Debug)]
pub struct UncomparedSize<T>(PhantomData<fn() -> T>);

/// A coroutine with which the fields of a machine are compared.
pub trait FallbackCoroutine {
    /// The size of the coroutine.
    const SIZE: Size;
    /// `true` if the machine stores the coroutine in place of its fields if they are larger.
    /// Otherwise larger fields are an error.
    const IS_STORABLE: bool;
    /// `false` if the fields may be larger than the coroutine.
    const IS_COMPARED: bool = true;
    /// The offset of the tag of a stored coroutine, if it is known and takes one byte.
    const TAG: Option<usize> = None;
    /// The functions for a stored coroutine.
    const VTABLE: FallbackVtable = panic!("it is only compared");
}

impl<A: ArgumentTuple, F: CallWithTuple<A> + Copy> FallbackCoroutine for StoredFallback<A, F>
where
    F::Output: Future,
{
    const SIZE: Size = Size::of::<F::Output>();
    const IS_STORABLE: bool = true;
    // Without `std` no tag is searched.
    #[cfg(feature = "std")]
    const TAG: Option<usize> = byte_of_tag::<F::Output>();
    const VTABLE: FallbackVtable = FallbackVtable::of::<A, F>();
}

impl<T> FallbackCoroutine for SizeOnly<T> {
    const SIZE: Size = Size::of::<T>();
    const IS_STORABLE: bool = false;
}

impl<T> FallbackCoroutine for UncomparedSize<T> {
    const SIZE: Size = Size::of::<T>();
    const IS_STORABLE: bool = false;
    const IS_COMPARED: bool = false;
}

/// Returns a probe for the auto traits of a function's output. The function is never called.
#[must_use]
pub fn probe_output<A, F: CallWithTuple<A> + Copy>(function: F) -> SendSyncProbe<F::Output, F> {
    probe_type(function)
}

/// Returns the coroutine of a function, for a constant. The function is never called.
#[must_use]
pub const fn stored_fallback<A, F: CallWithTuple<A> + Copy>(
    _: F,
) -> PhantomData<StoredFallback<A, F>> {
    PhantomData
}

/// Returns the coroutine of a function, only for a comparison. The function is never called.
#[must_use]
pub const fn size_only<A, F: CallWithTuple<A> + Copy>(_: F) -> PhantomData<SizeOnly<F::Output>> {
    PhantomData
}

/// Returns the coroutine of a function, which may be smaller than the fields of its machine. The
/// function is never called.
#[must_use]
pub const fn uncompared_size<A, F: CallWithTuple<A> + Copy>(
    _: F,
) -> PhantomData<UncomparedSize<F::Output>> {
    PhantomData
}

/// Returns the size of a function's output in bytes. The function is never called.
#[must_use]
pub const fn size_of_coroutine<A, F: CallWithTuple<A> + Copy>(_: F) -> usize {
    size_of::<F::Output>()
}

/// Returns `true` if the output of a function is a type at all. If the function has an error, the
/// call has no value, because even a type that only names the output has no size then. The size of
/// the output itself is not computed, nor that of any value that it stores.
#[must_use]
pub const fn is_well_typed<A, F: CallWithTuple<A> + Copy>(_: F) -> bool {
    size_of::<PhantomData<F::Output>>() == 0
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::marker::PhantomData;

    use super::*;
    use crate::machine::expansion::native::{AutoTraits, auto_traits_of};

    fn unreachable_fn<T>(_: T) -> T {
        unreachable!("it is only probed")
    }

    macro_rules! auto_traits {
        ($Argument:ty) => {{
            let AutoTraits { send, sync } = auto_traits_of(|| {
                probe_output::<($Argument,), _>(unreachable_fn::<$Argument>).__volt_auto()
            });
            (send, sync)
        }};
    }

    type Locked<'a> = std::sync::MutexGuard<'a, u8>;

    #[test]
    fn each_auto_trait_is_determined_alone() {
        assert_eq!(auto_traits!(u8), (true, true));
        assert_eq!(auto_traits!(Cell<u8>), (true, false));
        assert_eq!(auto_traits!(Locked<'static>), (false, true));
        assert_eq!(auto_traits!(PhantomData<*const u8>), (false, false));
    }

    #[test]
    fn size_of_coroutine_matches_its_output() {
        fn pair(one: u8, other: u32) -> (u8, u32) {
            (one, other)
        }
        assert_eq!(size_of_coroutine::<(u8, u32), _>(pair), 8);
    }
}
