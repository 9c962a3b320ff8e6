//! One call of a machine's `advance`: a poll, its drop, a look at it.

use core::fmt;
use core::hint;
use core::marker::PhantomData;
use core::mem;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::mode::{Dropping, Looking, Mode, Polling, Visit};
use super::parts::{Parts, Places};
use super::place::NOWHERE;
use super::region::Region;
use crate::machine::announce::Announced;
use crate::machine::private::ended::{resumed_after_completion, resumed_after_panicking};
use crate::machine::state::State;
use crate::machine::state_machine::StateMachine;

/// The number of the state in which nothing is stored, as the machine has returned.
#[inline]
pub(super) const fn done<S: StateMachine>() -> u8 {
    poisoned::<S>() - 1
}

/// The number of the state in which nothing is stored, as a poll has panicked. It is the last one.
#[inline]
const fn poisoned<S: StateMachine>() -> u8 {
    assert!(S::STATES.len() < 256);
    #[expect(clippy::cast_possible_truncation, reason = "asserted")]
    let number = S::STATES.len() as u8;
    number
}

/// What the macro writes of a machine.
///
/// # Safety
///
/// The machine begins with its [`Bytes`](super::Bytes), which are as its places say. `advance` keeps I1
/// and I2, where the tag says which slots are filled.
pub unsafe trait Inferred: Announced {
    /// What it gives.
    type Output;

    /// The machine with no lifetimes but `'static`, whose constants can be named.
    type Static: Parts;

    /// Goes on from the state that is stored at the tag.
    ///
    /// # Safety
    ///
    /// `base` is the first byte of a live machine that nobody else has a reference to, but for
    /// looking if the mode looks. It is pinned if its state is not the start.
    unsafe fn advance<'m, M: Mode>(
        base: *mut u8,
        mode: &mut M,
        region: &Region<'m>,
    ) -> Poll<Self::Output>
    where
        Self: 'm;
}

/// Where the state of a machine is noted.
#[derive(Debug)]
pub struct Tag {
    base: *mut u8,
    /// A constant, so that each use has the place for itself.
    offset: usize,
}

impl Tag {
    /// That of the machine at `base`.
    ///
    /// # Safety
    ///
    /// It is live as long as this is used, and so is its tag.
    #[inline]
    #[must_use]
    pub unsafe fn of<S: Inferred>(base: *mut u8) -> Self {
        let offset = const { <S::Static as Parts>::PLACES.tag };
        Self { base, offset }
    }

    #[inline]
    fn place(&self) -> *mut u8 {
        // SAFETY: within the machine, by `Inferred`.
        unsafe { self.base.add(self.offset) }
    }

    /// The state.
    #[inline]
    #[must_use]
    pub fn get(&self) -> u8 {
        // SAFETY: promised to `of`; the byte is written when the machine is made.
        unsafe { self.place().read() }
    }

    /// The state of a machine, which is none but one of its own: the code for others is not written.
    #[inline]
    #[must_use]
    pub fn state<S: StateMachine>(&self) -> u8 {
        let state = self.get();
        // SAFETY: no other number is ever set.
        unsafe { hint::assert_unchecked(state <= const { poisoned::<S>() }) };
        state
    }

    /// Notes the state. All that it stores is in its place.
    #[inline]
    pub fn set(&self, state: u8) {
        // SAFETY: promised to `of`.
        unsafe { self.place().write(state) };
    }
}

/// The first byte of a machine that is only looked at.
#[inline]
pub(super) fn base<S: Inferred>(machine: &S) -> *mut u8 {
    ptr::from_ref(machine).cast_mut().cast()
}

/// The first byte of a machine.
#[inline]
pub(super) fn base_mut<S: Inferred>(machine: &mut S) -> *mut u8 {
    ptr::from_mut(machine).cast()
}

/// Polls a machine. A panic of what it runs drops what it stores, in the order of its scopes, and
/// leaves it poisoned.
#[inline]
pub fn poll<S: Inferred>(machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    // SAFETY: nothing is moved out.
    let machine = unsafe { Pin::get_unchecked_mut(machine) };
    let base = base_mut(machine);
    // SAFETY: the machine is borrowed.
    let guard = Poison::<S>(unsafe { Tag::of::<S>(base) }, PhantomData);
    // SAFETY: borrowed, and pinned.
    let polled = unsafe { S::advance(base, &mut Polling(cx), &Region::new()) };
    if polled.is_ready() {
        guard.0.set(done::<S>());
    }
    mem::forget(guard);
    polled
}

/// Notes a panic: what was stored is dropped by then. A machine that has returned stays so.
struct Poison<S: Inferred>(Tag, PhantomData<S>);

impl<S: Inferred> Drop for Poison<S> {
    fn drop(&mut self) {
        if self.0.get() != done::<S>() {
            self.0.set(poisoned::<S>());
        }
    }
}

/// Drops what a machine stores, in the order of a cancellation.
///
/// # Safety
///
/// It is the last call.
#[inline]
pub unsafe fn cancel<S: Inferred>(machine: &mut S) {
    // SAFETY: the machine is borrowed.
    let _ = unsafe { S::advance(base_mut(machine), &mut Dropping, &Region::new()) };
}

/// What a poll does that finds nothing to go on with.
#[cold]
pub fn resumed<S: Inferred>(state: u8) -> ! {
    match state == done::<S>() {
        true => resumed_after_completion(),
        false => resumed_after_panicking(),
    }
}

/// The state in which a machine stands.
#[must_use]
pub fn state<S: Inferred>(machine: &S) -> &'static State {
    // SAFETY: the machine is borrowed, and the tag only read.
    let number = unsafe { Tag::of::<S>(base(machine)) }.get();
    S::STATES
        .get(usize::from(number))
        .unwrap_or(&S::TABLES.own[1])
}

/// Says at compile time that a machine is no larger than the compiler's own future.
///
/// Behind a call that never returns, such as `exit(1)`, the compiler stores nothing, and the machine, which
/// does not know that, all that is written. There a field alone is as large as the compiler's future.
pub const fn never_larger<S: Inferred + Parts>() {
    if let Some(native) = S::NATIVE_SIZE {
        assert!(
            size_of::<S>() <= native || holds_as_much(&S::PLACES, native),
            "the state machine is larger than the compiler's future"
        );
    }
}

/// Whether one of the fields takes as many bytes.
const fn holds_as_much(places: &Places, size: usize) -> bool {
    let mut index = 0;
    while index < places.at.len() {
        if places.at[index] != NOWHERE && places.sizes[index].size >= size {
            return true;
        }
        index += 1;
    }
    false
}

/// Whether a machine has returned.
#[must_use]
pub fn is_terminated<S: Inferred>(machine: &S) -> bool {
    // SAFETY: the machine is borrowed, and the tag only read.
    unsafe { Tag::of::<S>(base(machine)) }.get() == done::<S>()
}

/// Goes on with a trace in what a machine awaits.
pub fn trace<S: Inferred>(machine: &S, visit: &mut Visit<'_>) {
    visit(machine.state());
    // SAFETY: the machine is borrowed, and only looked at.
    let _ = unsafe { S::advance(base(machine), &mut Looking::Trace(visit), &Region::new()) };
}

/// `Debug` of a machine: where it stands, and what it stores there.
///
/// # Errors
///
/// Those of the formatter.
pub fn debug<S: Inferred>(machine: &S, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let state = machine.state();
    let mut shown = f.debug_struct(S::NAME);
    shown.field("state", &state.name).field("line", &state.line);
    // SAFETY: the machine is borrowed, and only looked at.
    let _ = unsafe {
        S::advance(
            base(machine),
            &mut Looking::Locals(&mut shown),
            &Region::new(),
        )
    };
    shown.finish()
}
