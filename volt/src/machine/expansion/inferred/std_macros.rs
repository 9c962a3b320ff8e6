//! The macros that the attribute takes for those of the standard library by their names.
//!
//! An expansion imports all of this where it names one of them. A macro of the user's own by such a name, which that would
//! hide, is then ambiguous to the compiler (E0659).

#[cfg(feature = "alloc")]
pub use alloc::vec;
pub use core::matches;
#[cfg(feature = "std")]
pub use std::dbg;
