//! The progress of a native machine, and the pointer through which its coroutine records it.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::panic::RefUnwindSafe;
use core::ptr;
use core::task::Context;

use super::brand::{Brand, copy_branded};
use super::handoff::StartLink;
use super::position_store::{
    CompactFields, CoroutineInput, InputKind, MachinePtr, MachineStage, PackedPtr, PositionStore,
    TracedKind,
};
use super::site::{DONE, POISONED, RUNNING, Site};
#[cfg(not(feature = "std"))]
use super::table::Table;
use crate::machine::expansion::waker_check::refuses;
use crate::machine::walk::Walk;
use volt_inspect::machine::PositionLayout;

/// The position of a machine, and during its first poll the address of its arguments.
///
/// Only `poll` and `drop` write the cells, with exclusive access to the machine. The size is twelve
/// bytes, so that a tag fits next to them without padding.
pub struct Progress {
    /// Null until the first poll. During the first poll it is the address of the arguments, until
    /// it is a site.
    site: Cell<PackedPtr<Site>>,
    /// The distance from here to the awaited future, zero if a trace ends here. The highest byte
    /// counts the awaits.
    inner: Cell<u32>,
}

/// The bits of `Progress::inner` for the distance.
const DISTANCE: u32 = AWAIT - 1;
/// One await in the bits for the count. A count that has overflowed means that the next await is
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
    /// The place of the state in a machine that begins with its progress.
    pub(crate) const SITE: PositionLayout = PositionLayout::Site {
        offset: core::mem::offset_of!(Self, site),
    };

    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        ptr::eq(self.site(), &raw const DONE)
    }

    /// Records that an `async` block is polled for the first time. It has no arguments.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn begin(&self) {
        self.store(&raw const RUNNING);
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
            // SAFETY: all other values are written by `set_site`, from a static reference.
            MachineStage::Waiting(unsafe { (*site).state })
        }
    }

    #[inline]
    pub(crate) fn arguments(&self) -> *mut () {
        self.site().cast_mut().cast()
    }

    /// Records that a trace ends here.
    #[inline]
    fn clear_inner(&self) {
        self.inner.set(self.inner.get() & !DISTANCE);
    }

    /// Clears the distance to a future that has ended. The branches of a macro do so by themselves,
    /// and a poll of the macro need not poll one of them.
    #[cold]
    fn clear_ended(&self) {
        if let MachineStage::Waiting(_) = self.read() {
            // SAFETY: it is no stage, so `set_site` has written it from a static reference.
            let branches = unsafe { (*self.site()).branches };
            if branches == 0 {
                self.clear_inner();
            }
        }
    }

    /// Records that the coroutine is about to wait at a site, in a future at an unknown address.
    #[inline]
    pub(crate) fn set_site(&self, site: &'static Site) {
        self.store(site);
        self.inner
            .set((self.inner.get() & !DISTANCE).wrapping_add(AWAIT));
    }

    /// Records that the coroutine is about to wait in a macro. The await is not counted, because no
    /// poll of it can be refused.
    #[inline]
    fn set_site_of_macro(&self, site: &'static Site) {
        self.store(site);
        self.clear_inner();
    }

    /// Records that the awaited future is at `inner`, and is about to be polled. Returns `true`,
    /// after it has woken the task, if the await is refused.
    ///
    /// The future is there at each poll since `set_site`, which has cleared the distance.
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

    /// Clears the distance, if the future at `inner` was the awaited one.
    #[inline]
    pub(crate) fn clear_inner_at(&self, inner: *const ()) {
        if self.inner.get() & DISTANCE == self.distance(inner) {
            self.clear_inner();
        }
    }

    /// Records the address of the branches of a macro, at the first poll of one of them. Returns
    /// `false` if the coroutine is at the site of no such macro, or the address is too far.
    pub(crate) fn set_branches<const COUNT: usize>(&self, branches: *const ()) -> bool {
        let MachineStage::Waiting(_) = self.read() else {
            return false;
        };
        // SAFETY: it is no stage, so `set_site` has written it from a static reference.
        let count = unsafe { (*self.site()).branches };
        let distance = self.distance(branches);
        if count != COUNT || distance == 0 {
            return false;
        }
        self.inner.set(self.inner.get() & !DISTANCE | distance);
        true
    }

    /// Returns the distance, or zero for an address before this one, or beyond 16 MiB.
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
    /// The same as for `walk`.
    unsafe fn walk_inner(&self, base: *const (), walk: &mut Walk<'_, '_>) {
        let distance = (self.inner.get() & DISTANCE) as usize;
        let MachineStage::Waiting(_) = self.read() else {
            return;
        };
        if distance == 0 {
            return;
        }
        let inner = base.with_addr(ptr::from_ref(self).addr().wrapping_add(distance));
        // SAFETY: it is no stage, so `set_site` has written it from a static reference.
        let trace = unsafe { (*self.site()).trace };
        // SAFETY: N2, N4: the recorded future is still there, and pinned.
        unsafe { trace(inner, walk) };
    }
}

// A machine that has panicked is never polled again, so no code sees a position that is half
// written.
impl RefUnwindSafe for Progress {}

// SAFETY: `start` writes a site, and so do all other functions.
unsafe impl PositionStore for Progress {
    const NEW: Self = Self {
        site: Cell::new(PackedPtr::new(ptr::null())),
        inner: Cell::new(0),
    };

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

    #[inline]
    fn clear_inner_unless_at(&self, last: *const ()) {
        let distance = self.inner.get() & DISTANCE;
        if distance != 0 && distance != self.distance(last) {
            self.clear_ended();
        }
    }

    fn stage(&self) -> MachineStage {
        self.read()
    }

    unsafe fn walk(&self, base: *const (), walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller.
        unsafe { self.walk_inner(base, walk) };
    }
}

impl InputKind for Progress {
    type Captured<'m, A> = ProgressCapture<'m, A>;

    #[inline]
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> ProgressCapture<'m, A> {
        ProgressCapture {
            link: StartLink::new(given.pointer().machine),
            brand: given.brand,
        }
    }
}

impl<A> CompactFields<A> for Progress {}

impl TracedKind for Progress {
    type Pointer<'m, A> = ArgumentsPtr<'m, A>;

    #[inline]
    fn pointer<'m, A>(given: CoroutineInput<'m, A, Self>) -> ArgumentsPtr<'m, A> {
        ArgumentsPtr {
            machine: MachinePtr::new(given.position.cast()),
            brand: given.brand,
        }
    }
}

/// The value that a coroutine captures. Its first statement is `let ptr = ptr.receive();`.
#[derive(Debug)]
pub struct ProgressCapture<'m, A> {
    link: StartLink,
    brand: PhantomData<Brand<'m, A>>,
}

/// A compact machine would begin its awaits with it.
#[cfg(not(feature = "std"))]
impl<A> Clone for ProgressCapture<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(not(feature = "std"))]
impl<A> Copy for ProgressCapture<'_, A> {}

impl<'m, A> ProgressCapture<'m, A> {
    /// Returns the pointer to the machine. It is called once, by the first poll, before any other
    /// code of the coroutine.
    #[inline]
    #[must_use]
    pub fn receive(self) -> ArgumentsPtr<'m, A> {
        ArgumentsPtr {
            machine: self.link.receive(),
            brand: self.brand,
        }
    }

    /// Records that the coroutine of a compact machine is about to wait in a macro.
    #[cfg(not(feature = "std"))]
    #[inline]
    pub fn enter_site<T: Table, const INDEX: usize>(self) {
        self.receive().enter_site::<T, INDEX>();
    }
}

/// The pointer through which a coroutine moves out its arguments `A` and records its position.
///
/// The lifetime keeps it within the coroutine: its function is generic over `'m`.
pub struct ArgumentsPtr<'m, A> {
    machine: MachinePtr,
    brand: PhantomData<Brand<'m, A>>,
}

copy_branded! { ArgumentsPtr }

impl<A> ArgumentsPtr<'_, A> {
    /// Returns the address of the arguments. It is valid until the coroutine reaches its first
    /// await.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn arguments(self) -> *mut A {
        // SAFETY: promised to `CoroutineInput::new`.
        let progress = unsafe { &*self.machine.get().cast::<Progress>() };
        progress.arguments().cast()
    }

    /// Records that the coroutine is about to wait at a site, in a future at an unknown address.
    #[inline]
    pub(crate) fn enter(self, site: &'static Site) {
        if let Some(progress) = self.progress() {
            progress.set_site(site);
        }
    }

    /// Records that the coroutine is about to wait in a macro.
    #[inline]
    pub(crate) fn enter_macro(self, site: &'static Site) {
        if let Some(progress) = self.progress() {
            progress.set_site_of_macro(site);
        }
    }

    #[inline]
    fn progress(&self) -> Option<&Progress> {
        // Only a block has no progress.
        if cfg!(not(feature = "std")) && self.machine.get().is_null() {
            return None;
        }
        // SAFETY: promised to `CoroutineInput::new`; the coroutine runs.
        Some(unsafe { &*self.machine.get().cast::<Progress>() })
    }

    #[inline]
    pub(crate) fn machine(self) -> MachinePtr {
        self.machine
    }
}

impl ArgumentsPtr<'static, ()> {
    /// Returns the pointer of an `async` block.
    #[inline]
    pub(crate) const fn of_block(machine: MachinePtr) -> Self {
        let brand = PhantomData;
        Self { machine, brand }
    }
}
