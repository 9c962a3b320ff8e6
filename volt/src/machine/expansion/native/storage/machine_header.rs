//! Where a machine stands, read at its address.
//!
//! A machine is `repr(C)` and begins with its storage, and what that begins with depends on no type but that of its notes.
//! So nobody has to name the storage, whose type the compiler would look through each time.

use core::marker::PhantomData;
use core::mem::offset_of;

use super::super::position::{MachineStage, ParentLink, PositionStore, Progress, Table, Untraced};
use super::generic_storage::{RUNNING, RunningLayout};
use super::native_storage::state_at;
use crate::machine::introspect::{Accessor, ExpandedAccessor};
use crate::machine::state::State;
use crate::machine::tables::Tables;

/// As a storage of the kind `K` tells, by the tables of `T`.
#[derive(Debug)]
pub struct HeaderAccessor<T, K>(PhantomData<fn() -> (T, K)>);

/// What storages of one kind begin with.
pub trait MachineHeader {
    /// Where the machine stands.
    ///
    /// # Safety
    ///
    /// Such a storage is there, and nobody polls it meanwhile.
    #[doc(hidden)]
    unsafe fn stage(storage: *const ()) -> MachineStage;

    /// Goes on with a trace in what is awaited.
    ///
    /// # Safety
    ///
    /// As for `stage`, with leave to read all of the storage.
    #[doc(hidden)]
    unsafe fn trace(storage: *const (), visit: &mut dyn FnMut(&'static State));
}

impl<T, K> ExpandedAccessor for HeaderAccessor<T, K> {}

impl<M, T: Table, K: MachineHeader> Accessor<M> for HeaderAccessor<T, K> {
    const TABLES: &'static Tables = T::TABLES;

    unsafe fn state(machine: &M) -> &'static State {
        // SAFETY: the machine says that it begins so.
        let stage = unsafe { K::stage(core::ptr::from_ref(machine).cast()) };
        state_at(stage, T::TABLES)
    }

    unsafe fn trace(machine: &M, visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        visit(unsafe { <Self as Accessor<M>>::state(machine) });
        // SAFETY: as in `state`, and it is a reference to the whole machine.
        unsafe { K::trace(core::ptr::from_ref(machine).cast(), visit) };
    }
}

/// Begins with the notes.
macro_rules! header_is_position {
    ($([$($parameters:tt)*] $Notes:ty)*) => { $(
        impl<$($parameters)*> MachineHeader for $Notes {
            unsafe fn stage(storage: *const ()) -> MachineStage {
                // SAFETY: promised by the caller.
                unsafe { &*storage.cast::<Self>() }.stage()
            }

            unsafe fn trace(storage: *const (), visit: &mut dyn FnMut(&'static State)) {
                // SAFETY: promised by the caller.
                let notes = unsafe { &*storage.cast::<Self>() };
                // SAFETY: as above; the coroutine is in the storage.
                unsafe { PositionStore::trace(notes, storage, visit) };
            }
        }
    )* };
}

header_is_position! {
    [] Progress
    [const RECEIVES: bool] Untraced<RECEIVES>
}

/// An [`GenericStorage`](super::GenericStorage) with notes `N`.
#[derive(Debug)]
pub struct GenericHeader<N>(PhantomData<fn() -> N>);

impl<N: ParentLink> GenericHeader<N> {
    /// The notes, if there are some yet. Where they are depends on no coroutine.
    unsafe fn notes<'a>(storage: *const ()) -> Option<&'a N> {
        // SAFETY: promised by the caller; the tag is a byte at the beginning.
        let tag = unsafe { storage.cast::<u8>().read() };
        // SAFETY: within the storage.
        let notes = unsafe { storage.byte_add(offset_of!(RunningLayout<(), N>, notes)) };
        // SAFETY: the tag says that they are there.
        (tag == RUNNING).then(|| unsafe { &*notes.cast::<N>() })
    }
}

impl<N: ParentLink> MachineHeader for GenericHeader<N> {
    unsafe fn stage(storage: *const ()) -> MachineStage {
        // SAFETY: promised by the caller.
        unsafe { Self::notes(storage) }.map_or(MachineStage::Start, PositionStore::stage)
    }

    unsafe fn trace(storage: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        if let Some(notes) = unsafe { Self::notes(storage) } {
            // SAFETY: as above; the coroutine is in the storage.
            unsafe { notes.trace(storage, visit) };
        }
    }
}
