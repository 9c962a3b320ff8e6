//! The proof that a value taken apart by a pattern leaves nothing behind.
//!
//! A pattern that binds every field of a value moves all of it, so nothing is left to drop,
//! unless the type implements `Drop`. Then the fields are only copied, and the value stays where
//! it was. Which of the two holds is asked without a bound: `Opened(&value).leaves_nothing()`
//! finds the method of [`LeavesNothing`], which does nothing, if the type is not known to
//! implement `Drop`, and an inherent one that cannot be called if it is.

/// A value that a pattern takes apart.
#[derive(Debug)]
pub struct Opened<'a, T>(pub &'a T);

#[allow(
    drop_bounds,
    reason = "this is the question whether `Drop` is implemented"
)]
impl<T: Drop> Opened<'_, T> {
    /// Refuses a type that implements `Drop`.
    pub fn leaves_nothing(&self)
    where
        T: WithoutDrop,
    {
    }
}

/// What a type that implements `Drop` does not have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` implements `Drop`, so a pattern can only copy out of it: the local would \
               be dropped before the await instead of at the end of its scope",
    label = "taken apart by value, and not used after the await",
    note = "match on `&` of the local and copy the fields (`&E::A(n)`), or move the local away by \
            name (`drop(local)`) before the await"
)]
pub trait WithoutDrop {}

/// The answer for types that do not implement `Drop`.
pub trait LeavesNothing {
    /// Does nothing.
    #[inline]
    fn leaves_nothing(&self) {}
}

impl<T> LeavesNothing for Opened<'_, T> {}
