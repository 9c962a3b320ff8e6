//! The await at which a coroutine is suspended, found by the tag of the coroutine.
//!
//! The tag of a suspended coroutine has one value for each suspend point, so the awaited future of
//! that value has one type and one offset. A static of the machine's type has a [`SuspendSlot`] for
//! each suspend point. The first machine that is suspended there fills it:
//!
//! 1. The code that begins an await passes its site to the first poll of the awaited future.
//! 2. If that poll is pending, it leaves a note: the site, and the address of the future. This is
//!    the last operation of the coroutine.
//! 3. The poll of the machine takes the note, and fills the slot of the tag that the coroutine has
//!    now.
//!
//! Later polls of the same await have no site, and leave no note: the slot is filled. An await that
//! the attribute does not see leaves no note, either. Its slot gets the site of the macro that the
//! code has entered last, or the site `HIDDEN`, and a trace ends there. A [`MacroSite`] has that
//! macro during a poll. A poll that resumes within a macro begins with the macro of the slot.
//!
//! No static is there for each instance of a generic function. Its [`SlotSource`] finds the slots
//! by the type of the coroutine, and only for a poll with a note or a macro.

use core::cell::Cell;
use core::ptr;

use super::position_store::no_trace;
use super::site::Site;
use volt_inspect::machine::{State, SuspendSlot};

/// The site of an await that the attribute does not see.
static HIDDEN: Site = Site {
    state: &State::new("", usize::MAX, "HIDDEN", ("", 0, 0), &[]),
    trace: no_trace,
    branches: 0,
};

/// A pending await: its site and the address of its future.
type Note = (*const Site, *const ());

const NO_NOTE: Note = (ptr::null(), ptr::null());

/// The offset in the slot of an await that the attribute does not see.
const NO_FUTURE: usize = usize::MAX;

std::thread_local! {
    /// The await of the coroutine that returns `Pending` now.
    static NOTE: Cell<Note> = const { Cell::new(NO_NOTE) };

    /// The number of awaits in the innermost poll of a machine.
    static AWAITS: Cell<u8> = const { Cell::new(0) };

    /// The macro that the code has entered last, in the innermost poll of a machine with macros
    /// that await. It is null after an await that the attribute sees.
    static MACRO: Cell<*const Site> = const { Cell::new(ptr::null()) };
}

/// The slots of a type of coroutines.
pub(crate) trait SlotSource {
    /// `true` if the slots are a static.
    const IS_STATIC: bool;

    /// Returns the slots, or none if no coroutine of the type was suspended.
    fn known() -> &'static [SuspendSlot];

    /// Returns the slots, and creates them if they are not there.
    fn created() -> &'static [SuspendSlot];
}

/// Records that the first poll of the await of the future at this address returns `Pending`.
#[inline]
pub(crate) fn note_suspended(site: *const Site, future: *const ()) {
    NOTE.set((site, future));
}

/// Records that the code enters a macro that may await.
#[inline]
pub(crate) fn enter_macro(site: &'static Site) {
    MACRO.set(site);
}

/// Records that the code begins an await that the attribute sees.
#[inline]
pub(crate) fn leave_macro() {
    MACRO.set(ptr::null());
}

/// The macro that the code has entered last. Its end restores that of the outer poll.
#[derive(Debug)]
pub(crate) struct MacroSite {
    outer: *const Site,
}

impl MacroSite {
    /// Begins the poll of a coroutine that is suspended at the slot with this index, or nowhere.
    #[inline]
    pub(crate) fn begin<S: SlotSource>(index: usize) -> Self {
        let slot = S::known().get(index).and_then(SuspendSlot::get);
        let site = match slot {
            Some((site, NO_FUTURE)) if !is_hidden(site) => site.cast(),
            _ => ptr::null(),
        };
        let outer = MACRO.replace(site);
        Self { outer }
    }
}

impl Drop for MacroSite {
    #[inline]
    fn drop(&mut self) {
        MACRO.set(self.outer);
    }
}

/// Fills the slot at which the coroutine at `base`, of this size, is suspended. Macros of the body
/// await if `hides_awaits` is `true`.
#[inline]
pub(crate) fn fill_slot<S: SlotSource>(
    index: usize,
    (base, size): (*const (), usize),
    hides_awaits: bool,
) {
    let note = NOTE.replace(NO_NOTE);
    // A poll that resumes an await leaves no note, and its slot is filled.
    if !S::IS_STATIC && !hides_awaits && note.0.is_null() {
        return;
    }
    if let Some(slot) = S::created().get(index)
        && (cfg!(debug_assertions) || !slot.is_set())
    {
        let entered = if hides_awaits {
            MACRO.get()
        } else {
            ptr::null()
        };
        fill(slot, note, entered, (base, size));
    }
}

#[cold]
fn fill(
    slot: &SuspendSlot,
    (site, future): Note,
    entered: *const Site,
    (base, size): (*const (), usize),
) {
    let offset = future.addr().wrapping_sub(base.addr());
    let is_own = !site.is_null() && offset <= size;
    match slot.get() {
        None if is_own => slot.set(site.cast(), offset),
        None if !entered.is_null() => slot.set(entered.cast(), NO_FUTURE),
        None => slot.set((&raw const HIDDEN).cast(), NO_FUTURE),
        Some((_, filled_offset)) => {
            debug_assert!(
                !is_own || offset == filled_offset,
                "a suspend point has one await"
            );
        }
    }
}

fn is_hidden(site: *const ()) -> bool {
    ptr::eq(site.cast(), &raw const HIDDEN)
}

/// Returns the site of a suspend point, and the offset of the awaited future, where each is known.
pub(crate) fn suspended_at(
    slots: &'static [SuspendSlot],
    index: usize,
) -> Option<(&'static Site, Option<usize>)> {
    let (site, offset) = slots.get(index)?.get()?;
    let offset = (offset != NO_FUTURE).then_some(offset);
    // SAFETY: only `fill` sets a slot, to a static reference.
    (!is_hidden(site)).then(|| (unsafe { &*site.cast::<Site>() }, offset))
}

/// Counts an await. Returns `true` if it is beyond the limit, see `await_limit`.
#[inline]
pub(crate) fn is_beyond_limit() -> bool {
    let count = AWAITS.get().wrapping_add(1);
    AWAITS.set(count);
    count == 0
}

/// The count of a poll, which ends with it.
#[derive(Debug)]
pub(crate) struct AwaitCount(u8);

impl AwaitCount {
    #[inline]
    pub(crate) fn begin() -> Self {
        Self(AWAITS.replace(0))
    }
}

impl Drop for AwaitCount {
    #[inline]
    fn drop(&mut self) {
        AWAITS.set(self.0);
    }
}
