//! The query if a name in a pattern is that of an item or of a local.

/// The matched value of the query. Its type is that of an item of the name, if there is one.
#[derive(Debug)]
pub struct NamedPart<T>(pub T);

/// Returns `true` if the closure that `_query` would return captures nothing: its name is that of
/// an item. A captured local is a reference, so the closure has a size.
#[must_use]
pub const fn captures_nothing<Q: FnOnce() -> C, C>(_query: &Q) -> bool {
    size_of::<C>() == 0
}

/// The type of a part of a value that has the name of a constant: the type of the constant, or a
/// reference to it. The compiler infers the type of a variant such as `Pending` from it.
pub trait IsPart<T> {}

impl<T> IsPart<T> for T {}

impl<T> IsPart<T> for &T {}

impl<T> IsPart<T> for &&T {}

impl<T> IsPart<T> for &&&T {}

impl<T> IsPart<T> for &mut T {}

impl<T> IsPart<T> for &&mut T {}

/// Returns the closure. It captures a local of the name, and no constant.
#[must_use]
pub fn named_value<'n, P: IsPart<T>, T: 'n, C: FnOnce() -> &'n T>(_: &P, query: C) -> C {
    query
}
