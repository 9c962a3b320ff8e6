//! `SiteOf` and `Tracer`: the site of an await, and how a trace continues in its future.

use core::marker::PhantomData;

use super::position::{Site, Table, Trace};
use crate::machine::walk::Walk;
use volt_inspect::machine::StateMachine;

/// A function that traces a future.
pub trait Tracer<F> {
    /// Walks the future at an address.
    ///
    /// # Safety
    ///
    /// `at` is the address of a live future, and nothing has a mutable reference into it. In a walk
    /// as a tree the caller has exclusive access to the future, and the pointer may write.
    #[doc(hidden)]
    unsafe fn trace(at: *const (), walk: &mut Walk<'_, '_>);
}

/// The tracer of a machine.
#[derive(Debug)]
pub struct StaticTrace;

impl<F: StateMachine> Tracer<F> for StaticTrace {
    unsafe fn trace(at: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller. Bytes that a machine may borrow from itself are in cells,
        // so a reference claims none of them.
        unsafe { walk.machine(at.cast::<F>()) };
    }
}

/// The tracer of a future that may have registered itself as a machine.
#[derive(Debug)]
pub struct DynamicTrace;

impl<F> Tracer<F> for DynamicTrace {
    unsafe fn trace(at: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller.
        unsafe { walk.future(at.cast::<F>()) };
    }
}

/// The site of an await of a future `F`, in which the tracer `T` continues a trace.
pub(super) struct SiteOf<F, M, T, const INDEX: usize>(PhantomData<(F, M, T)>);

impl<F, M: Table, T: Tracer<F>, const INDEX: usize> SiteOf<F, M, T, INDEX> {
    pub(super) const SITE: Site = {
        let trace: Trace = T::trace;
        Site {
            state: &M::TABLES.states[INDEX],
            trace,
            branches: 0,
        }
    };
}
