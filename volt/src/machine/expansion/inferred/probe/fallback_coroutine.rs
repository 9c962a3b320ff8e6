//! What is asked of the compiler's own coroutine: its size, and its auto traits in one question.
//!
//! The function that makes the coroutine is named and never called.
//!
//! ```text
//! impl<'a> Parts for Fetch<'a> {                          generic over all lifetimes of the machine
//!     const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout =
//!         MachineLayout::of(.., auto_traits_of(&|| { let _never = never(); probe_output::<(&'a str,),
//! _>(twin).__volt_auto() }));
//! }
//! ```
//!
//! The first method that is found is that of [`SendSyncProbe`]; the others are found through its `Deref`. So the
//! answer is never a false yes: what is `Send` for some lifetimes only is not taken for `Send`.

use core::future::Future;
use core::marker::PhantomData;

use super::fallback_vtable::{ArgumentTuple, CallWithTuple, FallbackVtable};
use super::size::Size;
use crate::machine::expansion::native::{SendSyncProbe, probe_type};

/// The coroutine that a function `F` makes of arguments `A`, as a question.
#[derive(Clone, Copy, Debug)]
pub struct StoredFallback<A, F>(PhantomData<fn(A, F)>);

/// The same, which is only compared: an explicit machine is asked for, or one that is cloned or compared.
#[derive(Clone, Copy, Debug)]
pub struct SizeOnly<T>(PhantomData<fn() -> T>);

/// A coroutine that fields of a machine are compared with.
pub trait FallbackCoroutine {
    /// Its size.
    const SIZE: Size;
    /// Whether the machine keeps it in place of its fields where they are larger. If not that is an error.
    const IS_STORABLE: bool;
    /// What is done with it then.
    const VTABLE: FallbackVtable = panic!("it is only compared");
}

impl<A: ArgumentTuple, F: CallWithTuple<A> + Copy> FallbackCoroutine for StoredFallback<A, F>
where
    F::Output: Future,
{
    const SIZE: Size = Size::of::<F::Output>();
    const IS_STORABLE: bool = true;
    const VTABLE: FallbackVtable = FallbackVtable::of::<A, F>();
}

impl<T> FallbackCoroutine for SizeOnly<T> {
    const SIZE: Size = Size::of::<T>();
    const IS_STORABLE: bool = false;
}

/// The question which auto traits what a function returns has. It is never called.
#[must_use]
pub fn probe_output<A, F: CallWithTuple<A> + Copy>(made: F) -> SendSyncProbe<F::Output, F> {
    probe_type(made)
}

/// The coroutine of a function that is never called, for a constant.
#[must_use]
pub const fn stored_fallback<A, F: CallWithTuple<A>>(_: &F) -> StoredFallback<A, F> {
    StoredFallback(PhantomData)
}

/// The same, only to be compared.
#[must_use]
pub const fn size_only<A, F: CallWithTuple<A>>(_: &F) -> SizeOnly<F::Output> {
    SizeOnly(PhantomData)
}

/// The size of what a function returns, which is never called.
#[must_use]
pub const fn size_of_coroutine<A, F: CallWithTuple<A>>(_: &F) -> usize {
    size_of::<F::Output>()
}

/// Whether what a function returns is a type at all. If the function is wrong it is none, and this has no value: there is
/// no size even of what only names the type. Its own size is not asked, nor that of anything that it stores.
#[must_use]
pub const fn is_well_typed<A, F: CallWithTuple<A>>(_: &F) -> bool {
    size_of::<PhantomData<F::Output>>() == 0
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::marker::PhantomData;

    use super::*;
    use crate::machine::expansion::native::{AutoTraits, auto_traits_of};

    fn given<T>(_: T) -> T {
        unreachable!("it is only asked")
    }

    macro_rules! asked {
        ($Argument:ty) => {{
            let AutoTraits { send, sync } = auto_traits_of(&|| {
                probe_output::<($Argument,), _>(given::<$Argument>).__volt_auto()
            });
            (send, sync)
        }};
    }

    type Locked<'a> = std::sync::MutexGuard<'a, u8>;

    #[test]
    fn each_trait_is_told_by_itself() {
        assert_eq!(asked!(u8), (true, true));
        assert_eq!(asked!(Cell<u8>), (true, false));
        assert_eq!(asked!(Locked<'static>), (false, true));
        assert_eq!(asked!(PhantomData<*const u8>), (false, false));
    }

    #[test]
    fn size_is_that_of_what_is_returned() {
        fn pair(one: u8, other: u32) -> (u8, u32) {
            (one, other)
        }
        assert_eq!(size_of_coroutine::<(u8, u32), _>(&pair), 8);
    }
}
