//! An `async` block without the feature `std`: it stays a future of the compiler.
//!
//! No address can be passed to its coroutine, so its pointer is null and its awaits record nothing.

use core::future::Future;
use core::ptr;

use super::super::position::{ArgumentsPtr, MachinePtr, Table};

/// Returns the block.
#[inline]
pub fn traced_block<T: Table, C: Future>(coroutine: C) -> C {
    coroutine
}

/// Returns a null pointer.
#[inline]
#[must_use]
pub fn block_ptr() -> ArgumentsPtr<'static, ()> {
    ArgumentsPtr::of_block(MachinePtr::new(ptr::null()))
}
