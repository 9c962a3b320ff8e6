//! The position of a machine, read at the machine's address.
//!
//! A machine is `repr(C)` and begins with its storage. The first bytes of a storage depend only on
//! the type of its position. So no code has to name the storage, whose type the compiler would
//! check each time.

use core::marker::PhantomData;
use core::mem::offset_of;
use core::pin::Pin;
use core::ptr;

use super::super::position::{MachineStage, ParentLink, PositionStore, Progress, Table, Untraced};
use super::generic_storage::{RUNNING, RunningLayout};
use super::native_storage::state_at;
use crate::machine::walk::Walk;
use volt_inspect::machine::Tables;
use volt_inspect::machine::{Accessor, ExpandedAccessor};
use volt_inspect::machine::{PositionLayout, State};
use volt_inspect::{Inspector, MachineAccess};

/// The accessor of machines with a header `K` and the tables of `T`.
#[derive(Debug)]
pub struct HeaderAccessor<T, K>(PhantomData<fn() -> (T, K)>);

/// The first bytes of storages of one kind.
pub trait MachineHeader {
    /// The place of the state in the machine.
    #[doc(hidden)]
    const POSITION: PositionLayout;

    /// Returns the stage of the machine.
    ///
    /// # Safety
    ///
    /// There is such a storage at the address, and it is not being polled.
    #[doc(hidden)]
    unsafe fn stage(storage: *const ()) -> MachineStage;

    /// Continues a walk in the awaited future.
    ///
    /// # Safety
    ///
    /// The same as for `stage`, and the pointer may read all of the storage. In a walk as a tree,
    /// it may write the storage, too, and the caller has exclusive access to the machine.
    #[doc(hidden)]
    unsafe fn walk(storage: *const (), walk: &mut Walk<'_, '_>);
}

impl<T, K> ExpandedAccessor for HeaderAccessor<T, K> {}

impl<M, T: Table, K: MachineHeader> Accessor<M> for HeaderAccessor<T, K> {
    const TABLES: &'static Tables = T::TABLES;
    const POSITION: PositionLayout = K::POSITION;
    const ACCESS: Option<&'static dyn MachineAccess> = Some(const { &HeaderAccess::of::<T, K>() });

    unsafe fn state(machine: &M) -> &'static State {
        let machine = ptr::from_ref(machine).cast();
        // SAFETY: the machine names this accessor, so it begins with such a header.
        unsafe { const { &HeaderAccess::of::<T, K>() }.state(machine) }
    }

    unsafe fn trace(machine: &M, visit: &mut dyn FnMut(&'static State)) {
        let machine = ptr::from_ref(machine).cast();
        // SAFETY: promised by the caller.
        unsafe { const { &HeaderAccess::of::<T, K>() }.trace(machine, visit) };
    }

    unsafe fn inspect(machine: Pin<&mut M>, inspector: &mut Inspector<'_>) {
        // SAFETY: nothing is moved out.
        let machine: *mut M = unsafe { Pin::get_unchecked_mut(machine) };
        // SAFETY: promised by the caller.
        unsafe { const { &HeaderAccess::of::<T, K>() }.inspect(machine.cast(), inspector) };
    }
}

/// The functions of a [`MachineHeader`], and the tables of a machine with that header.
///
/// A type of machines adds only such a constant to a program. The code is the same for all types.
struct HeaderAccess {
    tables: &'static Tables,
    stage: unsafe fn(*const ()) -> MachineStage,
    walk: unsafe fn(*const (), &mut Walk<'_, '_>),
}

impl HeaderAccess {
    const fn of<T: Table, K: MachineHeader>() -> Self {
        Self {
            tables: T::TABLES,
            stage: K::stage,
            walk: K::walk,
        }
    }

    /// Returns the state of a machine.
    ///
    /// # Safety
    ///
    /// There is a live machine with this header at the address, and it is not being polled.
    #[inline(never)]
    unsafe fn state(&self, machine: *const ()) -> &'static State {
        // SAFETY: promised by the caller.
        state_at(unsafe { (self.stage)(machine) }, self.tables)
    }

    /// Walks a machine.
    ///
    /// # Safety
    ///
    /// The requirements of [`MachineAccess::trace`] or of [`MachineAccess::inspect`] hold, by the
    /// kind of the walk. The pointer is to all of the machine.
    unsafe fn walk(&self, machine: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller.
        let state = unsafe { self.state(machine) };
        walk.enter(state, self.tables, |walk| {
            // SAFETY: promised by the caller.
            unsafe { (self.walk)(machine, walk) };
        });
    }
}

impl MachineAccess for HeaderAccess {
    #[cold]
    #[inline(never)]
    unsafe fn trace(&self, machine: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        unsafe { self.walk(machine, &mut Walk::States(visit)) };
    }

    #[cold]
    #[inline(never)]
    unsafe fn inspect(&self, machine: *mut (), inspector: &mut Inspector<'_>) {
        // SAFETY: promised by the caller.
        unsafe { self.walk(machine, &mut Walk::Tree(inspector)) };
    }
}

/// Implements the header of storages that begin with their position.
macro_rules! header_is_position {
    ($([$($parameters:tt)*] $Notes:ty, $position:expr;)*) => { $(
        impl<$($parameters)*> MachineHeader for $Notes {
            const POSITION: PositionLayout = $position;

            unsafe fn stage(storage: *const ()) -> MachineStage {
                // SAFETY: promised by the caller.
                unsafe { &*storage.cast::<Self>() }.stage()
            }

            unsafe fn walk(storage: *const (), walk: &mut Walk<'_, '_>) {
                // SAFETY: promised by the caller.
                let position = unsafe { &*storage.cast::<Self>() };
                // SAFETY: as above; the coroutine is in the storage.
                unsafe { PositionStore::walk(position, storage, walk) };
            }
        }
    )* };
}

header_is_position! {
    [] Progress, Progress::SITE;
    [const RECEIVES: bool] Untraced<RECEIVES>, PositionLayout::Unknown;
}

/// The header of a [`GenericStorage`](super::GenericStorage) with a position `N`.
#[derive(Debug)]
pub struct GenericHeader<N>(PhantomData<fn() -> N>);

impl<N: ParentLink> GenericHeader<N> {
    /// Returns the position, or `None` before the first poll. Its offset depends on no coroutine.
    unsafe fn position<'a>(storage: *const ()) -> Option<&'a N> {
        // SAFETY: promised by the caller; the tag is a byte at the beginning.
        let tag = unsafe { storage.cast::<u8>().read() };
        // SAFETY: it is within the storage.
        let position = unsafe { storage.byte_add(offset_of!(RunningLayout<(), N>, position)) };
        // SAFETY: by the tag, the position is there.
        (tag == RUNNING).then(|| unsafe { &*position.cast::<N>() })
    }
}

impl<N: ParentLink> MachineHeader for GenericHeader<N> {
    // The position is there only while a tag has a certain value.
    const POSITION: PositionLayout = PositionLayout::Unknown;

    unsafe fn stage(storage: *const ()) -> MachineStage {
        // SAFETY: promised by the caller.
        unsafe { Self::position(storage) }.map_or(MachineStage::Start, PositionStore::stage)
    }

    unsafe fn walk(storage: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller.
        if let Some(position) = unsafe { Self::position(storage) } {
            // SAFETY: as above; the coroutine is in the storage.
            unsafe { position.walk(storage, walk) };
        }
    }
}
