//! The slots of one machine, and its tag.

use core::fmt;
use core::marker::PhantomData;

use super::super::probe::LayoutInfo;
use super::super::slots::{Movable, Slot, StackSlot};
use super::tag::Tag;

/// The slots of a machine.
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
    /// Returns the slots of the machine at `base`.
    ///
    /// # Safety
    ///
    /// The machine is live as long as this is used.
    #[inline]
    #[must_use]
    pub unsafe fn of(base: *mut u8) -> Self {
        let of = PhantomData;
        Self { base, of }
    }

    /// Returns the tag. If the layout of the machine has an error, neither has a type.
    ///
    /// # Safety
    ///
    /// The tag is used only as long as the machine is live. The machine is an `M` whose constants
    /// are those of `S`.
    #[inline]
    #[must_use]
    pub unsafe fn tag<M>(&self) -> Tag<M> {
        // SAFETY: promised to `of`, and by the caller.
        unsafe { Tag::at(self.base, const { S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.tag }) }
    }

    /// Returns the slot of a field.
    ///
    /// # Safety
    ///
    /// The fields are placed by `assign_offsets` (I2). As long as the slot is used, it is guarded
    /// and read only while it has a value, which was neither moved out nor dropped (I1).
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

    /// Returns a slot on the stack of the poll, for a local that is live across no await. If the
    /// layout of the machine has an error, it has no type.
    ///
    /// # Safety
    ///
    /// It is guarded only while it has a value, which was neither moved out nor dropped (I1).
    #[inline]
    #[must_use]
    pub unsafe fn stack<T>(&self) -> StackSlot<T> {
        // SAFETY: promised by the caller.
        unsafe { StackSlot::new() }
    }
}
