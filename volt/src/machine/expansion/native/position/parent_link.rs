//! The machine that awaits another one by its storage alone, as that keeps it until its first poll.

use core::ptr;

use super::position_store::{Notes, Packed};
use super::progress::Progress;
use super::untraced::Untraced;

/// Notes that tell a caller where their machine lies, or say nothing and keep nothing for it.
pub trait Calls: Notes {
    /// The caller.
    type Caller: Copy;

    /// There is none that wants to be told.
    const NOBODY: Self::Caller;

    /// What is kept of one.
    fn caller(progress: Packed<Progress>) -> Self::Caller;

    /// The progress of the caller, to be told where the storage lies; null if there is none.
    fn progress(caller: Self::Caller) -> *const Progress;
}

impl Calls for Progress {
    type Caller = Packed<Self>;

    const NOBODY: Packed<Self> = Packed::new(ptr::null());

    #[inline]
    fn caller(progress: Packed<Self>) -> Packed<Self> {
        progress
    }

    #[inline]
    fn progress(caller: Packed<Self>) -> *const Self {
        caller.get()
    }
}

impl<const HANDS: bool> Calls for Untraced<HANDS> {
    type Caller = ();

    const NOBODY: () = ();

    #[inline]
    fn caller(_: Packed<Progress>) {}

    #[inline]
    fn progress((): ()) -> *const Progress {
        ptr::null()
    }
}
