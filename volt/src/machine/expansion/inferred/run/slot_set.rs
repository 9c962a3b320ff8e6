//! Where the fields of one machine are, and its tag.

use core::fmt;
use core::marker::PhantomData;

use super::super::probe::LayoutInfo;
use super::super::slots::{Movable, Slot, StackSlot};
use super::tag::Tag;

/// The places of a machine's values.
pub struct SlotSet<S, const UNPIN: bool> {
    base: *mut u8,
    of: PhantomData<S>,
}

impl<S, const UNPIN: bool> fmt::Debug for SlotSet<S, UNPIN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlotSet").finish_non_exhaustive()
    }
}

impl<S: LayoutInfo, const UNPIN: bool> SlotSet<S, UNPIN> {
    /// Those of the machine at `base`.
    ///
    /// # Safety
    ///
    /// It is live as long as this is used.
    #[inline]
    #[must_use]
    pub unsafe fn of(base: *mut u8) -> Self {
        let of = PhantomData;
        Self { base, of }
    }

    /// Where the state is noted. Of a machine whose places are not known, neither is this.
    ///
    /// # Safety
    ///
    /// It is used only as long as the machine is live, which is an `M` whose constants are those of `S`.
    #[inline]
    #[must_use]
    pub unsafe fn tag<M>(&self) -> Tag<M> {
        // SAFETY: promised to `of`, and by the caller.
        unsafe { Tag::at(self.base, const { S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.tag }) }
    }

    /// The place of a field.
    ///
    /// # Safety
    ///
    /// The fields are placed by `assign_offsets` (I2). As long as the slot is used, it is held and looked at only where it
    /// was filled and what is in it was neither taken nor dropped (I1).
    #[inline]
    #[must_use]
    pub unsafe fn at<T: Movable<UNPIN>, const FIELD: usize>(&self) -> Slot<T> {
        const {
            assert!(
                S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.fits::<T>(FIELD),
                "a value has another type where it is stored than where its size was asked"
            );
        }
        Slot::new(
            self.base,
            const { S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.offsets[FIELD] },
        )
    }

    /// Room on the stack of the poll for a local that lives over no await. Of a machine whose places are not known it has no
    /// type, as these.
    ///
    /// # Safety
    ///
    /// It is held only where a value was put and neither taken nor dropped since (I1).
    #[inline]
    #[must_use]
    pub unsafe fn stack<T>(&self) -> StackSlot<T> {
        // SAFETY: promised by the caller.
        unsafe { StackSlot::new() }
    }
}
