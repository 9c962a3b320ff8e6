//! What is known of a machine before anything is asked of its code: where its fields are, and whether it may go
//! to other threads.

use super::place::Plan;
use super::size::{Probe, Size};
use crate::machine::private::native::AutoTraits;

/// The places of a machine, whatever their number.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Offset of each field.
    pub at: &'static [usize],
    /// Size of each field, or none of them if their types are written.
    pub sizes: &'static [Size],
    /// Offset of the byte that says which state it is.
    pub tag: usize,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// Whether all that is stored is `Unpin`, and nothing of it is lent.
    pub unpin: bool,
}

impl Places {
    /// Those of a machine without fields.
    pub const NONE: Self = Self {
        at: &[],
        sizes: &[],
        tag: 0,
        size: 1,
        align: 1,
        unpin: false,
    };

    /// The places of a plan.
    #[must_use]
    pub const fn of<const N: usize, const M: usize>(
        plan: &'static Plan<N>,
        probe: &'static Probe<M>,
    ) -> Self {
        Self {
            at: &plan.at,
            sizes: &probe.sizes,
            tag: plan.tag,
            size: plan.size,
            align: plan.align,
            unpin: probe.unpin,
        }
    }

    /// Whether a type is as the one that was asked for the size of a field.
    pub(super) const fn fits<T>(&self, field: usize) -> bool {
        if self.sizes.is_empty() {
            return true;
        }
        let Size { size, align, .. } = self.sizes[field];
        size == size_of::<T>() && align == align_of::<T>()
    }
}

/// What is known of a machine before anything is asked of its code.
pub trait Parts {
    /// Where its fields are.
    const PLACES: Places;
    /// The machine's size in bytes. Its name stands in the error where it awaits itself by way of others.
    const SIZE_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN: usize = Self::PLACES.size;
    /// Whether the compiler's own coroutine is `Send`, and `Sync`.
    const AUTO: AutoTraits = AutoTraits::NONE;
    /// Whether the compiler's own coroutine is `Send`.
    const SEND: bool = Self::AUTO.send;
    /// Whether the compiler's own coroutine is `Sync`.
    const SYNC: bool = Self::AUTO.sync;
    /// Whether all that is stored is `Unpin`, and nothing of it is lent.
    const UNPIN: bool = Self::PLACES.unpin;
}
