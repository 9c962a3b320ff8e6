//! Types and functions that are what their names say.

use core::future::PollFn;
use core::task::{Context, Poll};

/// A type of the language that has no destructor.
#[diagnostic::on_unimplemented(
    message = "this `{Self}` is not the language's, and may have a destructor",
    label = "a type of that name has none",
    note = "give the type another name: a machine reckons with what `u32` and `Option<u32>` are"
)]
pub trait OfLanguage {}

macro_rules! of_language {
    ($($Type:ty)*) => { $(impl OfLanguage for $Type {})* };
}

of_language! {
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char Option<()>
}

/// Proves that a name is that of a type of the language.
pub const fn plain<T: OfLanguage>() {}

/// The future of the standard library's `poll_fn`.
#[diagnostic::on_unimplemented(
    message = "this `poll_fn` is not the standard library's",
    label = "an explicit machine calls the closure itself, as the standard library's does",
    note = "write `std::future::poll_fn(..)` if that is meant"
)]
pub trait OfStd {}

impl<F> OfStd for PollFn<F> {}

/// Proves that a function is the standard library's `poll_fn`, by what it makes of a closure.
pub const fn poll_fn_of_std<F: OfStd>(_: fn(PollOnce) -> F) {}

/// What a `poll_fn` is given, as a pointer.
type PollOnce = fn(&mut Context<'_>) -> Poll<()>;
