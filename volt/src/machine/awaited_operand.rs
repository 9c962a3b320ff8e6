//! The operand of an await that charges the budget: `operand(value).__volt_into_future()`.
//!
//! The inherent method of [`Operand`] requires a future. For any other value the compiler follows
//! the reference to [`AnyOperand`], and reports there once that the value is no future. The output
//! of that method can be any type, so the code around the await adds no error.

use core::future::{IntoFuture, Pending, pending};
use core::ops::Deref;

/// Accepts a value of any type as the operand of an await.
pub fn operand<F>(value: F) -> Operand<F> {
    Operand(AnyOperand(value))
}

/// The operand of an await.
#[derive(Debug)]
pub struct Operand<F>(AnyOperand<F>);

impl<F: IntoFuture> Operand<F> {
    /// Returns the future to await.
    #[inline]
    pub fn __volt_into_future(self) -> F::IntoFuture {
        self.0.0.into_future()
    }
}

impl<F> Deref for Operand<F> {
    type Target = AnyOperand<F>;

    fn deref(&self) -> &AnyOperand<F> {
        &self.0
    }
}

/// An operand of any type, which is no future if the compiler looks for its method here.
#[derive(Debug)]
pub struct AnyOperand<F>(F);

impl<F> AnyOperand<F> {
    /// Fails to compile, because the operand is not a future.
    pub fn __volt_into_future<T>(&self) -> Pending<T>
    where
        F: IntoFuture,
    {
        pending()
    }
}
