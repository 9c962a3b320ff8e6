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
