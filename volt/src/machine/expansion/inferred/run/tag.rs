//! The tag of a machine: the byte with its current state.
//!
//! ```text
//! 0          1 ..        n           n + 1
//! start      an await    done        poisoned
//! ```

use core::marker::PhantomData;

use super::super::modes::Mode;
use super::super::probe::LayoutInfo;
use super::advance::ExplicitMachine;
use volt_inspect::machine::State;
use volt_inspect::machine::StateMachine;

/// The number of the state in which a stored coroutine waits, at any await.
pub(crate) const WAITING: u8 = 1;

/// Returns the number of the state of a machine whose tag is that of its coroutine. `done` is the
/// number of a machine that has returned.
#[inline]
pub(crate) const fn state_of_coroutine(tag: u8, done: u8) -> u8 {
    match tag {
        0 => 0,
        1 => done,
        2 => done + 1,
        _ => WAITING,
    }
}

/// The number of the state of a machine that has returned, in which nothing is stored.
#[inline]
pub(crate) const fn done<S: StateMachine>() -> u8 {
    poisoned::<S>() - 1
}

/// The number of the state of a machine that has panicked, in which nothing is stored.
#[inline]
pub(crate) const fn poisoned<S: StateMachine>() -> u8 {
    assert!(S::STATES.len() < 256);
    #[expect(clippy::cast_possible_truncation, reason = "asserted")]
    let number = S::STATES.len() as u8;
    number
}

/// The tag of a machine.
#[derive(Debug)]
pub struct Tag<S> {
    base: *mut u8,
    /// A constant, so that each use knows the place.
    offset: usize,
    of: PhantomData<fn(S) -> S>,
}

impl<S> Tag<S> {
    /// Returns the tag of the machine at `base`, at an offset.
    ///
    /// # Safety
    ///
    /// The machine and its tag are live as long as this is used.
    #[inline]
    pub(crate) const unsafe fn at(base: *mut u8, offset: usize) -> Self {
        let of = PhantomData;
        Self { base, offset, of }
    }
}

impl<S: ExplicitMachine> Tag<S> {
    /// `true` if the tag is that of the coroutine which the machine stores.
    pub(super) const IS_SHARED: bool =
        <S::Static as LayoutInfo>::RECURSIVE_MACHINE_NEEDS_BOX_PIN.shares_tag;

    /// Returns the tag of the machine at `base`.
    ///
    /// # Safety
    ///
    /// The machine and its tag are live as long as this is used.
    #[inline]
    #[must_use]
    pub unsafe fn of(base: *mut u8) -> Self {
        // SAFETY: promised by the caller.
        unsafe {
            Self::at(
                base,
                const { <S::Static as LayoutInfo>::RECURSIVE_MACHINE_NEEDS_BOX_PIN.tag },
            )
        }
    }

    /// Returns the first byte of the machine.
    #[inline]
    #[must_use]
    pub const fn base(&self) -> *mut u8 {
        self.base
    }

    #[inline]
    pub(super) fn place(&self) -> *mut u8 {
        // SAFETY: within the machine, by `ExplicitMachine`.
        unsafe { self.base.add(self.offset) }
    }

    /// Returns the number of the state.
    #[inline]
    #[must_use]
    pub fn get(&self) -> u8 {
        // SAFETY: promised to `of`; the byte is written when the machine is created.
        let tag = unsafe { self.place().read() };
        if Self::IS_SHARED {
            return state_of_coroutine(tag, const { done::<S>() });
        }
        tag
    }

    /// Sets the state. All values that it stores are in their places. The coroutine sets a tag that
    /// it shares with the machine.
    #[inline]
    pub fn set(&self, state: u8) {
        if Self::IS_SHARED {
            return;
        }
        // SAFETY: promised to `of`.
        unsafe { self.place().write(state) };
    }

    /// Sets the state of an await in a loop. Returns `true` if the await is beyond the limit of a
    /// poll.
    #[inline]
    #[must_use]
    pub fn set_in_loop<M: Mode>(&self, state: u8, mode: &mut M) -> bool {
        self.set(state);
        mode.is_beyond()
    }

    /// Returns the state with a number.
    #[inline]
    #[must_use]
    pub fn state(&self, number: usize) -> &'static State {
        &S::STATES[number]
    }

    /// Records that the machine returns a value. If a destructor then panics, the machine is
    /// poisoned all the same.
    #[inline]
    pub fn returned<T>(&self, value: T) -> T {
        self.set(const { done::<S>() });
        value
    }
}
