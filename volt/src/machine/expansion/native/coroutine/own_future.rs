//! The future of a recursive function in a copy of its body.

use core::cell::Cell;
use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::pin::Pin;
use core::task::{Context, Poll};

/// A future that replaces a machine in a copy of its own body. The copy is compiled, and never run.
///
/// It is `Send`, so the copy is `Send` if the coroutine is, for the case that the machine is. It is
/// `Sync` if `T` is: one copy assumes that the machine is `Sync`, and another one that it is not.
/// It has the methods of the machine, and needs neither its auto traits nor its layout.
pub struct OwnFuture<M, T = Cell<()>>(PhantomData<fn() -> M>, PhantomData<T>);

impl<M, T> OwnFuture<M, T> {
    /// Creates the future. The copy is not run, so no code calls this function.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only expansions create it")]
    pub const fn new() -> Self {
        Self(PhantomData, PhantomData)
    }

    /// Replaces a machine.
    #[must_use]
    pub fn of(machine: M) -> Self {
        core::mem::forget(machine);
        Self::new()
    }

    /// Replaces a machine by the future that a function returns, which is not called.
    #[must_use]
    pub fn of_copy<A>(machine: M, _: impl FnOnce(A) -> T) -> Self {
        Self::of(machine)
    }
}

impl<M: Future, T> Future for OwnFuture<M, T> {
    type Output = M::Output;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<M::Output> {
        not_run()
    }
}

/// The destructor, because a machine has one: the compiler stores such values up to the end of
/// their scopes.
impl<M, T> Drop for OwnFuture<M, T> {
    fn drop(&mut self) {}
}

impl<M, T> Deref for OwnFuture<M, T> {
    type Target = M;

    fn deref(&self) -> &M {
        not_run()
    }
}

impl<M, T> DerefMut for OwnFuture<M, T> {
    fn deref_mut(&mut self) -> &mut M {
        not_run()
    }
}

impl<M, T> fmt::Debug for OwnFuture<M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnFuture").finish_non_exhaustive()
    }
}

/// Any value, which stays as it is. A machine has a method of the same name, which the compiler
/// prefers in the linked copies.
pub trait KeepValue: Sized {
    /// Returns the value.
    #[must_use]
    fn __volt_linked(self) -> Self {
        self
    }
}

impl<T> KeepValue for T {}

/// A future of a function that leads back to the function of a copy. It is replaced where a
/// function may require its auto traits. A machine has another method `__volt_copy`.
pub trait AssumeFuture: Future + Sized {
    /// Returns the future whose auto traits are assumed.
    #[must_use]
    fn __volt_assumed(self) -> OwnFuture<Self, ()> {
        OwnFuture::of(self)
    }

    /// Returns the type that is held in place of an unknown copy. It is not `Sync`.
    #[must_use]
    fn __volt_copy(&self) -> Cell<()> {
        Cell::new(())
    }
}

impl<F: Future> AssumeFuture for F {}

/// Any value that is no future, which stays as it is.
pub trait KeepOther: Sized {
    /// The value.
    type Value;

    /// Returns the value.
    #[must_use]
    fn __volt_assumed(self) -> Self::Value {
        not_run()
    }
}

impl<T> KeepOther for &T {
    type Value = T;
}

/// Any value that is no future. The method of [`AssumeFuture`] comes before this one, because the
/// compiler tries shared references first.
pub trait NoCopy: Sized {
    /// Returns nothing, because the value has no copy.
    fn __volt_copy(self) {}
}

impl<T> NoCopy for &mut T {}

/// A local of a copy, which holds the copy of another function up to the end of the body.
#[derive(Debug)]
pub struct HeldCopy<T>(PhantomData<T>);

impl<T> HeldCopy<T> {
    /// Creates the local.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only expansions create it")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Creates the local for the output type of a function, which is not called.
    pub fn of<A>(_: impl FnOnce(A) -> T) -> Self {
        Self::new()
    }

    /// Determines the type of the copy.
    pub fn is(&self, copy: T) {
        core::mem::forget(copy);
    }
}

/// The destructor, because of which the compiler stores the local across each await.
impl<T> Drop for HeldCopy<T> {
    fn drop(&mut self) {}
}

/// Returns the type of a function's output as a value. The function is not called.
pub fn output_of<A, R>(_: impl FnOnce(A) -> R) -> PhantomData<R> {
    PhantomData
}

/// Drops a future. It is not dropped in the body of its own function, see the macro.
pub fn discard<F>(future: F) {
    drop(future);
}

/// Drops a future that the user may not want to drop.
#[must_use = "futures do nothing unless you `.await` or poll them"]
#[expect(
    clippy::must_use_unit,
    reason = "a statement drops a future that must be used"
)]
pub fn discard_unused<F>(future: F) {
    drop(future);
}

pub(super) fn not_run() -> ! {
    unreachable!("the copy of a body was run")
}
