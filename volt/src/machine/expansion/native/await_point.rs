//! One `.await` of a native machine: it says where the machine stands, and leads the trace on.
//!
//! `Awaited(future).__volt_begin().__volt_at_site::<__FetchTable, 3, _>(late).await` polls the
//! future with the caller's own context. What it is is asked by the order in which methods are
//! found. The inherent `__volt_begin` wants a machine whose coroutine is
//! a parameter, which is then awaited as it is: [`GenericMachine`]. The one of [`BeginAwait`] takes anything. Then the inherent
//! `__volt_at_site` wants a machine, and the one of [`AnyFuture`] takes any future; both note the
//! site and give an [`TracedAwait`], which
//! is as long as the future and one pointer. Its type does not say which site that was, so there is one for each type
//! of future: the compiler looks at a type, and builds its poll, once for all awaits of it.

use core::future::{Future, IntoFuture, Pending, pending};
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::position::{
    ArgumentsPtr, MachineStage, PackedPtr, ParentLink, PositionStore, Progress, Site, Table, Trace,
    Untraced,
};
use super::storage::{CoroutineStorage, NestedStorage, trace_of};
use crate::machine::expansion::waker_check::checked_by;
use crate::machine::register::trace_registered;
use crate::machine::state::State;
use crate::machine::state_machine::StateMachine;

/// What stands in front of its `.await`.
#[derive(Debug)]
pub struct AwaitOperand<F>(pub F);

impl<F: IntoFuture<IntoFuture: StateMachine>> AwaitOperand<F> {
    /// The await of a machine: a trace goes on in it.
    #[inline]
    pub fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        late: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<F::IntoFuture> {
        TracedAwait::at_site::<M, StaticTrace, INDEX, A>(self.0.into_future(), late)
    }

    /// The same, where the coroutine does not await it itself.
    #[inline]
    pub fn __volt_nested<M, const INDEX: usize, A>(
        self,
        late: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, F::IntoFuture, M, StaticTrace, INDEX> {
        NestedAwait::new(self.0.into_future(), late)
    }
}

impl<F: IntoFuture<IntoFuture: GenericMachine>> AwaitOperand<F> {
    /// The await of a machine whose coroutine is a parameter: of its storage alone.
    #[inline]
    pub fn __volt_begin(self) -> F::IntoFuture {
        self.0.into_future()
    }
}

/// A machine that is awaited without its struct, and without an [`TracedAwait`] around it, so that the compiler has two types less
/// to count on the way into machines that await machines. The caller is told once where the storage lies, since
/// nothing else of its coroutine runs until that is done.
pub trait GenericMachine: StateMachine + Future {
    /// The await of it. `late` is that of the coroutine which awaits it at once.
    ///
    /// The output is no associated type: it names the arguments, which may be private.
    fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        late: ArgumentsPtr<'_, A>,
    ) -> impl Future<Output = Self::Output>;
}

/// Notes that a coroutine waits for the storage of a machine `F`.
#[inline]
pub fn await_storage<
    F: StateMachine,
    M: Table,
    const INDEX: usize,
    S: NestedStorage<PositionStore: StorageAwait>,
    A,
>(
    storage: S,
    late: ArgumentsPtr<'_, A>,
) -> <S::PositionStore as StorageAwait>::Await<S> {
    <S::PositionStore as StorageAwait>::await_storage::<S, F, M, INDEX, A>(storage, late)
}

/// By its notes a storage says where it lies, or is awaited as any other future.
pub trait StorageAwait: ParentLink {
    /// The await of a storage `S`.
    type Await<S: NestedStorage>: Future<Output = S::Output>;

    /// Begins it, of a machine `F`.
    fn await_storage<S: NestedStorage, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        late: ArgumentsPtr<'_, A>,
    ) -> Self::Await<S>;
}

impl StorageAwait for Progress {
    type Await<S: NestedStorage> = S;

    #[inline]
    fn await_storage<S: NestedStorage, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        late: ArgumentsPtr<'_, A>,
    ) -> S {
        late.enter(const { &SiteOf::<S, M, StorageTrace<F>, INDEX>::SITE });
        storage.with_parent(late.progress())
    }
}

impl<const RECEIVES: bool> StorageAwait for Untraced<RECEIVES> {
    type Await<S: NestedStorage> = TracedAwait<S>;

    #[inline]
    fn await_storage<S: NestedStorage, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        late: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<S> {
        TracedAwait::at_site::<M, StorageTrace<F>, INDEX, A>(storage, late)
    }
}

/// Begins the await of anything else.
pub trait BeginAwait: Sized {
    /// Does nothing.
    #[inline]
    #[must_use]
    fn __volt_begin(self) -> Self {
        self
    }
}

impl<F> BeginAwait for AwaitOperand<F> {}

/// The site of an await of a future `F`, in which a trace goes on by `T`.
struct SiteOf<F, M, T, const INDEX: usize>(PhantomData<(F, M, T)>);

impl<F, M: Table, T: Tracer<F>, const INDEX: usize> SiteOf<F, M, T, INDEX> {
    const SITE: Site = {
        let trace: Trace = T::trace;
        Site {
            state: &M::TABLES.states[INDEX],
            trace,
        }
    };
}

/// In the storage of a machine `F`.
#[derive(Debug)]
struct StorageTrace<F>(PhantomData<F>);

impl<S: CoroutineStorage, F: StateMachine> Tracer<S> for StorageTrace<F> {
    unsafe fn trace(at: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller. What may be borrowed by itself stands in cells.
        trace_of(unsafe { &*at.cast::<S>() }, F::TABLES, visit);
    }
}

/// The await of any other future.
pub trait AnyFuture: Sized {
    /// What is awaited.
    type Future: Future;

    /// The await of a future of which nothing is known.
    fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        late: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<Self::Future>;

    /// The same, where the coroutine does not await it itself.
    fn __volt_nested<M, const INDEX: usize, A>(
        self,
        late: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, Self::Future, M, DynamicTrace, INDEX>;
}

impl<F: IntoFuture> AnyFuture for AwaitOperand<F> {
    type Future = F::IntoFuture;

    #[inline]
    fn __volt_at_site<M: Table, const INDEX: usize, A>(
        self,
        late: ArgumentsPtr<'_, A>,
    ) -> TracedAwait<F::IntoFuture> {
        TracedAwait::at_site::<M, DynamicTrace, INDEX, A>(self.0.into_future(), late)
    }

    #[inline]
    fn __volt_nested<M, const INDEX: usize, A>(
        self,
        late: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, F::IntoFuture, M, DynamicTrace, INDEX> {
        NestedAwait::new(self.0.into_future(), late)
    }
}

/// The await of what is no future: the one method that is left there. What it would give can be
/// anything, so that one error is all that the user reads.
pub trait NotAFuture<T>: Sized {
    /// What is awaited.
    type Value;

    /// Refuses it.
    fn __volt_at_site<M, const INDEX: usize, A>(self, _: ArgumentsPtr<'_, A>) -> Pending<T>
    where
        Self::Value: IntoFuture,
    {
        pending()
    }

    /// The same.
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

/// How a trace goes on in a future.
pub trait Tracer<F> {
    /// Visits the states of the future at an address.
    ///
    /// # Safety
    ///
    /// There is a live future, and nothing holds a mutable reference into it.
    #[doc(hidden)]
    unsafe fn trace(at: *const (), visit: &mut dyn FnMut(&'static State));
}

/// In a machine.
#[derive(Debug)]
pub struct StaticTrace;

impl<F: StateMachine> Tracer<F> for StaticTrace {
    unsafe fn trace(at: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller. What may be borrowed by itself in a machine stands in
        // cells, so a shared reference claims nothing of it.
        let machine = unsafe { &*at.cast::<F>() };
        machine.trace(visit);
    }
}

/// In what has announced itself as a machine, if it has.
#[derive(Debug)]
pub struct DynamicTrace;

impl<F> Tracer<F> for DynamicTrace {
    unsafe fn trace(at: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        unsafe { trace_registered(at.cast::<F>(), visit) };
    }
}

/// A future that notes where it lies. Its site was noted when its await began: nothing else of the coroutine runs
/// until that is over.
///
/// It carries no lifetime, which the compiler would look for in every await: expanded code awaits it where it is made,
/// so nothing else of a body has it.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct TracedAwait<F> {
    future: F,
    link: PackedPtr<Progress>,
}

// SAFETY: the pointer leads to the machine that the await is a part of (N5), as with `ArgumentsPtr`.
unsafe impl<F: Send> Send for TracedAwait<F> {}
// SAFETY: as above.
unsafe impl<F: Sync> Sync for TracedAwait<F> {}

impl<F> TracedAwait<F> {
    /// Begins the await that the coroutine waits for at once.
    #[inline]
    fn at_site<M: Table, T: Tracer<F>, const INDEX: usize, A>(
        future: F,
        late: ArgumentsPtr<'_, A>,
    ) -> Self {
        late.enter(const { &SiteOf::<F, M, T, INDEX>::SITE });
        Self::new(future, late)
    }

    #[inline]
    fn new<A>(future: F, late: ArgumentsPtr<'_, A>) -> Self {
        Self {
            future,
            link: late.progress(),
        }
    }

    /// The progress of the machine around. A reference to all of the await would end those that the future has to itself.
    ///
    /// # Safety
    ///
    /// `this` is live.
    #[inline]
    unsafe fn progress<'m>(this: *const Self) -> &'m Progress {
        // SAFETY: promised by the caller.
        let link = unsafe { (*this).link };
        // SAFETY: N2, N5: the coroutine, and so the machine around it, outlives what it holds.
        unsafe { &*link.get() }
    }
}

impl<F: Future> TracedAwait<F> {
    /// Notes where the future lies, and polls it. `suspended_at` says at which state, if it waits and forgets its waker.
    #[inline]
    fn poll_at(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        suspended_at: impl FnOnce(&Progress) -> Option<&'static State>,
    ) -> Poll<F::Output> {
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live.
        let future = unsafe { &raw mut (*this).future };
        // SAFETY: `this` is live.
        let link = unsafe { (*this).link };
        // SAFETY: N2, N5: the machine around is being polled.
        let progress = unsafe { &*link.get() };
        if progress.refuses_poll_at(future.cast_const().cast(), cx) {
            return Poll::Pending;
        }
        // SAFETY: `this` is live, and nobody else has a reference to the field.
        let future = unsafe { &mut *future };
        // SAFETY: pinned as the whole is.
        let future = unsafe { Pin::new_unchecked(future) };
        checked_by(|cx| future.poll(cx), cx, || suspended_at(progress))
    }
}

impl<F: Future> Future for TracedAwait<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.poll_at(cx, |progress| match progress.stage() {
            MachineStage::Waiting(state) => Some(state),
            _ => None,
        })
    }
}

/// What the type of an await says of its site, and for how long it may be kept.
type SiteMarker<'m, M, T> = fn(&'m ()) -> (&'m (), M, T);

/// An [`TracedAwait`] that is not all that the coroutine waits for: within a block that is awaited, and that may go before it, or
/// around one. So it notes its site at each poll.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct NestedAwait<'m, F, M, T, const INDEX: usize> {
    at: TracedAwait<F>,
    site: PhantomData<SiteMarker<'m, M, T>>,
}

impl<'m, F, M, T, const INDEX: usize> NestedAwait<'m, F, M, T, INDEX> {
    #[inline]
    fn new<A>(future: F, late: ArgumentsPtr<'m, A>) -> Self {
        Self {
            at: TracedAwait::new(future, late),
            site: PhantomData,
        }
    }
}

impl<F: Future, M: Table, T: Tracer<F>, const INDEX: usize> Future
    for NestedAwait<'_, F, M, T, INDEX>
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let site = const { &SiteOf::<F, M, T, INDEX>::SITE };
        // SAFETY: the field is pinned as the whole is, and `drop` does not move it.
        let mut at = unsafe { self.map_unchecked_mut(|this| &mut this.at) };
        // SAFETY: nothing is moved out.
        let this: *mut TracedAwait<F> = unsafe { at.as_mut().get_unchecked_mut() };
        // SAFETY: the field is live.
        unsafe { TracedAwait::progress(this) }.set_site(site);
        at.poll_at(cx, |_| Some(site.state))
    }
}

impl<F, M, T, const INDEX: usize> Drop for NestedAwait<'_, F, M, T, INDEX> {
    #[inline]
    fn drop(&mut self) {
        let future = (&raw const self.at.future).cast();
        // SAFETY: the field is live.
        unsafe { TracedAwait::progress(&raw const self.at) }.clear_inner_at(future);
    }
}
