//! One `.await` of a native machine: it records the position of the machine, and continues a trace.
//!
//! `AwaitOperand(future).__volt_begin().__volt_at_site::<__FetchTable, 3, _>(ptr).await` polls the
//! future with the caller's own context. The kind of future is chosen by autoref specialization:
//!
//! 1. The inherent `__volt_begin` requires a machine whose coroutine is a type parameter
//!    ([`GenericMachine`]), and the method of [`BeginAwait`] accepts any operand.
//! 2. The inherent `__volt_at_site` requires a machine, and the method of [`AnyFuture`] any future.
//!    Both record the site and return a [`TracedAwait`]: the future and its link to the machine,
//!    which takes no bytes with the feature `std`.
//!
//! The type of a `TracedAwait` does not name the site, so there is one type for each type of
//! future. The compiler then checks and builds its poll once for all awaits of that type.

use core::future::{Future, IntoFuture, Pending, pending};
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::await_site::{DynamicTrace, SiteOf, StaticTrace, Tracer};
use super::position::{
    ArgumentsPtr, MachineLink, MachinePtr, ParentLink, PositionStore, Progress, Table, Untraced,
    note_pending,
};
use super::storage::{CoroutineStorage, NestedStorage, walk_storage};
use crate::machine::expansion::waker_check::{checked_by, noted_by};
use crate::machine::walk::Walk;
use volt_inspect::machine::StateMachine;

/// The operand of an `.await`.
#[derive(Debug)]
pub struct AwaitOperand<F>(pub F);

impl<F: IntoFuture<IntoFuture: StateMachine>> AwaitOperand<F> {
    /// Awaits a machine. A trace continues in it.
    #[inline]
    pub fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<F::IntoFuture> {
        TracedAwait::at_site::<M, StaticTrace, INDEX, A>(self.0.into_future(), ptr)
    }

    /// Awaits a machine in a block that the coroutine awaits.
    #[inline]
    pub fn __volt_nested<M, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, F::IntoFuture, M, StaticTrace, INDEX> {
        NestedAwait::new(self.0.into_future(), ptr)
    }
}

impl<F: IntoFuture<IntoFuture: GenericMachine>> AwaitOperand<F> {
    /// Awaits a machine whose coroutine is a type parameter, by its storage alone.
    #[inline]
    pub fn __volt_begin(self) -> F::IntoFuture {
        self.0.into_future()
    }
}

/// A machine that is awaited without its struct and without a [`TracedAwait`], so that the compiler
/// counts two types less for each level. It records the address of its storage in the awaiting
/// machine once, because nothing else of that coroutine runs until the await ends.
pub trait GenericMachine: StateMachine + Future {
    /// Awaits the machine. `ptr` belongs to the coroutine that awaits it at once.
    ///
    /// The output is no associated type: it names the arguments, whose types may be private.
    fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> impl Future<Output = Self::Output>;
}

/// Records that a coroutine waits for the storage of a machine `F`.
#[inline]
pub fn await_storage<
    F: StateMachine,
    M: Table,
    const INDEX: usize,
    S: NestedStorage<Store: StorageAwait>,
    A,
>(
    storage: S,
    ptr: ArgumentsPtr<'_, A>,
) -> <S::Store as StorageAwait>::Await<S> {
    <S::Store as StorageAwait>::await_storage::<S, F, M, INDEX, A>(storage, ptr)
}

/// A position store whose storage records its own address, or is awaited as any other future is.
pub trait StorageAwait: ParentLink {
    /// The await of a storage `S`.
    type Await<S: NestedStorage>: Future<Output = S::Output>;

    /// Begins the await of the storage of a machine `F`.
    fn await_storage<S: NestedStorage, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        ptr: ArgumentsPtr<'_, A>,
    ) -> Self::Await<S>;
}

/// Without the feature `std`, a storage that has ended cannot clear its address.
#[cfg(not(feature = "std"))]
impl StorageAwait for Progress {
    type Await<S: NestedStorage> = TracedAwait<S>;

    #[inline]
    fn await_storage<S: NestedStorage, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        ptr: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<S> {
        TracedAwait::at_site::<M, StorageTrace<F>, INDEX, A>(storage, ptr)
    }
}

#[cfg(feature = "std")]
impl StorageAwait for Progress {
    type Await<S: NestedStorage> = S;

    #[inline]
    fn await_storage<S: NestedStorage, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        ptr: ArgumentsPtr<'_, A>,
    ) -> S {
        ptr.enter(const { &SiteOf::<S, M, StorageTrace<F>, INDEX>::SITE });
        storage.with_parent(ptr.machine())
    }
}

impl<const RECEIVES: bool> StorageAwait for Untraced<RECEIVES> {
    type Await<S: NestedStorage> = TracedAwait<S>;

    #[inline]
    fn await_storage<S: NestedStorage, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        ptr: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<S> {
        TracedAwait::at_site::<M, StorageTrace<F>, INDEX, A>(storage, ptr)
    }
}

/// Begins the await of any other operand.
pub trait BeginAwait: Sized {
    /// Returns the operand.
    #[inline]
    #[must_use]
    fn __volt_begin(self) -> Self {
        self
    }
}

impl<F> BeginAwait for AwaitOperand<F> {}

/// The tracer of the storage of a machine `F`.
#[derive(Debug)]
struct StorageTrace<F>(PhantomData<F>);

impl<S: CoroutineStorage, F: StateMachine> Tracer<S> for StorageTrace<F> {
    unsafe fn trace(at: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller. Bytes that the future may borrow from itself are in
        // cells.
        walk_storage(unsafe { &*at.cast::<S>() }, F::TABLES, walk);
    }
}

/// The await of any other future.
pub trait AnyFuture: Sized {
    /// The awaited future.
    type Future: Future;

    /// The tracer of that future.
    type Trace;

    /// Awaits a future of an unknown kind.
    fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<Self::Future>;

    /// Awaits a future of an unknown kind in a block that the coroutine awaits.
    fn __volt_nested<M, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, Self::Future, M, Self::Trace, INDEX>;
}

impl<F: IntoFuture> AnyFuture for AwaitOperand<F> {
    type Future = F::IntoFuture;
    type Trace = DynamicTrace;

    #[inline]
    fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<F::IntoFuture> {
        TracedAwait::at_site::<M, DynamicTrace, INDEX, A>(self.0.into_future(), ptr)
    }

    #[inline]
    fn __volt_nested<M, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, F::IntoFuture, M, DynamicTrace, INDEX> {
        NestedAwait::new(self.0.into_future(), ptr)
    }
}

/// The await of an operand that is no future. Its output can be any type, to get one error only.
pub trait NotAFuture<T>: Sized {
    /// The operand.
    type Value;

    /// Fails to compile, because the operand is not a future.
    fn __volt_at_site<M, const INDEX: usize, A>(self, _: ArgumentsPtr<'_, A>) -> Pending<T>
    where
        Self::Value: IntoFuture,
    {
        pending()
    }

    /// Fails to compile, because the operand is not a future.
    fn __volt_nested<M, const INDEX: usize, A>(self, _: ArgumentsPtr<'_, A>) -> Pending<T>
    where
        Self::Value: IntoFuture,
    {
        pending()
    }
}

impl<F, T> NotAFuture<T> for &AwaitOperand<F> {
    type Value = F;
}

/// A future that records its own address at its first poll. Its site was recorded when the await
/// began, because nothing else of the coroutine runs until the await ends.
///
/// It has no lifetime, because the compiler would check that in every await. Expanded code awaits
/// it in the expression that creates it, so nothing else of a body can store it, and its first poll
/// is next.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct TracedAwait<F> {
    future: F,
    link: MachineLink,
}

impl<F> TracedAwait<F> {
    /// Begins an await that the coroutine waits for at once.
    #[inline]
    pub(super) fn at_site<M: Table, T: Tracer<F>, const INDEX: usize, A>(
        future: F,
        ptr: ArgumentsPtr<'_, A>,
    ) -> Self {
        ptr.enter(const { &SiteOf::<F, M, T, INDEX>::SITE });
        let link = MachineLink::new(ptr.machine());
        Self { future, link }
    }
}

impl<F: Future> Future for TracedAwait<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live.
        let link = unsafe { (*this).link };
        // SAFETY: N2, N5, N8: the machine around the await is being polled.
        let progress = unsafe { link.at_poll().cast::<Progress>().as_ref() };
        // SAFETY: `this` is live.
        let future = unsafe { &raw mut (*this).future };
        let at = future.cast_const().cast();
        if progress.is_some_and(|progress| progress.refuses_poll_at(at, cx)) {
            note_pending(at);
            return Poll::Pending;
        }
        // SAFETY: `this` is live, and there is no other reference to the field.
        let future = unsafe { &mut *future };
        // SAFETY: the field is pinned because the await is.
        let future = unsafe { Pin::new_unchecked(future) };
        let polled = noted_by(|cx| future.poll(cx), cx, || progress?.stage().waiting());
        if polled.is_pending() {
            note_pending(at);
        } else if cfg!(not(feature = "std"))
            && let Some(progress) = progress
        {
            progress.clear_inner_at(at);
        }
        polled
    }
}

/// The site of a nested await, as a type, and its lifetime.
type SiteMarker<'m, M, T> = fn(&'m ()) -> (&'m (), M, T);

/// An await in a block that the coroutine awaits. The block may drop it early, or hold several of
/// them. So it has a pointer to the machine, and records its site at each poll.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct NestedAwait<'m, F, M, T, const INDEX: usize> {
    future: F,
    machine: MachinePtr,
    site: PhantomData<SiteMarker<'m, M, T>>,
}

impl<'m, F, M, T, const INDEX: usize> NestedAwait<'m, F, M, T, INDEX> {
    #[inline]
    pub(super) fn new<A>(future: F, ptr: ArgumentsPtr<'m, A>) -> Self {
        Self {
            future,
            machine: ptr.machine(),
            site: PhantomData,
        }
    }

    /// Returns the progress of the machine. A reference to the await would invalidate the future's
    /// own ones.
    ///
    /// # Safety
    ///
    /// `this` is live.
    #[inline]
    unsafe fn progress(this: *const Self) -> &'m Progress {
        // SAFETY: promised by the caller.
        let machine = unsafe { (*this).machine };
        // SAFETY: N2, N5: the coroutine, and so the machine around it, outlives what it holds.
        unsafe { &*machine.get().cast::<Progress>() }
    }
}

impl<F: Future, M: Table, T: Tracer<F>, const INDEX: usize> Future
    for NestedAwait<'_, F, M, T, INDEX>
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let site = const { &SiteOf::<F, M, T, INDEX>::SITE };
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live.
        let progress = unsafe { Self::progress(this) };
        progress.set_site(site);
        // SAFETY: `this` is live.
        let future = unsafe { &raw mut (*this).future };
        let at = future.cast_const().cast();
        if progress.refuses_poll_at(at, cx) {
            note_pending(at);
            return Poll::Pending;
        }
        // SAFETY: `this` is live, and there is no other reference to the field.
        let future = unsafe { &mut *future };
        // SAFETY: the field is pinned because the await is, and `drop` does not move it.
        let future = unsafe { Pin::new_unchecked(future) };
        let polled = checked_by(|cx| future.poll(cx), cx, || Some(site.state));
        if polled.is_pending() {
            note_pending(at);
        }
        polled
    }
}

impl<F, M, T, const INDEX: usize> Drop for NestedAwait<'_, F, M, T, INDEX> {
    #[inline]
    fn drop(&mut self) {
        let future = (&raw const self.future).cast();
        // SAFETY: the await is live.
        unsafe { Self::progress(self) }.clear_inner_at(future);
    }
}
