//! The macros that the attribute recognises as those of the standard library by their names.
//!
//! An expansion imports all of them if it names one. A user's macro with such a name, which the
//! import would hide, is then ambiguous to the compiler (E0659).

#[cfg(feature = "alloc")]
pub use alloc::vec;
pub use core::matches;
#[cfg(feature = "std")]
pub use std::dbg;
