//! The link from a machine to the machine that awaits its storage, stored until the first poll.

use core::ptr;

use super::position_store::{MachinePtr, PositionStore};
use super::progress::Progress;
use super::untraced::Untraced;

/// A position store that passes its address to the awaiting machine, or has no link to it.
pub trait ParentLink: PositionStore {
    /// The link to the awaiting machine.
    type Parent: Copy;

    /// No link.
    const NONE: Self::Parent;

    /// Returns the link to a machine.
    fn parent(machine: MachinePtr) -> Self::Parent;

    /// Returns the progress of the awaiting machine, or null if there is none.
    fn progress(parent: Self::Parent) -> *const Progress;
}

impl ParentLink for Progress {
    type Parent = MachinePtr;

    const NONE: MachinePtr = MachinePtr::new(ptr::null());

    #[inline]
    fn parent(machine: MachinePtr) -> MachinePtr {
        machine
    }

    #[inline]
    fn progress(parent: MachinePtr) -> *const Self {
        parent.get().cast()
    }
}

impl<const RECEIVES: bool> ParentLink for Untraced<RECEIVES> {
    type Parent = ();

    const NONE: () = ();

    #[inline]
    fn parent(_: MachinePtr) {}

    #[inline]
    fn progress((): ()) -> *const Progress {
        ptr::null()
    }
}
