//! `Clone`, `PartialEq`, `Eq` and `Hash` of a machine, as modes of `advance` over its stored
//! values.
//!
//! Pinned values of a machine are only read, and its clone is not pinned yet. A machine whose
//! futures borrow its locals cannot be cloned in this way, and has none of these traits.

use core::hash::{Hash, Hasher};
use core::mem;

use super::super::modes::{Mode, Region, SnapshotMode};
use super::super::run::{ExplicitMachine, Tag, base, base_mut, done};
use super::super::slots::Slot;

/// The mode that clones the stored values into another machine, or compares them with those of
/// another machine.
#[derive(Debug)]
pub struct PairMode<const CLONES: bool> {
    base: *mut u8,
    other: *mut u8,
    differ: bool,
}

impl<const CLONES: bool> SnapshotMode for PairMode<CLONES> {}

impl<const CLONES: bool> Mode for PairMode<CLONES> {
    const IS_QUERY: bool = true;
    const DROPS: bool = false;
    const INSPECTS: bool = false;
    const CLONES: bool = CLONES;
    const COMPARES: bool = !CLONES;

    fn counterpart<T>(&self, at: *mut T) -> *mut T {
        let offset = at.addr() - self.base.addr();
        self.other.wrapping_add(offset).cast()
    }

    fn set_different(&mut self) {
        self.differ = true;
    }
}

/// The mode that hashes the stored values.
pub struct HashMode<'h> {
    base: *mut u8,
    hasher: &'h mut dyn Hasher,
}

impl core::fmt::Debug for HashMode<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("HashMode").finish_non_exhaustive()
    }
}

impl SnapshotMode for HashMode<'_> {}

impl Mode for HashMode<'_> {
    const IS_QUERY: bool = true;
    const DROPS: bool = false;
    const INSPECTS: bool = false;
    const HASHES: bool = true;

    fn hasher(&mut self) -> Option<&mut dyn Hasher> {
        Some(self.hasher)
    }
}

/// Returns the mode that clones a machine into an empty one.
///
/// # Safety
///
/// `clone` stores nothing, and no future of `this` borrows from it.
pub unsafe fn clone_mode<S: ExplicitMachine>(this: &S, clone: &mut S) -> PairMode<true> {
    let pair = PairMode {
        base: base(this),
        other: base_mut(clone),
        differ: false,
    };
    // SAFETY: the machine is borrowed.
    let to = unsafe { Tag::<S>::of(pair.other) };
    // After a panic of a clone there is nothing to drop.
    to.set(done::<S>());
    pair
}

impl PairMode<true> {
    /// Records that all values are cloned.
    pub fn cloned<S: ExplicitMachine>(self, this: &S) {
        // SAFETY: the machine is borrowed.
        let from = unsafe { Tag::<S>::of(base(this)) };
        // SAFETY: as in `clone_mode`, whose borrow is still live.
        let to = unsafe { Tag::<S>::of(self.other) };
        to.set(from.get());
    }
}

/// Returns the mode that compares two machines, if they are in the same state.
pub fn compare_mode<S: ExplicitMachine>(this: &S, other: &S) -> Option<PairMode<false>> {
    let (base, other) = (base(this), base(other));
    // SAFETY: the machine is borrowed, and only read.
    let one = unsafe { Tag::<S>::of(base) };
    // SAFETY: as above.
    let two = unsafe { Tag::<S>::of(other) };
    (one.get() == two.get()).then_some(PairMode {
        base,
        other,
        differ: false,
    })
}

impl PairMode<false> {
    /// Returns `true` if all values are equal.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        !self.differ
    }
}

impl<const CLONES: bool> PairMode<CLONES> {
    /// Returns the first byte of the machine.
    #[must_use]
    pub fn base(&self) -> *mut u8 {
        self.base
    }
}

/// Returns the mode that hashes a machine, and hashes its state.
pub fn hash_mode<'h, S: ExplicitMachine>(this: &S, hasher: &'h mut dyn Hasher) -> HashMode<'h> {
    let base = base(this);
    // SAFETY: the machine is borrowed, and only read.
    let tag = unsafe { Tag::<S>::of(base) };
    hasher.write_u8(tag.get());
    HashMode { base, hasher }
}

impl HashMode<'_> {
    /// Returns the first byte of the machine.
    #[must_use]
    pub fn base(&self) -> *mut u8 {
        self.base
    }
}

/// Clones a machine into an empty one.
///
/// # Safety
///
/// The requirements of [`clone_mode`] hold.
pub unsafe fn clone_into<S: ExplicitMachine>(this: &S, clone: &mut S) {
    // SAFETY: promised by the caller.
    let mut mode = unsafe { clone_mode(this, clone) };
    // SAFETY: the machine is borrowed, and only read.
    let _ = unsafe { S::advance(mode.base, 0, &mut mode, &Region::new()) };
    mode.cloned(this);
}

/// Returns `true` if two machines are in the same state with the same values.
pub fn equal<S: ExplicitMachine>(this: &S, other: &S) -> bool {
    compare_mode(this, other).is_some_and(|mut mode| {
        // SAFETY: the machine is borrowed, and only read.
        let _ = unsafe { S::advance(mode.base, 0, &mut mode, &Region::new()) };
        mode.is_equal()
    })
}

/// Hashes the state of a machine and its values.
pub fn hash<S: ExplicitMachine>(this: &S, hasher: &mut dyn Hasher) {
    let mut mode = hash_mode(this, hasher);
    // SAFETY: the machine is borrowed, and only read.
    let _ = unsafe { S::advance(mode.base, 0, &mut mode, &Region::new()) };
}

/// A cloned value, and its place in the other machine.
#[derive(Debug)]
pub struct ClonedValue<T> {
    at: *mut T,
    value: T,
}

impl<T> ClonedValue<T> {
    /// Stores the value in its place.
    pub fn store(self) {
        // SAFETY: I2, as in the machine that was cloned.
        unsafe { self.at.write(self.value) };
    }
}

/// Derived traits of a slot. `is_for_drop` is `true` for a slot that is filled only if its type has
/// a destructor.
impl<T> Slot<T> {
    fn stored_ptr(&self, is_for_drop: bool) -> Option<*mut T> {
        (!is_for_drop || mem::needs_drop::<T>()).then_some(self.place())
    }

    /// Returns a clone for the other machine.
    pub fn cloned<M: Mode>(&self, mode: &M, is_for_drop: bool) -> Option<ClonedValue<T>>
    where
        T: Clone,
    {
        let at = self.stored_ptr(is_for_drop)?;
        Some(ClonedValue {
            at: mode.counterpart(at),
            // SAFETY: I1.
            value: unsafe { &*at }.clone(),
        })
    }

    /// Returns `true` if the other machine has an equal value.
    pub fn equals<M: Mode>(&self, mode: &M, is_for_drop: bool) -> bool
    where
        T: PartialEq,
    {
        self.stored_ptr(is_for_drop).is_none_or(|at| {
            // SAFETY: I1.
            let one = unsafe { &*at };
            // SAFETY: I1: the other machine is in the same state.
            let other = unsafe { &*mode.counterpart(at) };
            one == other
        })
    }

    /// Requires `Eq` of the value.
    pub fn is_eq(&self)
    where
        T: Eq,
    {
    }

    /// Hashes the value.
    pub fn hash<M: Mode>(&self, mode: &mut M, is_for_drop: bool)
    where
        T: Hash,
    {
        if let (Some(at), Some(mut hasher)) = (self.stored_ptr(is_for_drop), mode.hasher()) {
            // SAFETY: I1.
            unsafe { &*at }.hash(&mut hasher);
        }
    }
}
