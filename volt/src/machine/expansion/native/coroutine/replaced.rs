//! The values that replace the own machine in a copy of a body.
//!
//! ```text
//! heap(c.sum()).await     heap(__volt_own(c.sum())).await     R is OwnFuture<TreeSum>
//! let id = row.get(0);    let id = __volt_own(row.get(0));    R is V
//! ```
//!
//! A call by the own name may have an output `V` that the compiler infers from a later use, as
//! `row.get(0)`. So no method call can distinguish it from a machine. The function in the copy is
//! generic over `V` and its output `R`, and [`Replaced`] relates both. The compiler infers either
//! type from the other one.
//!
//! Two implementations of [`Replaced`] match a machine: that of its copy, and that of each type.
//! The copy has the bound `for<'x> Machine: Kept<'x>`, which rustc prefers to the implementation.
//! So `Answer` of the machine is unknown there, and the implementation of each type has no match.
//! The bound holds of each type, as the bound with `HasMarker` does.
//!
//! A function that is no call is replaced if it is the own one. The type of such a path is known,
//! so a method can distinguish it:
//!
//! ```text
//! map(Self::sum)          map(__volt_own_value(Self::sum, Self::sum).__volt_pick(replacing))
//! ```

use core::marker::PhantomData;
use core::ops::Deref;

use super::own_future::not_run;

/// The copy of the function with the machine `M`. Its own future has the auto traits of `T`.
#[derive(Debug)]
pub struct CopyOf<M, T>(PhantomData<fn() -> (M, T)>);

impl<M, T> CopyOf<M, T> {
    /// Returns the value in the copy. The copy is not run, so no code calls this function.
    pub fn replace<V, R>(value: V) -> R
    where
        Self: Replaced<V, R>,
    {
        core::mem::forget(value);
        not_run()
    }
}

/// A copy in which the type `R` replaces the type `V`.
pub trait Replaced<V, R> {}

impl<V, M, T> Replaced<V, V> for CopyOf<M, T> where V: Kept<'static, Answer = IsKept> {}

/// Any type. In a copy, the answer of its own machine is unknown.
pub trait Kept<'x> {
    /// [`IsKept`].
    type Answer;
}

impl<T: ?Sized> Kept<'_> for T {
    type Answer = IsKept;
}

/// The answer of a type that stays as it is.
#[derive(Debug)]
pub struct IsKept;

/// A function `F` that a body uses as a value, beside the own function `O`.
#[derive(Debug)]
pub struct ValueOf<F, O>(OtherValue<F>, PhantomData<O>);

/// A function that is not the own one, or any other value.
#[derive(Debug)]
pub struct OtherValue<F>(PhantomData<F>);

/// Returns both functions. The copy is not run, so no code calls this function.
#[must_use]
pub fn value_of<F, O>(value: F, own: O) -> ValueOf<F, O> {
    core::mem::forget((value, own));
    not_run()
}

impl<F> ValueOf<F, F> {
    /// Returns the function that replaces the own one.
    #[must_use]
    pub fn __volt_pick<G>(self, replacing: G) -> G {
        replacing
    }
}

impl<F, O> Deref for ValueOf<F, O> {
    type Target = OtherValue<F>;

    fn deref(&self) -> &OtherValue<F> {
        &self.0
    }
}

impl<F> OtherValue<F> {
    /// Returns the value.
    #[must_use]
    pub fn __volt_pick<G>(&self, _: G) -> F {
        not_run()
    }
}
