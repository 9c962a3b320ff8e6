//! What is asked of the compiler's own coroutine: its size, and its auto traits in one question.
//!
//! The function that makes the coroutine is named and never called. A closure around it would be one body more
//! that the compiler checks.
//!
//! ```text
//! fn ask<'a>(_: fn((&'a str,))) -> impl Traits {          generic over all lifetimes of the machine
//!     (&&&&coroutine::<(&'a str,), _>(twin)).traits()     Both, OnlySend, OnlySync or Neither
//! }
//! const PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN: Places = Places::of(.., traits(ask as fn(_) -> _));
//! ```
//!
//! The first method that is found is that of [`IfBoth`]; each of the others is one reference nearer. So the
//! answer is never a false yes: what is `Send` for some lifetimes only is not taken for `Send`.

use core::marker::PhantomData;

use super::size::Size;
use crate::machine::private::native::AutoTraits;

/// A function with arguments `A`, as a tuple.
pub trait Gives<A> {
    /// What it returns.
    type Output;

    /// Calls it.
    fn give(self, arguments: A) -> Self::Output;
}

macro_rules! gives {
    ($($argument:ident)*) => {
        #[allow(non_snake_case, reason = "each argument is named as its type")]
        impl<F: FnOnce($($argument),*) -> R, R, $($argument),*> Gives<($($argument,)*)> for F {
            type Output = R;

            #[inline]
            fn give(self, ($($argument,)*): ($($argument,)*)) -> R {
                self($($argument),*)
            }
        }
    };
}

gives!();
gives!(A);
gives!(A B);
gives!(A B C);
gives!(A B C D);
gives!(A B C D E);
gives!(A B C D E G);
gives!(A B C D E G H);
gives!(A B C D E G H I);

/// A coroutine, as a question.
#[derive(Clone, Copy, Debug)]
pub struct Coroutine<T>(PhantomData<fn() -> T>);

/// What a machine may keep in place of its fields.
pub trait Instead {
    /// Its size, if there is anything.
    const SIZE: Option<Size>;
}

impl<T> Instead for Coroutine<T> {
    const SIZE: Option<Size> = Some(Size::of::<T>());
}

/// There is nothing: a coroutine can be neither cloned nor compared.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Instead for Nothing {
    const SIZE: Option<Size> = None;
}

/// The question for what a function returns, which is never called.
#[must_use]
pub fn coroutine<A, F: Gives<A>>(_: F) -> Coroutine<F::Output> {
    Coroutine(PhantomData)
}

/// The same of a function that is only looked at, for a constant.
#[must_use]
pub const fn coroutine_of<A, F: Gives<A>>(_: &F) -> Coroutine<F::Output> {
    Coroutine(PhantomData)
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

/// An answer.
pub trait Traits {
    /// Which auto traits the coroutine has.
    const ARE: AutoTraits;
}

/// The answer that a function gives by its type.
#[must_use]
pub const fn traits<A, T: Traits>(_: fn(A) -> T) -> AutoTraits {
    T::ARE
}

macro_rules! questions {
    ($($If:ident: $Answer:ident [$($Bound:tt)*] for ($($reference:tt)*) send $send:literal sync $sync:literal;)*) => { $(
        /// An answer.
        #[derive(Debug)]
        pub struct $Answer;

        impl Traits for $Answer {
            const ARE: AutoTraits = AutoTraits {
                send: $send,
                sync: $sync,
            };
        }

        /// What gives it, where it is right.
        pub trait $If {
            /// Gives it.
            fn traits(&self) -> $Answer {
                $Answer
            }
        }

        impl<T $($Bound)*> $If for $($reference)* Coroutine<T> {}
    )* };
}

questions! {
    IfBoth: Both [: Send + Sync] for (&&&) send true sync true;
    IfSend: OnlySend [: Send] for (&&) send true sync false;
    IfSync: OnlySync [: Sync] for (&) send false sync true;
    IfNeither: Neither [] for () send false sync false;
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::marker::PhantomData;

    use super::*;

    macro_rules! asked {
        ($Argument:ty) => {{
            fn given(_: $Argument) -> $Argument {
                unreachable!("it is only asked")
            }
            fn ask(_: fn(($Argument,))) -> impl Traits {
                (&&&&coroutine::<($Argument,), _>(given)).traits()
            }
            let AutoTraits { send, sync } = traits(ask as fn(_) -> _);
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
