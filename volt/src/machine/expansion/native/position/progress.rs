//! Where a native machine stands, and the pointer by which its coroutine says so.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::panic::RefUnwindSafe;
use core::ptr;
use core::task::Context;

use super::position_store::{Brand, CoroutineInput, MachineStage, PackedPtr, PositionStore};
use super::table::Table;
use crate::machine::expansion::waker_check::refuses;
use crate::machine::state::State;

/// Visits the states of the future at an address.
pub(crate) type Trace = unsafe fn(*const (), &mut dyn FnMut(&'static State));

/// One await, as the coroutine notes it.
#[derive(Debug)]
pub(crate) struct Site {
    /// The state of the machine.
    pub(crate) state: &'static State,
    /// How the trace goes on in the awaited future.
    pub(crate) trace: Trace,
}

unsafe fn no_trace(_: *const (), _: &mut dyn FnMut(&'static State)) {}

/// A stage is a site that no await has.
macro_rules! stages {
    ($($(#[$doc:meta])* $NAME:ident)*) => { $(
        $(#[$doc])*
        static $NAME: Site = Site {
            state: &State::new("", usize::MAX, stringify!($NAME), ("", 0, 0), &[]),
            trace: no_trace,
        };
    )* };
}

stages! {
    /// The coroutine has returned.
    DONE
    /// A poll has panicked.
    POISONED
    /// The coroutine runs, and has come to no await yet.
    RUNNING
}

/// Where a machine stands, and until its first poll reads them, where its arguments are.
///
/// Cells that only `poll` and `drop` write, which have the machine to themselves. Twelve bytes, so that a tag
/// beside them takes no room.
pub struct Progress {
    /// Null until the first poll. During that, until it is a site, the address of the arguments.
    site: Cell<PackedPtr<Site>>,
    /// The distance from here to the awaited future, zero if there is none to look into. The
    /// highest byte counts the awaits.
    inner: Cell<u32>,
}

/// The part of `Progress::inner` that is a distance.
const DISTANCE: u32 = AWAIT - 1;
/// One await in the rest of it, the count. A count that has run over stands for an await that is
/// refused.
const AWAIT: u32 = 1 << 24;

// SAFETY: the cells are written by `poll` and `drop` alone, which have `&mut` of the machine; the
// pointers lead to statics, to the machine itself, and to the stack of the running poll.
unsafe impl Send for Progress {}
// SAFETY: as above. Through a shared reference the cells are only read.
unsafe impl Sync for Progress {}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Progress").field(&self.read()).finish()
    }
}

impl Progress {
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        ptr::eq(self.site(), &raw const DONE)
    }

    #[inline]
    fn site(&self) -> *const Site {
        self.site.get().get()
    }

    #[inline]
    fn store(&self, site: *const Site) {
        self.site.set(PackedPtr::new(site));
    }

    fn read(&self) -> MachineStage {
        let site = self.site();
        if site.is_null() {
            MachineStage::Start
        } else if ptr::eq(site, &raw const DONE) {
            MachineStage::Done
        } else if ptr::eq(site, &raw const POISONED) {
            MachineStage::Poisoned
        } else if ptr::eq(site, &raw const RUNNING) {
            MachineStage::Running
        } else {
            // SAFETY: all others are written by `set_site`, of a static reference.
            MachineStage::Waiting(unsafe { (*site).state })
        }
    }

    #[inline]
    pub(crate) fn arguments(&self) -> *mut () {
        self.site().cast_mut().cast()
    }

    /// There is nothing to look into.
    #[inline]
    fn clear_inner(&self) {
        self.inner.set(self.inner.get() & !DISTANCE);
    }

    /// The coroutine is about to wait in what cannot be looked into, or has not said yet where it lies.
    #[inline]
    pub(crate) fn set_site(&self, site: &'static Site) {
        self.store(site);
        self.inner
            .set((self.inner.get() & !DISTANCE).wrapping_add(AWAIT));
    }

    /// What the coroutine awaits lies at `inner`, and is about to be polled. Returns `true`, and
    /// has woken the task, if that must not take place now.
    ///
    /// It lies there at each poll since `set_site`, which has cleared the distance.
    #[inline]
    pub(crate) fn refuses_poll_at(&self, inner: *const (), cx: &Context<'_>) -> bool {
        let word = self.inner.get() | self.distance(inner);
        self.inner.set(word);
        cfg!(feature = "rt") && word < AWAIT && self.refuses(cx)
    }

    #[cold]
    fn refuses(&self, cx: &Context<'_>) -> bool {
        self.inner.set(self.inner.get() | AWAIT);
        refuses(cx)
    }

    /// What was awaited at `inner` is gone.
    #[inline]
    pub(crate) fn clear_inner_at(&self, inner: *const ()) {
        if self.inner.get() & DISTANCE == self.distance(inner) {
            self.clear_inner();
        }
    }

    /// Zero for what is not behind this in the same machine, or in one of more than 16 MiB.
    #[inline]
    fn distance(&self, inner: *const ()) -> u32 {
        let distance = inner.addr().wrapping_sub(ptr::from_ref(self).addr());
        if distance > DISTANCE as usize {
            return 0;
        }
        distance as u32
    }

    /// # Safety
    ///
    /// As for `trace`.
    unsafe fn trace_inner(&self, base: *const (), visit: &mut dyn FnMut(&'static State)) {
        let distance = (self.inner.get() & DISTANCE) as usize;
        let MachineStage::Waiting(_) = self.read() else {
            return;
        };
        if distance == 0 {
            return;
        }
        let inner = base.with_addr(ptr::from_ref(self).addr().wrapping_add(distance));
        // SAFETY: no stage, so written by `set_site` with a static reference.
        let trace = unsafe { (*self.site()).trace };
        // SAFETY: N2, N4: the awaited future noted there is still there, and pinned.
        unsafe { trace(inner, visit) };
    }
}

// A machine that has panicked is never polled again, so nobody sees its notes half written.
impl RefUnwindSafe for Progress {}

// SAFETY: `start` writes a site, and so do all others.
unsafe impl PositionStore for Progress {
    const NEW: Self = Self {
        site: Cell::new(PackedPtr::new(ptr::null())),
        inner: Cell::new(0),
    };

    type Captured<'m, A> = ArgumentsPtr<'m, A>;

    #[inline]
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> ArgumentsPtr<'m, A> {
        ArgumentsPtr {
            link: PackedPtr::new(given.notes),
            brand: given.brand,
        }
    }

    #[inline]
    fn is_start(&self) -> bool {
        self.site().is_null()
    }

    #[inline]
    fn start(&self, arguments: *mut ()) {
        self.store(arguments.cast_const().cast());
    }

    #[inline]
    fn clear_arguments(&self, arguments: *mut ()) {
        if ptr::eq(self.arguments(), arguments) {
            self.store(&raw const RUNNING);
        }
    }

    #[inline]
    unsafe fn pass_arguments(_: impl FnOnce(&mut Context<'_>) -> bool, _: *mut ()) {}

    #[inline]
    fn end(&self) {
        self.store(&raw const DONE);
        self.clear_inner();
    }

    #[cold]
    fn poison(&self) {
        self.store(&raw const POISONED);
        self.clear_inner();
    }

    fn stage(&self) -> MachineStage {
        self.read()
    }

    unsafe fn trace(&self, base: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        unsafe { self.trace_inner(base, visit) };
    }
}

/// By what a coroutine takes its arguments `A` and says where it stands.
///
/// The lifetime keeps it within the coroutine: its function is generic over `'m`.
pub struct ArgumentsPtr<'m, A> {
    link: PackedPtr<Progress>,
    brand: PhantomData<Brand<'m, A>>,
}

impl<A> Clone for ArgumentsPtr<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for ArgumentsPtr<'_, A> {}

impl<A> fmt::Debug for ArgumentsPtr<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArgumentsPtr").finish_non_exhaustive()
    }
}

// SAFETY: it leads to the machine that it is a part of, so it goes to another thread only together
// with that, and what it reads and writes is that machine's own while it is polled.
unsafe impl<A> Send for ArgumentsPtr<'_, A> {}
// SAFETY: as above. All that it does needs the coroutine to be running.
unsafe impl<A> Sync for ArgumentsPtr<'_, A> {}

impl<A> ArgumentsPtr<'_, A> {
    /// Where the arguments are. Good until the coroutine comes to its first await.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn arguments(self) -> *mut A {
        // SAFETY: promised to `CoroutineInput::new`.
        let progress = unsafe { &*self.link.get() };
        progress.arguments().cast()
    }

    /// Notes that the coroutine is about to wait at a site that cannot be looked into.
    #[inline]
    pub fn enter_site<T: Table, const INDEX: usize>(self) {
        self.enter(
            const {
                &Site {
                    state: &T::TABLES.states[INDEX],
                    trace: no_trace,
                }
            },
        );
    }

    /// Notes that the coroutine is about to wait at a site; what it awaits there has not said yet where it lies.
    #[inline]
    pub(crate) fn enter(self, site: &'static Site) {
        // SAFETY: promised to `CoroutineInput::new`; the coroutine runs.
        let progress = unsafe { &*self.link.get() };
        progress.set_site(site);
    }

    #[inline]
    pub(crate) fn progress(self) -> PackedPtr<Progress> {
        self.link
    }
}

/// Takes one argument, `take_arguments!(late.0)`, or all, `take_arguments!(late)`, or some, `take_arguments!(late, 1 2)`.
///
/// Each is taken once, before the first await; expanded code alone does so.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_take_arguments {
    ($late:ident) => {
        // SAFETY: N1: the first statement of the coroutine, which takes all.
        unsafe { ::core::ptr::read($late.arguments()) }
    };
    ($late:ident . $index:tt) => {
        // SAFETY: N1: the first statements of the coroutine, each with an index of its own.
        unsafe { ::core::ptr::read(&raw const (*$late.arguments()).$index) }
    };
    ($late:ident, $($index:tt)*) => {
        ($($crate::__volt_take_arguments!($late.$index),)*)
    };
}
