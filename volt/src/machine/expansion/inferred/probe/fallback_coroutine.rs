//! What is asked of the compiler's own coroutine: its size, and its auto traits in one question.
//!
//! The function that makes the coroutine is named and never called.
//!
//! ```text
//! impl<'a> Parts for Fetch<'a> {                          generic over all lifetimes of the machine
//!     const PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN: Places =
//!         Places::of(.., told(&|| { let _never = never(); asked::<(&'a str,),
//! _>(twin).__volt_auto() }));
//! }
//! ```
//!
//! The first method that is found is that of [`IfBoth`]; the others are found through its `Deref`. So the
//! answer is never a false yes: what is `Send` for some lifetimes only is not taken for `Send`.

use core::future::Future;
use core::marker::PhantomData;

use super::fallback_vtable::{Arguments, Gives, Stored};
use super::size::Size;
use crate::machine::expansion::native::{IfBoth, asked_by};

/// The coroutine that a function `F` makes of arguments `A`, as a question.
#[derive(Clone, Copy, Debug)]
pub struct Coroutine<A, F>(PhantomData<fn(A, F)>);

/// The same, which is only compared: an explicit machine is asked for, or one that is cloned or compared.
#[derive(Clone, Copy, Debug)]
pub struct Compared<T>(PhantomData<fn() -> T>);

/// A coroutine that fields of a machine are compared with.
pub trait Instead {
    /// Its size.
    const SIZE: Size;
    /// Whether the machine keeps it in place of its fields where they are larger. If not that is an error.
    const IS_KEPT: bool;
    /// What is done with it then.
    const STORED: Stored = panic!("it is only compared");
}

impl<A: Arguments, F: Gives<A> + Copy> Instead for Coroutine<A, F>
where
    F::Output: Future,
{
    const SIZE: Size = Size::of::<F::Output>();
    const IS_KEPT: bool = true;
    const STORED: Stored = Stored::of::<A, F>();
}

impl<T> Instead for Compared<T> {
    const SIZE: Size = Size::of::<T>();
    const IS_KEPT: bool = false;
}

/// The question which auto traits what a function returns has. It is never called.
#[must_use]
pub fn asked<A, F: Gives<A> + Copy>(made: F) -> IfBoth<F::Output, F> {
    asked_by(made)
}

/// The coroutine of a function that is never called, for a constant.
#[must_use]
pub const fn coroutine_of<A, F: Gives<A>>(_: &F) -> Coroutine<A, F> {
    Coroutine(PhantomData)
}

/// The same, only to be compared.
#[must_use]
pub const fn compared_with<A, F: Gives<A>>(_: &F) -> Compared<F::Output> {
    Compared(PhantomData)
}

/// The size of what a function returns, which is never called.
#[must_use]
pub const fn size_of_coroutine<A, F: Gives<A>>(_: &F) -> usize {
    size_of::<F::Output>()
}

/// Whether what a function returns is a type at all. If the function is wrong it is none, and this has no value: there is
/// no size even of what only names the type. Its own size is not asked, nor that of anything that it stores.
#[must_use]
pub const fn is_sound<A, F: Gives<A>>(_: &F) -> bool {
    size_of::<PhantomData<F::Output>>() == 0
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::marker::PhantomData;

    use super::*;
    use crate::machine::expansion::native::{AutoTraits, told};

    fn given<T>(_: T) -> T {
        unreachable!("it is only asked")
    }

    macro_rules! asked {
        ($Argument:ty) => {{
            let AutoTraits { send, sync } =
                told(&|| asked::<($Argument,), _>(given::<$Argument>).__volt_auto());
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
