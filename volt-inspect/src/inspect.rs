//! `Inspect`: the trait of futures that report where they wait.

use core::future::Future;
use core::pin::Pin;

use crate::inspector::Inspector;

/// A future that reports where it waits.
///
/// The crate's documentation has an example of a wrapper, of a leaf and of a combinator.
pub trait Inspect {
    /// Reports the future as one node, with the futures in it.
    ///
    /// The method calls [`Inspector::node`] once, or passes on to the only future in this one. It
    /// does not poll, block, wake or lock.
    ///
    /// The future is pinned and borrowed exclusively, as in a poll. So an implementation projects
    /// to its fields in the same way as `poll` does.
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>);
}

/// A future that can be inspected, for trait objects: `Pin<Box<dyn InspectFuture<Output = T>>>`.
///
/// The type of the future in a `Pin<Box<dyn Future>>` is not known, so an inspection ends there.
/// It continues in a box of this trait.
pub trait InspectFuture: Future + Inspect {}

impl<F: Future + Inspect + ?Sized> InspectFuture for F {}

/// A type that can be [registered](crate::register) for inspection.
///
/// The macro [`registrable!`](crate::registrable) implements it.
///
/// # Safety
///
/// A registration ignores lifetimes. So wherever a value of the type exists, whatever its
/// lifetimes, the implementation of [`Inspect`] exists for it. An implementation for `X<'static>`
/// alone does not meet this. An implementation without bounds does, if all its parameters are
/// different. So does one with only the bounds that the type itself has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be registered for inspections",
    label = "the macro `registrable!` has not been applied to this type",
    note = "implement `Inspect` for the type with all its lifetimes, and write `volt_inspect::registrable!({Self});`"
)]
pub unsafe trait Registrable: Inspect {}

/// Implements [`Registrable`] for a type with these parameters, none of which has a bound.
///
/// The name must be that of a struct or an enum, not of an alias: an alias that uses a lifetime
/// twice would make the promise of [`Registrable`] for fewer types than exist.
///
/// ```
/// use std::pin::Pin;
/// use volt_inspect::{Inspect, Inspector, Node, registrable};
///
/// struct Traced<'a, F> {
///     name: &'a str,
///     future: F,
/// }
///
/// impl<'a, F> Inspect for Traced<'a, F> {
///     fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
///         inspector.node(&Node::new("Traced"), |_| ());
///     }
/// }
///
/// registrable!(Traced<'a, F>);
/// ```
///
/// An implementation for certain lifetimes is refused:
///
/// ```compile_fail,E0308
/// # use std::pin::Pin;
/// # use volt_inspect::{Inspect, Inspector, registrable};
/// struct Named<'a>(&'a str);
///
/// impl Inspect for Named<'static> {
///     fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {}
/// }
///
/// registrable!(Named<'a>);
/// ```
#[macro_export]
macro_rules! registrable {
    ($Type:ident $(<$($parameter:tt),+ $(,)?>)?) => {
        // SAFETY: the implementation has no bounds, and its parameters are different. So `Inspect`
        // is implemented for all of them, too.
        unsafe impl $(<$($parameter),+>)? $crate::Registrable for $Type $(<$($parameter),+>)? {}
    };
}
