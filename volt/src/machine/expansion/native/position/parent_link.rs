//! The machine that awaits another one by its storage alone, as that keeps it until its first poll.

use core::ptr;

use super::position_store::{PackedPtr, PositionStore};
use super::progress::Progress;
use super::untraced::Untraced;

/// Notes that tell a caller where their machine lies, or say nothing and keep nothing for it.
pub trait ParentLink: PositionStore {
    /// The caller.
    type Parent: Copy;

    /// There is none that wants to be told.
    const NONE: Self::Parent;

    /// What is kept of one.
    fn parent(progress: PackedPtr<Progress>) -> Self::Parent;

    /// The progress of the caller, to be told where the storage lies; null if there is none.
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
