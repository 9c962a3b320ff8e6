//! `Clone`, `PartialEq`, `Eq` and `Hash` of a machine: modes of `advance`, as a machine is what it stores.
//!
//! What is pinned in one machine is looked at, and its clone is not pinned yet. A machine whose futures
//! borrow its locals cannot be cloned so, and is given none of these.

use core::hash::{Hash, Hasher};
use core::mem;

use super::super::modes::{Mode, Region};
use super::super::run::{ExplicitMachine, Tag, base, base_mut, done};
use super::super::slots::Slot;

/// To clone what is stored into another machine, or to compare it with what that one stores.
#[derive(Debug)]
pub struct PairMode<const CLONES: bool> {
    base: *mut u8,
    other: *mut u8,
    differ: bool,
}

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

/// To hash what is stored.
pub struct HashMode<'h> {
    base: *mut u8,
    hasher: &'h mut dyn Hasher,
}

impl core::fmt::Debug for HashMode<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("HashMode").finish_non_exhaustive()
    }
}

impl Mode for HashMode<'_> {
    const IS_QUERY: bool = true;
    const DROPS: bool = false;
    const INSPECTS: bool = false;
    const HASHES: bool = true;

    fn hasher(&mut self) -> Option<&mut dyn Hasher> {
        Some(self.hasher)
    }
}

/// To clone a machine into one that stores nothing.
///
/// # Safety
///
/// `clone` stores nothing, and `this` nothing that is lent.
pub unsafe fn clone_mode<S: ExplicitMachine>(this: &S, clone: &mut S) -> PairMode<true> {
    let pair = PairMode {
        base: base(this),
        other: base_mut(clone),
        differ: false,
    };
    // SAFETY: it is borrowed.
    let to = unsafe { Tag::<S>::of(pair.other) };
    // A clone that panics leaves nothing to be dropped.
    to.set(done::<S>());
    pair
}

impl PairMode<true> {
    /// All is cloned.
    pub fn cloned<S: ExplicitMachine>(self, this: &S) {
        // SAFETY: it is borrowed.
        let from = unsafe { Tag::<S>::of(base(this)) };
        // SAFETY: as in `clone_mode`, whose borrow goes on.
        let to = unsafe { Tag::<S>::of(self.other) };
        to.set(from.get());
    }
}

/// To compare two machines, if they stand at the same state.
pub fn compare_mode<S: ExplicitMachine>(this: &S, other: &S) -> Option<PairMode<false>> {
    let (base, other) = (base(this), base(other));
    // SAFETY: it is borrowed, and only looked at.
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
    /// Whether all was equal.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        !self.differ
    }
}

impl<const CLONES: bool> PairMode<CLONES> {
    /// The first byte of the machine that is asked.
    #[must_use]
    pub fn base(&self) -> *mut u8 {
        self.base
    }
}

/// To hash a machine. Its state is hashed.
pub fn hash_mode<'h, S: ExplicitMachine>(this: &S, hasher: &'h mut dyn Hasher) -> HashMode<'h> {
    let base = base(this);
    // SAFETY: the machine is borrowed, and only looked at.
    let tag = unsafe { Tag::<S>::of(base) };
    hasher.write_u8(tag.get());
    HashMode { base, hasher }
}

impl HashMode<'_> {
    /// The first byte of the machine that is asked.
    #[must_use]
    pub fn base(&self) -> *mut u8 {
        self.base
    }
}

/// Clones a machine into one that stores nothing.
///
/// # Safety
///
/// As for [`clone_mode`].
pub unsafe fn clone_into<S: ExplicitMachine>(this: &S, clone: &mut S) {
    // SAFETY: promised by the caller.
    let mut mode = unsafe { clone_mode(this, clone) };
    // SAFETY: the machine is borrowed, and only looked at.
    let _ = unsafe { S::advance(mode.base, 0, &mut mode, &Region::new()) };
    mode.cloned(this);
}

/// Whether two machines stand at the same state with the same values.
pub fn equal<S: ExplicitMachine>(this: &S, other: &S) -> bool {
    compare_mode(this, other).is_some_and(|mut mode| {
        // SAFETY: the machine is borrowed, and only looked at.
        let _ = unsafe { S::advance(mode.base, 0, &mut mode, &Region::new()) };
        mode.is_equal()
    })
}

/// Hashes the state of a machine and its values.
pub fn hash<S: ExplicitMachine>(this: &S, hasher: &mut dyn Hasher) {
    let mut mode = hash_mode(this, hasher);
    // SAFETY: the machine is borrowed, and only looked at.
    let _ = unsafe { S::advance(mode.base, 0, &mut mode, &Region::new()) };
}

/// A clone on its way into another machine.
#[derive(Debug)]
pub struct ClonedValue<T> {
    at: *mut T,
    value: T,
}

impl<T> ClonedValue<T> {
    /// Puts it there.
    pub fn store(self) {
        // SAFETY: I2, as in the machine that was cloned.
        unsafe { self.at.write(self.value) };
    }
}

/// What is done with what lies in a slot. `is_for_drop` says that it is there only if it has a
/// destructor.
impl<T> Slot<T> {
    fn stored_ptr(&self, is_for_drop: bool) -> Option<*mut T> {
        (!is_for_drop || mem::needs_drop::<T>()).then_some(self.place())
    }

    /// A clone for the other machine.
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

    /// Whether the other machine has the same.
    pub fn equals<M: Mode>(&self, mode: &M, is_for_drop: bool) -> bool
    where
        T: PartialEq,
    {
        self.stored_ptr(is_for_drop).is_none_or(|at| {
            // SAFETY: I1.
            let one = unsafe { &*at };
            // SAFETY: I1: the other machine stands at the same state.
            let other = unsafe { &*mode.counterpart(at) };
            one == other
        })
    }

    /// Asks that it is equal to itself.
    pub fn is_eq(&self)
    where
        T: Eq,
    {
    }

    /// Hashes it.
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
