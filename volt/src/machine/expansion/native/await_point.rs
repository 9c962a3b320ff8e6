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

use core::future::{Future, IntoFuture};
use core::marker::PhantomData;

#[cfg(feature = "std")]
use super::await_site::SiteOf;
use super::await_site::{DynamicTrace, StaticTrace, Tracer};
#[cfg(feature = "std")]
use super::compact::{CompactCoroutine, SuspendTable, await_coroutine};
use super::compact_await::CompactAwait;
use super::nested_await::NestedAwait;
use super::position::{ArgumentsPtr, CompactPtr, ParentLink, Progress, Table, Untraced};
use super::storage::{CoroutineStorage, NestedStorage, walk_storage};
use super::traced_await::TracedAwait;
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

    /// Awaits a machine in a compact machine.
    #[inline]
    pub fn __volt_compact<M: Table, const INDEX: usize, A>(
        self,
        ptr: CompactPtr<'_, A>,
    ) -> CompactAwait<F::IntoFuture> {
        CompactAwait::compact::<M, StaticTrace, INDEX, A>(self.0.into_future(), ptr)
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

    /// Awaits the machine. `ptr` belongs to a compact machine that awaits it at once.
    fn __volt_compact<M: Table, const INDEX: usize, A>(
        self,
        ptr: CompactPtr<'_, A>,
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

/// Records that a compact machine waits for the storage of a machine `F`.
#[cfg(feature = "std")]
#[inline]
pub fn await_in_compact<F: StateMachine, M: Table, const INDEX: usize, S: NestedStorage, A>(
    storage: S,
    ptr: CompactPtr<'_, A>,
) -> impl Future<Output = S::Output> {
    CompactAwait::compact::<M, StorageTrace<F>, INDEX, A>(storage, ptr)
}

/// Records that a machine waits for the storage of a machine `F`.
#[cfg(not(feature = "std"))]
#[inline]
pub fn await_in_compact<
    F: StateMachine,
    M: Table,
    const INDEX: usize,
    S: NestedStorage<Store: StorageAwait>,
    A,
>(
    storage: S,
    ptr: CompactPtr<'_, A>,
) -> <S::Store as StorageAwait>::Await<S> {
    await_storage::<F, M, INDEX, S, A>(storage, ptr.receive())
}

/// The coroutine of a machine that stores nothing else.
#[cfg(feature = "std")]
impl<A, C: Future, O, T: SuspendTable> CompactCoroutine<A, C, O, T> {
    /// Awaits the coroutine of a machine `F`.
    #[inline]
    pub fn at_site<F: StateMachine, M: Table, const INDEX: usize, B>(
        self,
        ptr: ArgumentsPtr<'_, B>,
    ) -> TracedAwait<Self> {
        TracedAwait::at_site::<M, StorageTrace<F>, INDEX, B>(self, ptr)
    }

    /// Awaits the coroutine of a machine `F` in a compact machine.
    #[inline]
    pub fn in_compact<F: StateMachine, M: Table, const INDEX: usize, B>(
        self,
        ptr: CompactPtr<'_, B>,
    ) -> Self {
        await_coroutine::<Self, M, StorageTrace<F>, INDEX, B>(self, ptr)
    }
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

    /// Awaits a future of an unknown kind in a compact machine.
    fn __volt_compact<M: Table, const INDEX: usize, A>(
        self,
        ptr: CompactPtr<'_, A>,
    ) -> CompactAwait<Self::Future>;

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
    fn __volt_compact<M: Table, const INDEX: usize, A>(
        self,
        ptr: CompactPtr<'_, A>,
    ) -> CompactAwait<F::IntoFuture> {
        CompactAwait::compact::<M, DynamicTrace, INDEX, A>(self.0.into_future(), ptr)
    }

    #[inline]
    fn __volt_nested<M, const INDEX: usize, A>(
        self,
        ptr: ArgumentsPtr<'_, A>,
    ) -> NestedAwait<'_, F::IntoFuture, M, DynamicTrace, INDEX> {
        NestedAwait::new(self.0.into_future(), ptr)
    }
}

/// The await of an operand that is no future. The compiler reports it at the `.await` that follows,
/// as it does in a plain function.
pub trait NotAFuture: Sized {
    /// The operand.
    type Value;

    /// Returns the operand, which is not a future.
    fn __volt_at_site<M, const INDEX: usize, A>(self, _: ArgumentsPtr<'_, A>) -> Self::Value {
        unreachable!("the operand is no future")
    }

    /// Returns the operand, which is not a future.
    fn __volt_compact<M, const INDEX: usize, A>(self, _: CompactPtr<'_, A>) -> Self::Value {
        unreachable!("the operand is no future")
    }

    /// Returns the operand, which is not a future.
    fn __volt_nested<M, const INDEX: usize, A>(self, _: ArgumentsPtr<'_, A>) -> Self::Value {
        unreachable!("the operand is no future")
    }
}

impl<F> NotAFuture for &AwaitOperand<F> {
    type Value = F;
}
