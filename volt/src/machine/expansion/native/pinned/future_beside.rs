//! An await with the pinned locals beside it, which it does not poll.

use core::future::{Future, IntoFuture};
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::await_point::{AnyFuture, AwaitOperand, NotAFuture};
use super::super::await_site::{DynamicTrace, StaticTrace, Tracer};
use super::super::compact_await::CompactAwait;
use super::super::nested_await::NestedAwait;
use super::super::position::{ArgumentsPtr, CompactPtr, Table};
use super::super::traced_await::TracedAwait;
use super::pinned_local::DormantLocal;
use crate::machine::walk::Walk;
use volt_inspect::machine::StateMachine;

/// The operand of an await, with the pinned locals beside it.
#[derive(Debug)]
pub struct OperandBeside<F, const LOCALS: usize>(F, [DormantLocal; LOCALS]);

impl<F> AwaitOperand<F> {
    /// Adds the pinned locals that the await does not poll.
    #[inline]
    pub fn __volt_beside<const LOCALS: usize>(
        self,
        locals: [DormantLocal; LOCALS],
    ) -> OperandBeside<F, LOCALS> {
        OperandBeside(self.0, locals)
    }
}

/// A future, with the pinned locals beside its await.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct FutureBeside<F, const LOCALS: usize> {
    future: F,
    locals: [DormantLocal; LOCALS],
}

impl<F: Future, const LOCALS: usize> Future for FutureBeside<F, LOCALS> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future is pinned because this is, and nothing moves it.
        unsafe { self.map_unchecked_mut(|this| &mut this.future) }.poll(cx)
    }
}

impl<F: IntoFuture, const LOCALS: usize> OperandBeside<F, LOCALS> {
    #[inline]
    fn into_beside(self) -> FutureBeside<F::IntoFuture, LOCALS> {
        FutureBeside {
            future: self.0.into_future(),
            locals: self.1,
        }
    }
}

/// The tracer of a future and of the pinned locals beside its await.
#[derive(Debug)]
pub struct TraceBeside<T>(PhantomData<T>);

impl<F, T: Tracer<F>, const LOCALS: usize> Tracer<FutureBeside<F, LOCALS>> for TraceBeside<T> {
    unsafe fn trace(at: *const (), walk: &mut Walk<'_, '_>) {
        let this = at.cast::<FutureBeside<F, LOCALS>>();
        // SAFETY: promised by the caller.
        let future = unsafe { &raw const (*this).future };
        // SAFETY: promised by the caller.
        unsafe { T::trace(future.cast(), walk) };
        // SAFETY: promised by the caller.
        let locals = unsafe { (*this).locals };
        for local in locals {
            // SAFETY: N9: the pinned values are live as long as the await. The caller has
            // exclusive access to the machine in a tree.
            unsafe { local.walk(walk) };
        }
    }
}

impl<F: IntoFuture<IntoFuture: StateMachine>, const LOCALS: usize> OperandBeside<F, LOCALS> {
    /// Awaits a machine. A trace continues in it.
    #[inline]
    pub fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<FutureBeside<F::IntoFuture, LOCALS>> {
        TracedAwait::at_site::<M, TraceBeside<StaticTrace>, INDEX, A>(self.into_beside(), ptr)
    }

    /// Awaits a machine in a compact machine.
    #[inline]
    pub fn __volt_compact<M: Table, const INDEX: usize, A>(
        self,
        ptr: CompactPtr<'_, A>,
    ) -> CompactAwait<FutureBeside<F::IntoFuture, LOCALS>> {
        CompactAwait::compact::<M, TraceBeside<StaticTrace>, INDEX, A>(self.into_beside(), ptr)
    }

    /// Awaits a machine in a block that the coroutine awaits.
    #[inline]
    pub fn __volt_nested<M, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, FutureBeside<F::IntoFuture, LOCALS>, M, TraceBeside<StaticTrace>, INDEX>
    {
        NestedAwait::new(self.into_beside(), ptr)
    }
}

impl<F: IntoFuture, const LOCALS: usize> AnyFuture for OperandBeside<F, LOCALS> {
    type Future = FutureBeside<F::IntoFuture, LOCALS>;
    type Trace = TraceBeside<DynamicTrace>;

    #[inline]
    fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<Self::Future> {
        TracedAwait::at_site::<M, Self::Trace, INDEX, A>(self.into_beside(), ptr)
    }

    #[inline]
    fn __volt_compact<M: Table, const INDEX: usize, A>(
        self,
        ptr: CompactPtr<'_, A>,
    ) -> CompactAwait<Self::Future> {
        CompactAwait::compact::<M, Self::Trace, INDEX, A>(self.into_beside(), ptr)
    }

    #[inline]
    fn __volt_nested<M, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, Self::Future, M, Self::Trace, INDEX> {
        NestedAwait::new(self.into_beside(), ptr)
    }
}

impl<F, const LOCALS: usize> NotAFuture for &OperandBeside<F, LOCALS> {
    type Value = F;
}
