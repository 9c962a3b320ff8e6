//! The bytes of a machine whose declaration does not name the types of its fields.

use core::cell::UnsafeCell;
use core::fmt;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::panic::RefUnwindSafe;

use super::super::probe::LayoutInfo;
use crate::machine::expansion::native::{Align, Aligned};

/// `SIZE` bytes with an alignment.
///
/// They are in `ManuallyDrop`, so that their number does not decide whether a machine needs to be
/// dropped. Otherwise two machines that await each other in boxes would depend on each other for
/// that. They are in a cell, because a stored future may read a stored local. The type is not
/// `Send`, `Sync` or `Unpin` by itself: the machine around it has markers for that.
#[repr(C)]
pub struct Bytes<const SIZE: usize, const ALIGN: usize>
where
    Align<ALIGN>: Aligned,
{
    align: [<Align<ALIGN> as Aligned>::Unit; 0],
    bytes: ManuallyDrop<UnsafeCell<MaybeUninit<[u8; SIZE]>>>,
}

// SAFETY: I5: bytes have no thread. The marker `HeldAcrossAwait` has the auto traits of the stored
// values.
unsafe impl<const SIZE: usize, const ALIGN: usize> Sync for Bytes<SIZE, ALIGN> where
    Align<ALIGN>: Aligned
{
}

// A machine that has panicked stores nothing and shows nothing, so no code sees a value that is
// half written.
impl<const SIZE: usize, const ALIGN: usize> RefUnwindSafe for Bytes<SIZE, ALIGN> where
    Align<ALIGN>: Aligned
{
}

impl<const SIZE: usize, const ALIGN: usize> fmt::Debug for Bytes<SIZE, ALIGN>
where
    Align<ALIGN>: Aligned,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").finish_non_exhaustive()
    }
}

impl<const SIZE: usize, const ALIGN: usize> Bytes<SIZE, ALIGN>
where
    Align<ALIGN>: Aligned,
{
    /// Returns uninitialized bytes, except for the one at `tag`, which is zero: the start.
    #[inline]
    #[must_use]
    pub fn new(tag: usize) -> Self {
        let this = Self {
            align: [],
            bytes: ManuallyDrop::new(UnsafeCell::new(MaybeUninit::uninit())),
        };
        assert!(tag < SIZE);
        // SAFETY: the offset is within the bytes.
        let tag = unsafe { this.bytes.get().cast::<u8>().add(tag) };
        // SAFETY: as above.
        unsafe { tag.write(0) };
        this
    }
}

/// Writes an argument into the bytes of a new machine.
///
/// # Safety
///
/// `base` is the first byte of the machine, and the field is an argument of this type.
#[inline]
pub unsafe fn write_argument<T, S: LayoutInfo, const FIELD: usize>(base: *mut u8, argument: T) {
    // SAFETY: promised by the caller.
    let place = unsafe { base.add(const { S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.offsets[FIELD] }) };
    // SAFETY: promised by the caller.
    unsafe { place.cast::<T>().write(argument) };
}

/// Writes the tag of the start into the bytes of a new machine.
///
/// # Safety
///
/// `base` is the first byte of the machine.
#[inline]
pub unsafe fn write_start_tag<S: LayoutInfo>(base: *mut u8) {
    // SAFETY: promised by the caller.
    let place = unsafe { base.add(const { S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.tag }) };
    // SAFETY: promised by the caller.
    unsafe { place.write(0) };
}
