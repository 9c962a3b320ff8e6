//! `PinnedLocal`: a local that `pin!` has bound, and its kind.

use core::cell::Cell;
use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::ops::Deref;
use core::pin::Pin;
use core::ptr;

use super::super::await_site::{DynamicTrace, StaticTrace, Tracer};
use super::super::position::{Table, Trace};
use crate::machine::expansion::dormant_check::HeldUnpolled;
use crate::machine::runs_unpolled::RunsUnpolled;
use crate::machine::walk::Walk;
use volt_inspect::machine::StateMachine;

/// The kind of a pinned local.
struct PinnedKind {
    /// The name of the local.
    name: &'static str,
    /// The function that continues a trace in the future.
    trace: Trace,
    /// The kind of the local after an await may have polled it, or `None` if one has.
    polled: Option<&'static Self>,
}

/// The kind of the pinned local with this index, of type `F`.
struct KindOf<F, M, T, const INDEX: usize>(PhantomData<(F, M, T)>);

impl<F, M: Table, T: Tracer<F>, const INDEX: usize> KindOf<F, M, T, INDEX> {
    const POLLED: PinnedKind = {
        let trace: Trace = T::trace;
        PinnedKind {
            name: M::PINNED[INDEX],
            trace,
            polled: None,
        }
    };

    const NEW: PinnedKind = PinnedKind {
        polled: Some(&Self::POLLED),
        ..Self::POLLED
    };
}

/// A local that `pin!` has bound: the address of the future, and its kind.
///
/// Expanded code declares it in the block of the pinned value, after that value, and names it in
/// this block only. So the value is live wherever the local is used.
pub struct PinnedLocal {
    /// The address of the future, or null if the local is no future, or an await has consumed it.
    future: Cell<*const ()>,
    kind: Cell<&'static PinnedKind>,
}

// SAFETY: only the running body writes the cells. The address is used by a trace, which has
// exclusive access to the machine, and the pinned value itself is a part of the machine's type.
unsafe impl Send for PinnedLocal {}
// SAFETY: as above.
unsafe impl Sync for PinnedLocal {}

impl fmt::Debug for PinnedLocal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PinnedLocal")
            .field(&self.kind.get().name)
            .finish()
    }
}

impl PinnedLocal {
    fn of<F, M: Table, T: Tracer<F>, const INDEX: usize>(future: *const F) -> Self {
        Self {
            future: Cell::new(future.cast()),
            kind: Cell::new(const { &KindOf::<F, M, T, INDEX>::NEW }),
        }
    }

    /// Records that the next await may poll the future. Returns the pointer of that await.
    #[inline]
    pub fn polled<P>(&self, ptr: P) -> P {
        if let Some(polled) = self.kind.get().polled {
            self.kind.set(polled);
        }
        ptr
    }

    /// Records that the next await ends with the future, so that no later await is beside it.
    /// Returns the pointer of that await.
    #[inline]
    pub fn consumed<P>(&self, ptr: P) -> P {
        self.future.set(ptr::null());
        ptr
    }

    /// Returns the local as the next await stores it, which does not poll the future.
    #[inline]
    #[must_use]
    pub fn dormant(&self) -> DormantLocal {
        let kind = self.kind.get();
        let is_polled = kind.polled.is_none();
        let future = is_polled.then(|| self.future.get());
        DormantLocal {
            future: future.unwrap_or(ptr::null()),
            kind,
        }
    }
}

/// A pinned local beside an await that does not poll it.
#[derive(Clone, Copy)]
pub struct DormantLocal {
    /// The address of the future, or null if no await has polled it.
    future: *const (),
    kind: &'static PinnedKind,
}

// SAFETY: as for `PinnedLocal`.
unsafe impl Send for DormantLocal {}
// SAFETY: as above.
unsafe impl Sync for DormantLocal {}

impl fmt::Debug for DormantLocal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DormantLocal")
            .field(&self.kind.name)
            .finish()
    }
}

impl DormantLocal {
    /// # Safety
    ///
    /// The machine is not being polled, and the caller has exclusive access to it if the walk
    /// reports a tree. The pinned value is live.
    pub(super) unsafe fn walk(self, walk: &mut Walk<'_, '_>) {
        if self.future.is_null() {
            return;
        }
        walk.dormant(self.kind.name, |walk| {
            // SAFETY: promised by the caller, and `KindOf` has the tracer of the value's type.
            unsafe { (self.kind.trace)(self.future, walk) };
        });
    }
}

/// The tracer of a future that is not read.
#[derive(Debug)]
struct TypeTrace;

impl<F> Tracer<F> for TypeTrace {
    unsafe fn trace(_: *const (), walk: &mut Walk<'_, '_>) {
        walk.type_of::<F>();
    }
}

/// The probe of a local that may be a pinned future.
#[derive(Debug)]
pub struct PinnedProbe<'a, T>(MachineProbe<'a, T>);

/// The probe of a local whose type is not `Unpin`, and may be a pinned machine.
#[derive(Debug)]
pub struct MachineProbe<'a, T>(FutureProbe<'a, T>);

/// The probe of a local that may be any other pinned future.
#[derive(Debug)]
pub struct FutureProbe<'a, T>(OtherProbe<'a, T>);

/// The probe of a local that is no pinned future.
#[derive(Debug)]
pub struct OtherProbe<'a, T>(&'a T);

/// Returns the probe of a local.
#[inline]
pub fn pinned_probe<T>(local: &T) -> PinnedProbe<'_, T> {
    PinnedProbe(MachineProbe(FutureProbe(OtherProbe(local))))
}

impl<'a, T> Deref for PinnedProbe<'a, T> {
    type Target = MachineProbe<'a, T>;

    #[inline]
    fn deref(&self) -> &MachineProbe<'a, T> {
        &self.0
    }
}

impl<'a, T> Deref for MachineProbe<'a, T> {
    type Target = FutureProbe<'a, T>;

    #[inline]
    fn deref(&self) -> &FutureProbe<'a, T> {
        &self.0
    }
}

impl<'a, T> Deref for FutureProbe<'a, T> {
    type Target = OtherProbe<'a, T>;

    #[inline]
    fn deref(&self) -> &OtherProbe<'a, T> {
        &self.0
    }
}

impl<F> FutureProbe<'_, Pin<&mut F>> {
    /// Returns the address of the pinned value, with the permissions of the pin.
    #[inline]
    fn address(&self) -> *const F {
        let pin: *const Pin<&mut F> = self.0.0;
        // SAFETY: the local is live. A `Pin` has the representation of its pointer.
        unsafe { pin.cast::<*const F>().read() }
    }
}

impl<F: Future + Unpin> PinnedProbe<'_, Pin<&mut F>> {
    /// Returns a future that is not read, because its type is `Unpin`.
    #[inline]
    #[must_use]
    pub fn __volt_pinned<M: Table, const INDEX: usize>(&self) -> PinnedLocal {
        PinnedLocal::of::<F, M, TypeTrace, INDEX>(self.address())
    }
}

impl<F: RunsUnpolled> PinnedProbe<'_, Pin<&mut F>> {
    /// Accepts a future that makes progress without polls.
    pub fn __volt_deny_dormant<const LINE: u32>(&self) {}
}

impl<F: Future> FutureProbe<'_, Pin<&mut F>> {
    /// Fails to compile, because the future is held across an await that does not poll it.
    pub fn __volt_deny_dormant<const LINE: u32>(&self)
    where
        F: HeldUnpolled<LINE>,
    {
    }
}

impl<T> OtherProbe<'_, T> {
    /// Accepts a local that is no pinned future.
    pub fn __volt_deny_dormant<const LINE: u32>(&self) {}
}

impl<F: StateMachine> MachineProbe<'_, Pin<&mut F>> {
    /// Returns a machine, in which a trace continues.
    #[inline]
    #[must_use]
    pub fn __volt_pinned<M: Table, const INDEX: usize>(&self) -> PinnedLocal {
        PinnedLocal::of::<F, M, StaticTrace, INDEX>(self.address())
    }
}

impl<F: Future> FutureProbe<'_, Pin<&mut F>> {
    /// Returns any other future, in which a trace continues if its type is registered.
    #[inline]
    #[must_use]
    pub fn __volt_pinned<M: Table, const INDEX: usize>(&self) -> PinnedLocal {
        PinnedLocal::of::<F, M, DynamicTrace, INDEX>(self.address())
    }

    /// Returns a future that is not read, because its type may be `Unpin`.
    #[inline]
    #[must_use]
    pub fn __volt_pinned_type<M: Table, const INDEX: usize>(&self) -> PinnedLocal {
        PinnedLocal::of::<F, M, TypeTrace, INDEX>(self.address())
    }
}

impl<T> OtherProbe<'_, T> {
    /// Returns a local that is never part of a tree.
    #[inline]
    #[must_use]
    pub fn __volt_pinned<M: Table, const INDEX: usize>(&self) -> PinnedLocal {
        PinnedLocal::of::<(), M, TypeTrace, INDEX>(ptr::null())
    }

    /// Returns a local that is never part of a tree.
    #[inline]
    #[must_use]
    pub fn __volt_pinned_type<M: Table, const INDEX: usize>(&self) -> PinnedLocal {
        self.__volt_pinned::<M, INDEX>()
    }
}
