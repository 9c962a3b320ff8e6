//! A trait for futures that report where they wait, and the inspector that walks them.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

#[doc(hidden)]
pub mod machine;
