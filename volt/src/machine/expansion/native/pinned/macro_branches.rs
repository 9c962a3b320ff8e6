//! The branches of a macro of another crate that polls several futures, such as `tokio::select!`.
//!
//! ```text
//! let branches = ptr.branches::<1>();
//! ptr.enter_branches::<Table, 2, 1>();                     the site
//! tokio::select! {
//!     () = MacroBranch::<_, 0, 1> { link: branches.link(), future } => {}
//! }
//! ```
//!
//! The macro stores each branch in the coroutine and polls it there. The first poll of a branch
//! writes its address to its slot in the local `branches`, and its drop clears the slot. So the
//! slots have exactly the branches that were polled and exist. The progress of the machine has the
//! offset of the local while a slot is in use.
//!
//! The branches of a macro belong to its own site: an await between `enter_branches` and the macro
//! hides them.

use core::cell::Cell;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::marker::{PhantomData, PhantomPinned};
use core::mem::offset_of;
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::await_site::{DynamicTrace, Tracer};
use super::super::position::{ArgumentsPtr, MachinePtr, Progress, Site, Table, Trace};
use crate::machine::walk::Walk;

/// The properties of a branch that its type determines.
struct BranchInfo {
    /// The distance from the link to the future.
    offset: usize,
    trace: Trace,
}

/// The place of a branch, and its type.
struct BranchSlot {
    /// The address of the link, or null if the branch was not polled, or is dropped.
    link: Cell<*const ()>,
    info: Cell<Option<&'static BranchInfo>>,
}

/// The branches of a macro, in the order of the source. The expansion declares it as a local before
/// the statement of the macro.
pub struct MacroBranches<const COUNT: usize> {
    /// The machine, or null in a block without progress.
    machine: MachinePtr,
    slots: [BranchSlot; COUNT],
}

// SAFETY: the cells are written by a poll and a drop of the machine that contains them. A trace
// reads them while the machine is not polled, and the addresses lead to the machine itself.
unsafe impl<const COUNT: usize> Send for MacroBranches<COUNT> {}
// SAFETY: as above.
unsafe impl<const COUNT: usize> Sync for MacroBranches<COUNT> {}

// A branch that has panicked is dropped, so no code sees a slot that is half written.
impl<const COUNT: usize> RefUnwindSafe for MacroBranches<COUNT> {}

impl<const COUNT: usize> fmt::Debug for MacroBranches<COUNT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MacroBranches").finish_non_exhaustive()
    }
}

impl<A> ArgumentsPtr<'_, A> {
    /// Returns the branches of a macro, none of which was polled.
    #[inline]
    #[must_use]
    pub fn branches<const COUNT: usize>(self) -> MacroBranches<COUNT> {
        let empty = || BranchSlot {
            link: Cell::new(ptr::null()),
            info: Cell::new(None),
        };
        MacroBranches {
            machine: self.machine(),
            slots: core::array::from_fn(|_| empty()),
        }
    }

    /// Records that the coroutine is about to wait in a macro, at a site at which a trace ends.
    #[inline]
    pub fn enter_site<T: Table, const INDEX: usize>(self) {
        self.enter_macro(const { &Site::of_macro::<T, INDEX>() });
    }

    /// Records that the coroutine is about to wait in a macro with branches.
    #[inline]
    pub fn enter_branches<T: Table, const INDEX: usize, const COUNT: usize>(self) {
        self.enter_macro(
            const {
                &Site {
                    state: &T::TABLES.states[INDEX],
                    trace: trace_branches::<COUNT>,
                    branches: COUNT,
                }
            },
        );
    }
}

impl<const COUNT: usize> MacroBranches<COUNT> {
    /// Returns the link of a new branch.
    #[inline]
    pub fn link<const INDEX: usize>(&self) -> BranchLink<'_, INDEX, COUNT> {
        BranchLink {
            branches: self,
            _pinned: PhantomPinned,
        }
    }

    fn progress(&self) -> Option<&Progress> {
        // SAFETY: N2, N5: the coroutine, and so the machine around it, outlives its locals.
        unsafe { self.machine.get().cast::<Progress>().as_ref() }
    }

    /// Stores a branch at its first poll. Its address is final.
    fn enter(&self, index: usize, link: *const (), info: &'static BranchInfo) {
        let Some(progress) = self.progress() else {
            return;
        };
        if progress.set_branches::<COUNT>(ptr::from_ref(self).cast()) {
            self.slots[index].info.set(Some(info));
            self.slots[index].link.set(link);
        }
    }

    /// Clears the slot of a branch. The last one clears the offset in the progress, so that no
    /// trace reads the slots after the end of their block.
    fn leave(&self, index: usize) {
        self.slots[index].link.set(ptr::null());
        if self.slots.iter().any(|slot| !slot.link.get().is_null()) {
            return;
        }
        if let Some(progress) = self.progress() {
            progress.clear_inner_at(ptr::from_ref(self).cast());
        }
    }
}

/// Walks the branches.
///
/// # Safety
///
/// The same as for [`Tracer::trace`], for branches of this number.
unsafe fn trace_branches<const COUNT: usize>(at: *const (), walk: &mut Walk<'_, '_>) {
    // SAFETY: promised by the caller.
    let branches = unsafe { &*at.cast::<MacroBranches<COUNT>>() };
    for (index, slot) in branches.slots.iter().enumerate() {
        let link = slot.link.get();
        let Some(info) = slot.info.get().filter(|_| !link.is_null()) else {
            continue;
        };
        // The pointer of the caller may access all of the coroutine.
        let future = at.with_addr(link.addr() + info.offset);
        walk.child(index, |walk| {
            // SAFETY: N11: the branch is live and pinned in the coroutine, and has this type.
            unsafe { (info.trace)(future, walk) };
        });
    }
}

/// The link from a branch to its slot.
///
/// It is not `Unpin`. So a reference of the macro to a branch claims no exclusive access to it.
pub struct BranchLink<'b, const INDEX: usize, const COUNT: usize> {
    branches: &'b MacroBranches<COUNT>,
    _pinned: PhantomPinned,
}

impl<const INDEX: usize, const COUNT: usize> fmt::Debug for BranchLink<'_, INDEX, COUNT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BranchLink").finish_non_exhaustive()
    }
}

impl<const INDEX: usize, const COUNT: usize> Drop for BranchLink<'_, INDEX, COUNT> {
    #[inline]
    fn drop(&mut self) {
        if !self.branches.slots[INDEX].link.get().is_null() {
            self.branches.leave(INDEX);
        }
    }
}

/// A branch: a future, and the link to its slot.
#[derive(Debug)]
#[repr(C)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct MacroBranch<'b, F, const INDEX: usize, const COUNT: usize> {
    /// The link to the slot.
    pub link: BranchLink<'b, INDEX, COUNT>,
    /// The user's future.
    pub future: F,
}

/// Returns the future of a branch.
#[inline]
pub fn into_future<F: IntoFuture>(future: F) -> F::IntoFuture {
    future.into_future()
}

/// The information about a branch with this future.
struct InfoOf<F, const INDEX: usize, const COUNT: usize>(PhantomData<F>);

impl<F, const INDEX: usize, const COUNT: usize> InfoOf<F, INDEX, COUNT> {
    const INFO: BranchInfo = {
        let trace: Trace = <DynamicTrace as Tracer<F>>::trace;
        BranchInfo {
            offset: offset_of!(MacroBranch<'static, F, INDEX, COUNT>, future),
            trace,
        }
    };
}

impl<F: Future, const INDEX: usize, const COUNT: usize> Future
    for MacroBranch<'_, F, INDEX, COUNT>
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let branches = self.link.branches;
        if branches.slots[INDEX].link.get().is_null() {
            let link = ptr::from_ref(&self.link).cast();
            branches.enter(INDEX, link, const { &InfoOf::<F, INDEX, COUNT>::INFO });
        }
        // SAFETY: the future is pinned because the branch is, and nothing moves it.
        unsafe { self.map_unchecked_mut(|this| &mut this.future) }.poll(cx)
    }
}
