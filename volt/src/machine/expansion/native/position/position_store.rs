//! The position of a machine, as its storage records it.

use core::fmt;
use core::marker::PhantomData;
use core::task::Context;

#[cfg(feature = "std")]
use super::super::argument_bytes::ArgumentField;
use super::brand::Brand;
use crate::machine::walk::Walk;
use volt_inspect::machine::State;

/// A function that walks the future at an address.
pub(crate) type Trace = unsafe fn(*const (), &mut Walk<'_, '_>);

/// The trace of a site at which a trace ends.
pub(crate) unsafe fn no_trace(_: *const (), _: &mut Walk<'_, '_>) {}

/// The stage of a machine.
#[derive(Clone, Copy, Debug)]
pub enum MachineStage {
    /// The machine was never polled, and has its arguments.
    Start,
    /// The machine was polled, and has reached no await that the macro sees.
    Running,
    /// The machine waits at this await.
    Waiting(&'static State),
    /// The machine has returned.
    Done,
    /// The machine has panicked.
    Poisoned,
}

impl MachineStage {
    /// Returns the state of the await at which the machine waits.
    pub(crate) fn waiting(self) -> Option<&'static State> {
        match self {
            Self::Waiting(state) => Some(state),
            _ => None,
        }
    }
}

/// The record of a machine's position: its progress, or only its stage.
///
/// # Safety
///
/// `is_start` returns `true` until `start` is called, and `false` from then on.
pub unsafe trait PositionStore: InputKind {
    /// The position of a machine that was never polled.
    const NEW: Self;

    /// Returns `true` if the machine was never polled.
    fn is_start(&self) -> bool;

    /// Records that the machine is polled for the first time, and the address of its arguments.
    fn start(&self, arguments: *mut ());

    /// Records that the first poll is over, after which the address of the arguments is invalid.
    fn clear_arguments(&self, arguments: *mut ());

    /// Passes the address of its arguments to a new coroutine. `poll` polls the coroutine, and
    /// returns `true` if that is ready.
    ///
    /// # Safety
    ///
    /// The coroutine was never polled.
    unsafe fn pass_arguments(poll: impl FnOnce(&mut Context<'_>) -> bool, arguments: *mut ());

    /// Records that the coroutine has returned.
    fn end(&self);

    /// Records that a poll has panicked.
    fn poison(&self);

    /// Records that the coroutine is suspended, and that its last pending future was at `last`. Any
    /// other future that the position leads to has ended.
    #[inline]
    fn clear_inner_unless_at(&self, last: *const ()) {
        let _ = last;
    }

    /// Returns the stage of the machine.
    fn stage(&self) -> MachineStage;

    /// Continues a walk in the awaited future.
    ///
    /// # Safety
    ///
    /// The machine is not being polled, and `base` is a pointer to its coroutine's bytes that may
    /// read all of them. In a walk as a tree, it may write them, too.
    #[doc(hidden)]
    unsafe fn walk(&self, base: *const (), walk: &mut Walk<'_, '_>);
}

/// The kind of a machine, as its coroutine's input names it: a position store, or `Compact`.
pub trait InputKind: Sized {
    /// The value that the coroutine captures.
    type Captured<'m, A>;

    /// Creates the value that the coroutine captures.
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> Self::Captured<'m, A>;
}

/// The fields of arguments `A` in a machine of a kind.
pub trait CompactFields<A> {
    /// The fields of the arguments, if the machine stores only its coroutine.
    #[cfg(feature = "std")]
    const FIELDS: Option<&'static [ArgumentField]> = None;
}

/// The kind of a machine that records its awaits, or whose suspend point is its position.
pub trait TracedKind: InputKind {
    /// The pointer with which its coroutine begins an await.
    type Pointer<'m, A>;

    /// Returns the pointer, for a coroutine that has all its arguments when it is created.
    fn pointer<'m, A>(given: CoroutineInput<'m, A, Self>) -> Self::Pointer<'m, A>;
}

/// The input of a coroutine: the position of its machine, and the arguments, which it moves out.
#[derive(Debug)]
pub struct CoroutineInput<'m, A, N> {
    pub(crate) position: *const N,
    pub(crate) arguments: *mut A,
    pub(crate) brand: PhantomData<Brand<'m, A>>,
}

/// A pointer with an alignment of four bytes, so that it does not raise the alignment of a
/// coroutine.
#[repr(C, packed(4))]
pub(super) struct PackedPtr<T>(*const T);

impl<T> PackedPtr<T> {
    #[inline]
    pub(crate) const fn new(pointer: *const T) -> Self {
        Self(pointer)
    }

    #[inline]
    pub(crate) fn get(self) -> *const T {
        self.0
    }
}

impl<T> Clone for PackedPtr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PackedPtr<T> {}

impl<T> fmt::Debug for PackedPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackedPtr").finish_non_exhaustive()
    }
}

/// A pointer from a coroutine to the progress of its machine.
#[derive(Clone, Copy, Debug)]
pub struct MachinePtr(PackedPtr<()>);

// SAFETY: it leads to the machine that contains it, so it moves to another thread only together
// with that. It reads and writes only that machine, while the machine is polled.
unsafe impl Send for MachinePtr {}
// SAFETY: as above. All its uses require that the coroutine runs.
unsafe impl Sync for MachinePtr {}

impl MachinePtr {
    #[inline]
    pub(crate) const fn new(progress: *const ()) -> Self {
        Self(PackedPtr::new(progress))
    }

    #[inline]
    pub(crate) fn get(self) -> *const () {
        self.0.get()
    }
}

/// A value with an alignment of one byte, so that it needs no padding.
#[repr(C, packed)]
#[derive(Clone, Copy)]
pub(crate) struct Unaligned<T: Copy>(T);

impl<T: Copy> Unaligned<T> {
    #[inline]
    pub(crate) const fn new(value: T) -> Self {
        Self(value)
    }

    #[inline]
    pub(crate) fn get(self) -> T {
        self.0
    }
}

impl<T: Copy> fmt::Debug for Unaligned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unaligned").finish_non_exhaustive()
    }
}

impl<A, N> Clone for CoroutineInput<'_, A, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, N> Copy for CoroutineInput<'_, A, N> {}

impl<'m, A, N: InputKind> CoroutineInput<'m, A, N> {
    /// Returns the value that the coroutine captures.
    #[inline]
    #[must_use]
    pub fn capture(self) -> N::Captured<'m, A> {
        N::capture(self)
    }

    /// Returns the pointer with which the coroutine begins an await. It captures that if its
    /// arguments are parameters, or if its function is under another attribute.
    #[inline]
    #[must_use]
    pub fn pointer(self) -> N::Pointer<'m, A>
    where
        N: TracedKind,
    {
        N::pointer(self)
    }
}

/// A function that creates the coroutine of a machine.
pub trait CoroutineFn<A, N> {
    /// The coroutine.
    type Coroutine;

    /// Creates the coroutine.
    fn make(self, given: CoroutineInput<'static, A, N>) -> Self::Coroutine;
}

/// The function of a coroutine, which takes only the captured value.
#[derive(Debug)]
pub struct CapturingFn<M>(pub M);

impl<A, N: InputKind, F, M: FnOnce(N::Captured<'static, A>) -> F> CoroutineFn<A, N>
    for CapturingFn<M>
{
    type Coroutine = F;

    #[inline]
    fn make(self, given: CoroutineInput<'static, A, N>) -> F {
        self.0(given.capture())
    }
}

/// A closure that calls the function of a coroutine with its receiver, too.
#[derive(Debug)]
pub struct InputFn<M>(pub M);

impl<A, N, F, M: FnOnce(CoroutineInput<'static, A, N>) -> F> CoroutineFn<A, N> for InputFn<M> {
    type Coroutine = F;

    #[inline]
    fn make(self, given: CoroutineInput<'static, A, N>) -> F {
        self.0(given)
    }
}

impl<A, N> CoroutineInput<'_, A, N> {
    /// # Safety
    ///
    /// The position is live and stays at its address for as long as the value, and each value made
    /// from it, is used.
    #[inline]
    pub(crate) unsafe fn new(position: *const N, arguments: *mut A) -> Self {
        Self {
            position,
            arguments,
            brand: PhantomData,
        }
    }

    /// Returns the address of the arguments. It is valid until the coroutine reaches its first
    /// await.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn arguments(self) -> *mut A {
        self.arguments
    }
}
