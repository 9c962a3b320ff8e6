//! `OpaqueField`: the memory of a machine that may contain itself.
//!
//! The compiler queries whether the type of a dropped value has interior mutability, and pins
//! require `Unpin`. For such a trait it evaluates the constants in the types of all fields. If the
//! value is the own machine, its size then depends on itself, E0391:
//!
//! ```text
//! Box::pin(twice(walk(n), walk(n))).await      a panic of the second call drops the first future
//! ```
//!
//! So the constants are in a struct of their own, behind a field that already lacks the trait. The
//! compiler queries the fields in their order, and ends at the first one that lacks it.

use core::cell::UnsafeCell;
use core::fmt;
use core::panic::RefUnwindSafe;

/// A value of a type whose constants the compiler does not evaluate to find that a machine has
/// interior mutability, or that it is not `Unpin` because `P` is not.
#[repr(C)]
pub struct OpaqueField<T, P> {
    cell: UnsafeCell<()>,
    pinned: P,
    value: T,
}

impl<T, P> OpaqueField<T, P> {
    /// Creates the field.
    #[must_use]
    pub const fn new(pinned: P, value: T) -> Self {
        Self {
            cell: UnsafeCell::new(()),
            pinned,
            value,
        }
    }
}

// The cell has no bytes.
impl<T: RefUnwindSafe, P: RefUnwindSafe> RefUnwindSafe for OpaqueField<T, P> {}

impl<T, P> fmt::Debug for OpaqueField<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpaqueField").finish_non_exhaustive()
    }
}
