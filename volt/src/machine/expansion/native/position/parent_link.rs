//! The link from a machine to the machine that awaits its storage, stored until the first poll.

use core::ptr;

use super::position_store::{PackedPtr, PositionStore};
use super::progress::Progress;
use super::untraced::Untraced;

/// A position store that passes its address to the awaiting machine, or has no link to it.
pub trait ParentLink: PositionStore {
    /// The link to the awaiting machine.
    type Parent: Copy;

    /// No link.
    const NONE: Self::Parent;

    /// Returns the link to a machine with this progress.
    fn parent(progress: PackedPtr<Progress>) -> Self::Parent;

    /// Returns the progress of the awaiting machine, or null if there is none.
    fn progress(parent: Self::Parent) -> *const Progress;
}

impl ParentLink for Progress {
    type Parent = PackedPtr<Self>;

    const NONE: PackedPtr<Self> = PackedPtr::new(ptr::null());

    #[inline]
    fn parent(progress: PackedPtr<Self>) -> PackedPtr<Self> {
        progress
    }

    #[inline]
    fn progress(parent: PackedPtr<Self>) -> *const Self {
        parent.get()
    }
}

impl<const RECEIVES: bool> ParentLink for Untraced<RECEIVES> {
    type Parent = ();

    const NONE: () = ();

    #[inline]
    fn parent(_: PackedPtr<Progress>) {}

    #[inline]
    fn progress((): ()) -> *const Progress {
        ptr::null()
    }
}
