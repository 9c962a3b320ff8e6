//! Lifetimes of a machine, as values.

use core::marker::PhantomData;

/// A lifetime that all of a machine's own outlive, and that outlives the call of `advance`.
///
/// Stored values outlive it, so that they borrow no local of the call.
#[derive(Debug)]
pub struct Region<'m>(PhantomData<fn(&'m ()) -> &'m ()>);

impl Region<'_> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

/// A local of `advance`. Borrows of the machine's locals live no longer than it does.
#[derive(Debug)]
pub struct Token(());

impl Token {
    /// Returns a new token.
    #[expect(clippy::new_without_default, reason = "only expanded code creates one")]
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}
