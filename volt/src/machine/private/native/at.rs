//! One `.await` of a native machine: it says where the machine stands, and leads the trace on.
//!
//! `Awaited(future).begin().at_site::<__FetchTable, 3, _>(late).await` polls the future with the caller's own context.
//! What it is is asked by the order in which methods are found. The inherent `begin` wants a machine whose coroutine is
//! a parameter, which is then awaited as it is: [`Opens`]. The one of [`Begin`] takes anything. Then the inherent
//! `at_site` wants a machine, and the one of [`AwaitAny`] takes any future; both give an [`At`], which is as
//! long as the future and one pointer.

use core::future::{Future, IntoFuture, Pending, pending};
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::caller::Calls;
use super::notes::{Brand, Packed};
use super::progress::{Late, Progress, Site, Trace};
use super::storage::{Nested, Storage, trace_of};
use super::table::Table;
use super::untraced::Untraced;
use crate::machine::announce::trace_announced;
use crate::machine::private::checked::checked_at;
use crate::machine::state::State;
use crate::machine::state_machine::StateMachine;

/// What stands in front of its `.await`.
#[derive(Debug)]
pub struct Awaited<F>(pub F);

impl<F: IntoFuture<IntoFuture: StateMachine>> Awaited<F> {
    /// The await of a machine: a trace goes on in it.
    #[inline]
    pub fn at_site<M, const INDEX: usize, A>(
        self,
        late: Late<'_, A>,
    ) -> At<'_, F::IntoFuture, M, Traced, INDEX> {
        At::new(self.0.into_future(), late)
    }

    /// The same, where the coroutine does not await it itself.
    #[inline]
    pub fn nested<M, const INDEX: usize, A>(
        self,
        late: Late<'_, A>,
    ) -> AtNested<'_, F::IntoFuture, M, Traced, INDEX> {
        AtNested(At::new(self.0.into_future(), late))
    }
}

impl<F: IntoFuture<IntoFuture: Opens>> Awaited<F> {
    /// The await of a machine whose coroutine is a parameter: of its storage alone.
    #[inline]
    pub fn begin(self) -> F::IntoFuture {
        self.0.into_future()
    }
}

/// A machine that is awaited without its struct, and without an [`At`] around it, so that the compiler has two types less
/// to count on the way into machines that await machines. The caller is told once where the storage lies, since
/// nothing else of its coroutine runs until that is done.
pub trait Opens: StateMachine + Future {
    /// The await of it. `late` is that of the coroutine which awaits it at once.
    ///
    /// The output is no associated type: it names the arguments, which may be private.
    fn at_site<M: Table, const INDEX: usize, A>(
        self,
        late: Late<'_, A>,
    ) -> impl Future<Output = Self::Output>;
}

/// Notes that a coroutine waits for the storage of a machine `F`.
#[inline]
pub fn nest<'m, F: StateMachine, M: Table, const INDEX: usize, S: Nested<Notes: Nests>, A>(
    storage: S,
    late: Late<'m, A>,
) -> <S::Notes as Nests>::Await<'m, S, F, M, INDEX> {
    <S::Notes as Nests>::nest::<S, F, M, INDEX, A>(storage, late)
}

/// By its notes a storage says where it lies, or is awaited as any other future.
pub trait Nests: Calls {
    /// The await of a storage `S` of a machine `F`.
    type Await<'m, S: Nested, F: StateMachine, M: Table, const INDEX: usize>: Future<
        Output = S::Output,
    >;

    /// Begins it.
    fn nest<'m, S: Nested, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        late: Late<'m, A>,
    ) -> Self::Await<'m, S, F, M, INDEX>;
}

impl Nests for Progress {
    type Await<'m, S: Nested, F: StateMachine, M: Table, const INDEX: usize> = S;

    #[inline]
    fn nest<S: Nested, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        late: Late<'_, A>,
    ) -> S {
        late.wait_at(const { &NestedSite::<S, F, M, INDEX>::SITE });
        storage.awaited_by(late.link())
    }
}

impl<const HANDS: bool> Nests for Untraced<HANDS> {
    type Await<'m, S: Nested, F: StateMachine, M: Table, const INDEX: usize> =
        At<'m, S, M, StorageOf<F>, INDEX>;

    #[inline]
    fn nest<'m, S: Nested, F: StateMachine, M: Table, const INDEX: usize, A>(
        storage: S,
        late: Late<'m, A>,
    ) -> At<'m, S, M, StorageOf<F>, INDEX> {
        At::new(storage, late)
    }
}

/// Begins the await of anything else.
pub trait Begin: Sized {
    /// Does nothing.
    #[inline]
    #[must_use]
    fn begin(self) -> Self {
        self
    }
}

impl<F> Begin for Awaited<F> {}

struct NestedSite<S, F, M, const INDEX: usize>(PhantomData<(S, F, M)>);

impl<S: Storage, F: StateMachine, M: Table, const INDEX: usize> NestedSite<S, F, M, INDEX> {
    const SITE: Site = Site {
        state: &M::TABLES.states[INDEX],
        trace: trace_nested::<S, F>,
    };
}

/// In the storage of a machine `F`.
#[derive(Debug)]
pub struct StorageOf<F>(PhantomData<F>);

impl<S: Storage, F: StateMachine> Tracer<S> for StorageOf<F> {
    unsafe fn trace(at: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        unsafe { trace_nested::<S, F>(at, visit) };
    }
}

/// # Safety
///
/// As for [`Tracer::trace`].
unsafe fn trace_nested<S: Storage, F: StateMachine>(
    at: *const (),
    visit: &mut dyn FnMut(&'static State),
) {
    // SAFETY: promised by the caller. What may be borrowed by itself stands in cells.
    trace_of(unsafe { &*at.cast::<S>() }, F::TABLES, visit);
}

/// The await of any other future.
pub trait AwaitAny: Sized {
    /// What is awaited.
    type Future: Future;

    /// The await of a future of which nothing is known.
    fn at_site<M, const INDEX: usize, A>(
        self,
        late: Late<'_, A>,
    ) -> At<'_, Self::Future, M, Asked, INDEX>;

    /// The same, where the coroutine does not await it itself.
    fn nested<M, const INDEX: usize, A>(
        self,
        late: Late<'_, A>,
    ) -> AtNested<'_, Self::Future, M, Asked, INDEX>;
}

impl<F: IntoFuture> AwaitAny for Awaited<F> {
    type Future = F::IntoFuture;

    #[inline]
    fn at_site<M, const INDEX: usize, A>(
        self,
        late: Late<'_, A>,
    ) -> At<'_, F::IntoFuture, M, Asked, INDEX> {
        At::new(self.0.into_future(), late)
    }

    #[inline]
    fn nested<M, const INDEX: usize, A>(
        self,
        late: Late<'_, A>,
    ) -> AtNested<'_, F::IntoFuture, M, Asked, INDEX> {
        AtNested(At::new(self.0.into_future(), late))
    }
}

/// What a future is, for the error where there is none.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a future",
    label = "this is awaited",
    note = "remove the `.await`, or call a function that gives a future"
)]
pub trait Awaitable {}

/// The await of what is no future: the one method that is left there. What it would give can be
/// anything, so that one error is all that the user reads.
pub trait AwaitNone<T>: Sized {
    /// What is awaited.
    type Value;

    /// Refuses it.
    fn at_site<M, const INDEX: usize, A>(self, _: Late<'_, A>) -> Pending<T>
    where
        Self::Value: Awaitable,
    {
        pending()
    }

    /// The same.
    fn nested<M, const INDEX: usize, A>(self, _: Late<'_, A>) -> Pending<T>
    where
        Self::Value: Awaitable,
    {
        pending()
    }
}

impl<F, T> AwaitNone<T> for &Awaited<F> {
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
pub struct Traced;

impl<F: StateMachine> Tracer<F> for Traced {
    unsafe fn trace(at: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller. What may be borrowed by itself in a machine stands in
        // cells, so a shared reference claims nothing of it.
        let machine = unsafe { &*at.cast::<F>() };
        machine.trace(visit);
    }
}

/// In what has announced itself as a machine, if it has.
#[derive(Debug)]
pub struct Asked;

impl<F> Tracer<F> for Asked {
    unsafe fn trace(at: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        unsafe { trace_announced(at.cast::<F>(), visit) };
    }
}

/// A future that notes where it is awaited.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct At<'m, F, M, T, const INDEX: usize> {
    future: F,
    link: Packed<Progress>,
    brand: PhantomData<Brand<'m, (T, *const M)>>,
}

// SAFETY: the pointer leads to the machine that the await is a part of (N5), as with `Late`.
unsafe impl<F: Send, M, T, const INDEX: usize> Send for At<'_, F, M, T, INDEX> {}
// SAFETY: as above.
unsafe impl<F: Sync, M, T, const INDEX: usize> Sync for At<'_, F, M, T, INDEX> {}

impl<'m, F, M, T, const INDEX: usize> At<'m, F, M, T, INDEX> {
    #[inline]
    fn new<A>(future: F, late: Late<'m, A>) -> Self {
        Self {
            future,
            link: late.link(),
            brand: PhantomData,
        }
    }
}

impl<F: Future, M: Table, T: Tracer<F>, const INDEX: usize> At<'_, F, M, T, INDEX> {
    const SITE: Site = {
        let trace: Trace = T::trace;
        Site {
            state: &M::TABLES.states[INDEX],
            trace,
        }
    };
}

impl<F: Future, M: Table, T: Tracer<F>, const INDEX: usize> Future for At<'_, F, M, T, INDEX> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live.
        let future = unsafe { &raw mut (*this).future };
        // SAFETY: `this` is live.
        let link = unsafe { (*this).link };
        // SAFETY: N2, N5: the machine around is being polled.
        let progress = unsafe { &*link.get() };
        progress.at(const { &Self::SITE }, future.cast_const().cast());
        // SAFETY: `this` is live, and nobody else has a reference to the field.
        let future = unsafe { &mut *future };
        // SAFETY: pinned as the whole is.
        let future = unsafe { Pin::new_unchecked(future) };
        checked_at(|cx| future.poll(cx), cx, Self::SITE.state)
    }
}

/// An [`At`] within a block that the coroutine does not await itself, and that may go before it.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct AtNested<'m, F, M, T, const INDEX: usize>(At<'m, F, M, T, INDEX>);

impl<F: Future, M: Table, T: Tracer<F>, const INDEX: usize> Future
    for AtNested<'_, F, M, T, INDEX>
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the field is pinned as the whole is, and `drop` does not move it.
        unsafe { self.map_unchecked_mut(|this| &mut this.0) }.poll(cx)
    }
}

impl<F, M, T, const INDEX: usize> Drop for AtNested<'_, F, M, T, INDEX> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: N5: the coroutine, and so the machine around it, outlives what it holds.
        let progress = unsafe { &*self.0.link.get() };
        progress.left((&raw const self.0.future).cast());
    }
}
