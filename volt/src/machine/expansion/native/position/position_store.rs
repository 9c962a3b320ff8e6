//! What a machine notes of where it stands.

use core::fmt;
use core::marker::PhantomData;
use core::task::Context;

use crate::machine::state::State;

/// Where a machine stands.
#[derive(Clone, Copy, Debug)]
pub enum MachineStage {
    /// Never polled: the arguments are still here.
    Start,
    /// Polled, and at no await that is in sight yet.
    Running,
    /// At this await.
    Waiting(&'static State),
    /// It has returned.
    Done,
    /// It has panicked.
    Poisoned,
}

/// The notes of a machine: its progress, or less of it.
///
/// # Safety
///
/// `is_start` is true until `start`, and false from then on.
pub unsafe trait PositionStore: Sized {
    /// Those of a machine that was never polled.
    const NEW: Self;

    /// What the coroutine captures.
    type Captured<'m, A>;

    /// Makes what the coroutine captures.
    fn capture<'m, A>(given: CoroutineInput<'m, A, Self>) -> Self::Captured<'m, A>;

    /// Whether the machine was never polled.
    fn is_start(&self) -> bool;

    /// The machine is polled for the first time, and its arguments are there now.
    fn start(&self, arguments: *mut ());

    /// The first poll is over, and with it the place of the arguments.
    fn clear_arguments(&self, arguments: *mut ());

    /// Tells a coroutine that was just made where its arguments are. `poll` polls it, and says whether it is ready.
    ///
    /// # Safety
    ///
    /// The coroutine was never polled.
    unsafe fn pass_arguments(poll: impl FnOnce(&mut Context<'_>) -> bool, arguments: *mut ());

    /// The coroutine has returned.
    fn end(&self);

    /// A poll has panicked.
    fn poison(&self);

    /// Where the machine stands.
    fn stage(&self) -> MachineStage;

    /// Goes on with a trace in the awaited future.
    ///
    /// # Safety
    ///
    /// The machine is not being polled, and `base` is a pointer to its coroutine's bytes, with
    /// leave to read them all.
    unsafe fn trace(&self, base: *const (), visit: &mut dyn FnMut(&'static State));
}

/// What a coroutine is made of: the notes of its machine, and the arguments, which it is about to take.
#[derive(Debug)]
pub struct CoroutineInput<'m, A, N> {
    pub(crate) notes: *const N,
    pub(crate) arguments: *mut A,
    pub(crate) brand: PhantomData<Brand<'m, A>>,
}

/// A pointer that is content with an alignment of four bytes, so that a coroutine keeps its own.
#[repr(C, packed(4))]
pub struct PackedPtr<T>(*const T);

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

/// A value without an alignment, so that it takes as many bytes as it has.
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

/// The life of the machine, and what is made of it.
pub(crate) type Brand<'m, A> = (fn(&'m ()) -> &'m (), fn() -> A);

impl<A, N> Clone for CoroutineInput<'_, A, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, N> Copy for CoroutineInput<'_, A, N> {}

impl<'m, A, N: PositionStore> CoroutineInput<'m, A, N> {
    /// What the coroutine captures.
    #[inline]
    #[must_use]
    pub fn capture(self) -> N::Captured<'m, A> {
        N::capture(self)
    }
}

/// What makes the coroutine of a machine.
pub trait CoroutineFn<A, N> {
    /// The coroutine.
    type Coroutine;

    /// Makes it.
    fn make(self, given: CoroutineInput<'static, A, N>) -> Self::Coroutine;
}

/// The function of a coroutine, which captures the one thing that it needs.
#[derive(Debug)]
pub struct CapturingFn<M>(pub M);

impl<A, N: PositionStore, F, M: FnOnce(N::Captured<'static, A>) -> F> CoroutineFn<A, N>
    for CapturingFn<M>
{
    type Coroutine = F;

    #[inline]
    fn make(self, given: CoroutineInput<'static, A, N>) -> F {
        self.0(given.capture())
    }
}

/// A call of the function of a coroutine, which takes a receiver, too.
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
    /// The notes live, and stay where they are, for as long as the value, and what is made of it, is
    /// used.
    #[inline]
    pub(crate) unsafe fn new(notes: *const N, arguments: *mut A) -> Self {
        Self {
            notes,
            arguments,
            brand: PhantomData,
        }
    }

    /// Where the arguments are. Good until the coroutine comes to its first await.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn arguments(self) -> *mut A {
        self.arguments
    }
}
