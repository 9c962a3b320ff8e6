//! The accessors of machines that store only their coroutine.

use core::marker::PhantomData;
use core::pin::Pin;

use super::super::coroutine::{CompactLayout, CoroutineInfo, PANICKED, RETURNED, UNRESUMED};
use super::super::position::{MachineStage, Site, SlotSource, suspended_at};
use super::super::storage::state_at;
use super::compact_storage::Place;
use super::suspend_table::{SlotsOf, SuspendTable};
use crate::machine::walk::Walk;
use volt_inspect::machine::{
    Accessor, ExpandedAccessor, PositionLayout, State, SuspendSlot, Tables,
};
use volt_inspect::{Inspector, MachineAccess};

/// The constants by which a machine is read at its address.
///
/// A type of machines adds only such a constant to a program. The code is the same for all types.
pub(super) struct CompactAccess {
    tables: &'static Tables,
    layout: CompactLayout,
    slots: fn() -> &'static [SuspendSlot],
}

impl CompactAccess {
    /// Returns the access to machines with this layout, the tables `T` and the slots `S`.
    pub(super) const fn of<T: SuspendTable, S: SlotSource>(layout: CompactLayout) -> Self {
        Self {
            tables: T::TABLES,
            layout,
            slots: S::known,
        }
    }

    /// Returns the place of the state, for debuggers. They cannot find slots on the heap.
    const fn position<T: SuspendTable, S: SlotSource>(layout: CompactLayout) -> PositionLayout {
        match (layout.tag, layout.own_stage) {
            (Some(tag), stage) if tag.size == 1 && S::IS_STATIC => PositionLayout::Suspended {
                stage: match stage {
                    Some(offset) => offset,
                    None => tag.offset,
                },
                tag: tag.offset,
                tables: T::TABLES,
                slots: T::SLOTS,
            },
            _ => PositionLayout::Unknown,
        }
    }

    fn place(&self, machine: *const ()) -> Place {
        Place::at(machine.cast_mut(), self.layout)
    }

    /// Returns the site at which a machine waits, and the address of the awaited future, if the
    /// attribute sees that.
    ///
    /// # Safety
    ///
    /// There is such a machine at the address, which is not being polled.
    unsafe fn waiting(&self, machine: *const ()) -> Option<(&'static Site, Option<*const ()>)> {
        let place = self.place(machine);
        // SAFETY: promised by the caller.
        if let UNRESUMED | RETURNED | PANICKED = unsafe { place.stage() } {
            return None;
        }
        // SAFETY: by its stage, there is a suspended coroutine.
        let (site, offset) = suspended_at((self.slots)(), unsafe { place.suspend_point() })?;
        // SAFETY: the awaited future is in the coroutine.
        let future = offset.map(|offset| unsafe { machine.byte_add(offset) });
        Some((site, future))
    }

    /// Returns the stage of a machine.
    ///
    /// # Safety
    ///
    /// The same as for `waiting`.
    #[inline(never)]
    pub(super) unsafe fn stage(&self, machine: *const ()) -> MachineStage {
        // SAFETY: promised by the caller.
        match unsafe { self.place(machine).stage() } {
            UNRESUMED => MachineStage::Start,
            RETURNED => MachineStage::Done,
            PANICKED => MachineStage::Poisoned,
            // SAFETY: promised by the caller.
            _ => match unsafe { self.waiting(machine) } {
                Some((site, _)) => MachineStage::Waiting(site.state),
                None => MachineStage::Running,
            },
        }
    }

    /// Returns the state of a machine.
    ///
    /// # Safety
    ///
    /// The same as for `waiting`.
    unsafe fn state(&self, machine: *const ()) -> &'static State {
        // SAFETY: promised by the caller.
        state_at(unsafe { self.stage(machine) }, self.tables)
    }

    /// Continues a walk in the awaited future.
    ///
    /// # Safety
    ///
    /// The same as for `waiting`, and the pointer is to all of the machine. In a walk as a tree the
    /// caller has exclusive access to it, and the pointer may write.
    pub(super) unsafe fn walk_awaited(&self, machine: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller.
        if let Some((site, Some(future))) = unsafe { self.waiting(machine) } {
            // SAFETY: the future of the suspend point is there, and pinned.
            unsafe { (site.trace)(future, walk) };
        }
    }

    /// Walks a machine.
    ///
    /// # Safety
    ///
    /// The same as for `walk_awaited`.
    unsafe fn walk(&self, machine: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller.
        let state = unsafe { self.state(machine) };
        walk.enter(state, self.tables, |walk| {
            // SAFETY: promised by the caller.
            unsafe { self.walk_awaited(machine, walk) };
        });
    }
}

impl MachineAccess for CompactAccess {
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

/// The accessor of machines with the tables and suspend points of `T`.
#[derive(Debug)]
pub struct CompactAccessor<T>(PhantomData<fn() -> T>);

/// The accessor of machines that begin with the coroutine `C`, with the tables of `T`.
#[derive(Debug)]
pub struct CoroutineAccessor<T, C>(PhantomData<fn() -> (T, C)>);

/// Implements an accessor by the layout of its machines and the source of their slots.
macro_rules! compact_accessor {
    ([$($parameters:tt)*] $Accessor:ty, $Machine:ident: [$($bounds:tt)*], $layout:expr, $Slots:ty) => {
        impl<$($parameters)*> ExpandedAccessor for $Accessor {}

        impl<$Machine: $($bounds)*, $($parameters)*> Accessor<$Machine> for $Accessor {
            const TABLES: &'static Tables = T::TABLES;
            const POSITION: PositionLayout = CompactAccess::position::<T, $Slots>($layout);
            const ACCESS: Option<&'static dyn MachineAccess> =
                Some(const { &CompactAccess::of::<T, $Slots>($layout) });

            unsafe fn state(machine: &$Machine) -> &'static State {
                let access = const { &CompactAccess::of::<T, $Slots>($layout) };
                // SAFETY: a shared reference exists, so the machine is not being polled.
                unsafe { access.state(core::ptr::from_ref(machine).cast()) }
            }

            unsafe fn trace(machine: &$Machine, visit: &mut dyn FnMut(&'static State)) {
                let access = const { &CompactAccess::of::<T, $Slots>($layout) };
                // SAFETY: as above.
                unsafe { access.trace(core::ptr::from_ref(machine).cast(), visit) };
            }

            unsafe fn inspect(machine: Pin<&mut $Machine>, inspector: &mut Inspector<'_>) {
                let access = const { &CompactAccess::of::<T, $Slots>($layout) };
                // SAFETY: nothing is moved out.
                let machine: *mut $Machine = unsafe { Pin::get_unchecked_mut(machine) };
                // SAFETY: the caller has exclusive access to the machine.
                unsafe { access.inspect(machine.cast(), inspector) };
            }
        }
    };
}

compact_accessor! {
    [T: SuspendTable] CompactAccessor<T>, M: [CoroutineInfo],
    M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.layout, SlotsOf<(), T>
}

compact_accessor! {
    [T: SuspendTable, C] CoroutineAccessor<T, C>, M: [],
    CompactLayout::of_coroutine::<C>(T::IS_GATED), SlotsOf<C, T>
}
