//! Lifetimes of a machine, as values.

use core::marker::PhantomData;

/// A lifetime that all of a machine's own outlive, and that outlives the call of `advance`.
///
/// What is stored outlives it, so that nothing stored borrows a local of the call.
#[derive(Debug)]
pub struct Region<'m>(PhantomData<fn(&'m ()) -> &'m ()>);

impl Region<'_> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Stands in `advance`; what is lent lives no longer.
#[derive(Debug)]
pub struct Token(());

impl Token {
    /// A token of its own.
    #[expect(clippy::new_without_default, reason = "expanded code alone makes one")]
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}
