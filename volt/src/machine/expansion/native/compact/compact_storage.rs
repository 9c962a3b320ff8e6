//! `CompactStorage`: the memory of a coroutine, which has its arguments before.

use core::cell::UnsafeCell;
use core::fmt;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::panic::RefUnwindSafe;

use super::super::argument_bytes::ArgumentField;
use super::super::coroutine::{
    CompactLayout, CoroutineInfo, CoroutineTag, FIRST_SUSPEND, PANICKED, RETURNED, UNRESUMED,
};
use super::super::storage::{Align, Aligned};

/// The arguments until the first poll, the coroutine from then on.
#[repr(C)]
union CompactSlot<U: Copy, const SIZE: usize> {
    bytes: MaybeUninit<[u8; SIZE]>,
    align: [U; 0],
}

/// Memory of `SIZE` bytes for arguments `A`, and then for the coroutine of `M`. The offsets in it
/// are those of the `CompactLayout` of `M`.
///
/// The slot is in `ManuallyDrop`, so that its size does not decide whether a machine needs to be
/// dropped, as in an [`Inline`](super::super::storage::Inline).
#[repr(C)]
pub struct CompactStorage<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo>
where
    Align<ALIGN>: Aligned,
{
    slot: ManuallyDrop<UnsafeCell<CompactSlot<<Align<ALIGN> as Aligned>::Unit, SIZE>>>,
    arguments: PhantomData<A>,
    machine: PhantomData<fn() -> M>,
    pinned: PhantomPinned,
}

// SAFETY: N3: through a shared reference only the tag and the future in which a trace continues are
// read. The arguments are checked here, and the coroutine by `HeldAcrossAwait`.
unsafe impl<A: Sync, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo> Sync
    for CompactStorage<A, SIZE, ALIGN, M>
where
    Align<ALIGN>: Aligned,
{
}

// A machine that has panicked is never polled again, so no code sees a state that is half written.
impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo> RefUnwindSafe
    for CompactStorage<A, SIZE, ALIGN, M>
where
    Align<ALIGN>: Aligned,
{
}

impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo> fmt::Debug
    for CompactStorage<A, SIZE, ALIGN, M>
where
    Align<ALIGN>: Aligned,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompactStorage").finish_non_exhaustive()
    }
}

impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo> Drop
    for CompactStorage<A, SIZE, ALIGN, M>
where
    Align<ALIGN>: Aligned,
{
    #[inline]
    fn drop(&mut self) {
        let slot: *mut () = self.slot.get().cast();
        let place = Place::of::<M>(slot);
        // SAFETY: the storage is live.
        if unsafe { place.stage() } == UNRESUMED {
            // SAFETY: N1; nothing is dropped twice.
            unsafe { place.drop_arguments::<A>() }
        } else {
            // SAFETY: N1; nothing is dropped twice.
            unsafe { M::VTABLE.drop(slot) }
        }
    }
}

/// The memory of a machine, and its layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    slot: *mut (),
    layout: CompactLayout,
}

impl Place {
    /// Returns the memory of a machine `M` that is at this address.
    #[inline]
    pub(crate) fn of<M: CoroutineInfo>(slot: *mut ()) -> Self {
        let layout = const { M::RECURSIVE_MACHINE_NEEDS_BOX_PIN.layout };
        Self::at(slot, layout)
    }

    /// Returns the memory of a machine with this layout.
    #[inline]
    pub(crate) fn at(slot: *mut (), layout: CompactLayout) -> Self {
        Self { slot, layout }
    }

    /// Returns the place of the arguments, if they are in one.
    #[inline]
    fn arguments(self) -> *mut () {
        self.slot.wrapping_byte_add(self.layout.arguments)
    }

    /// Calls a function for each run of bytes of packed arguments: with their address in the
    /// machine, their address in a tuple, and their number.
    #[inline]
    fn for_packed(
        self,
        tuple: *mut u8,
        fields: &[ArgumentField],
        tag: CoroutineTag,
        mut copy: impl FnMut(*mut u8, *mut u8, usize),
    ) {
        let mut done = 0;
        for field in fields {
            let tuple = tuple.wrapping_add(field.offset);
            let before = field.size.min(tag.offset.saturating_sub(done));
            copy(self.byte(done), tuple, before);
            let after = self.byte(done + before + tag.size);
            copy(after, tuple.wrapping_add(before), field.size - before);
            done += field.size;
        }
    }

    /// Returns the fields of the arguments and the tag, if the arguments are packed around that.
    #[inline]
    fn packed(self) -> Option<(&'static [ArgumentField], CoroutineTag)> {
        self.layout.packed.zip(self.layout.tag)
    }

    /// Moves the arguments in.
    ///
    /// # Safety
    ///
    /// The memory is that of a new machine with arguments `A`.
    #[inline]
    pub(crate) unsafe fn write_arguments<A>(self, arguments: A) {
        let Some((fields, tag)) = self.packed() else {
            // SAFETY: the layout has this place for the arguments.
            unsafe { self.arguments().cast::<A>().write(arguments) };
            return;
        };
        let mut arguments = ManuallyDrop::new(arguments);
        let tuple = (&raw mut arguments).cast::<u8>();
        self.for_packed(tuple, fields, tag, |packed, tuple, count| {
            // SAFETY: the layout has room for the bytes around the tag, and the fields are those of
            // the tuple.
            unsafe { tuple.copy_to_nonoverlapping(packed, count) };
        });
    }

    /// Moves the arguments out.
    ///
    /// # Safety
    ///
    /// There are arguments `A` in the machine, which are not used afterwards.
    #[inline]
    pub(crate) unsafe fn read_arguments<A>(self) -> A {
        let Some((fields, tag)) = self.packed() else {
            // SAFETY: promised by the caller.
            return unsafe { self.arguments().cast::<A>().read() };
        };
        let mut arguments = MaybeUninit::<A>::uninit();
        let tuple = arguments.as_mut_ptr().cast::<u8>();
        self.for_packed(tuple, fields, tag, |packed, tuple, count| {
            // SAFETY: `write_arguments` has written the bytes there.
            unsafe { tuple.copy_from_nonoverlapping(packed, count) };
        });
        // SAFETY: all fields have their bytes.
        unsafe { arguments.assume_init() }
    }

    /// Drops the arguments.
    ///
    /// # Safety
    ///
    /// The same as for `read_arguments`.
    #[inline]
    unsafe fn drop_arguments<A>(self) {
        if self.layout.packed.is_some() {
            // SAFETY: promised by the caller.
            drop(unsafe { self.read_arguments::<A>() });
        } else {
            // SAFETY: as above.
            unsafe { self.arguments().cast::<A>().drop_in_place() };
        }
    }

    fn byte(self, offset: usize) -> *mut u8 {
        self.slot.wrapping_byte_add(offset).cast()
    }

    /// Returns the stage, or any number from `FIRST_SUSPEND` on if there is a coroutine that is
    /// suspended.
    ///
    /// # Safety
    ///
    /// There is a machine at the address, which is not being polled.
    #[inline]
    pub(crate) unsafe fn stage(self) -> usize {
        match self.layout.own_stage {
            // SAFETY: promised by the caller.
            Some(offset) => usize::from(unsafe { self.byte(offset).read() }),
            None if self.layout.tag.is_none() => FIRST_SUSPEND,
            // SAFETY: as above.
            None => match unsafe { self.tag() } {
                tag if tag == self.layout.start => UNRESUMED,
                tag => tag,
            },
        }
    }

    /// Returns `true` if the machine was never polled, or if the layout has no stage.
    ///
    /// # Safety
    ///
    /// The same as for `stage`.
    #[inline]
    pub(crate) unsafe fn may_be_new(self) -> bool {
        let is_known = self.layout.own_stage.is_some() || self.layout.tag.is_some();
        // SAFETY: promised by the caller.
        !is_known || unsafe { self.stage() } == UNRESUMED
    }

    /// Returns the tag of the coroutine, or `PANICKED` if its offset is not known.
    ///
    /// # Safety
    ///
    /// There is a machine at the address, which is not being polled. It has a coroutine, or no
    /// stage of its own.
    #[inline]
    unsafe fn tag(self) -> usize {
        let Some(tag) = self.layout.tag else {
            return PANICKED;
        };
        let place = self.byte(tag.offset);
        if tag.size == 1 {
            // SAFETY: the tag is initialized.
            usize::from(unsafe { place.read() })
        } else {
            // SAFETY: as above.
            usize::from(unsafe { place.cast::<u16>().read_unaligned() })
        }
    }

    /// Returns the index of the suspend point of a suspended coroutine. It is beyond all slots if
    /// the tag is not known.
    ///
    /// # Safety
    ///
    /// The same as for `tag`.
    #[inline]
    pub(crate) unsafe fn suspend_point(self) -> usize {
        // SAFETY: promised by the caller.
        unsafe { self.tag() }.wrapping_sub(FIRST_SUSPEND)
    }

    /// Records that there are arguments, and no coroutine.
    ///
    /// # Safety
    ///
    /// The memory is that of a new machine.
    #[inline]
    pub(crate) unsafe fn set_unresumed(self) {
        if self.layout.own_stage.is_some() {
            // SAFETY: promised by the caller.
            unsafe { self.set_own_stage(UNRESUMED) };
        } else if let Some(tag) = self.layout.tag {
            // SAFETY: promised by the caller.
            unsafe { self.byte(tag.offset).write_bytes(0, tag.size) };
        }
    }

    /// Writes the machine's own stage, if it has one.
    ///
    /// # Safety
    ///
    /// There is a machine at the address.
    #[inline]
    unsafe fn set_own_stage(self, stage: usize) {
        if let Some(offset) = self.layout.own_stage {
            // SAFETY: promised by the caller.
            unsafe { self.byte(offset).write(stage as u8) };
        }
    }

    /// Records that the coroutine was created. It was never polled.
    ///
    /// # Safety
    ///
    /// There is a new coroutine at the address.
    #[inline]
    pub(crate) unsafe fn enter(self) {
        // SAFETY: promised by the caller.
        unsafe { self.set_own_stage(FIRST_SUSPEND) };
        // SAFETY: as above.
        self.expect(unsafe { self.tag() } == UNRESUMED);
    }

    /// Checks that a coroutine waits at its first suspend point, where it was created.
    ///
    /// # Safety
    ///
    /// There is such a coroutine at the address.
    #[inline]
    pub(crate) unsafe fn begin(self) {
        // SAFETY: promised by the caller.
        self.expect(unsafe { self.tag() } == FIRST_SUSPEND);
    }

    /// Records the stage of a coroutine whose poll has ended. All suspend points have one stage.
    ///
    /// # Safety
    ///
    /// The poll of the coroutine at the address has ended in this way.
    #[inline]
    pub(crate) unsafe fn leave(self, stage: usize) {
        // SAFETY: promised by the caller.
        unsafe { self.set_own_stage(stage) };
        // SAFETY: as above.
        self.expect(unsafe { self.tag() }.min(FIRST_SUSPEND) == stage);
    }

    /// Records that a poll has panicked. The poll of a coroutine that has ended panics, too, and
    /// leaves its tag.
    ///
    /// # Safety
    ///
    /// The poll of the coroutine at the address has panicked.
    pub(crate) unsafe fn panic(self) {
        // SAFETY: promised by the caller.
        unsafe { self.set_own_stage(PANICKED) };
        // SAFETY: as above.
        self.expect(matches!(unsafe { self.tag() }, RETURNED | PANICKED));
    }

    /// Ends the process if a tag is not as expected. Then the compiler uses other tags than this
    /// code knows, and the machine would be dropped as something that it is not.
    #[inline]
    fn expect(self, is_expected: bool) {
        let is_checked = self.layout.own_stage.is_none() && self.layout.tag.is_some();
        if is_checked && !is_expected {
            unknown_tag();
        }
    }
}

/// Ends the process.
#[cold]
#[inline(never)]
pub(crate) fn unknown_tag() -> ! {
    std::eprintln!(
        "volt: the compiler uses an unknown tag in a coroutine\n  = help: write `trace = false` at \
         the state machines, and report the version of the compiler"
    );
    std::process::abort()
}
