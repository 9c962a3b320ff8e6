//! A field with a written type, of a machine that has type parameters.

use core::fmt;
use core::mem::ManuallyDrop;

/// One of two values that are never live together, or none. The machine's tag determines which.
#[repr(C)]
pub union UnionField<A, B> {
    one: ManuallyDrop<A>,
    other: ManuallyDrop<B>,
    none: (),
}

impl<A, B> fmt::Debug for UnionField<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnionField").finish_non_exhaustive()
    }
}

impl<A, B> UnionField<A, B> {
    /// No value.
    pub const EMPTY: Self = Self { none: () };
}
