//! The same names without the feature `std`: a machine that records its position.

use core::future::Future;
use core::marker::PhantomData;
use core::ptr;

use super::super::position::{
    ArgumentsPtr, CompactPtr, CoroutineInput, InputKind, Progress, Table,
};
use super::super::storage::{GenericStorage, HeaderAccessor, Inline, MakeCoroutine, new_inline};
use volt_inspect::machine::Introspect;

pub use super::super::storage::{InlineMachine as CompactMachine, poll_inline as poll_compact};

/// The accessor of a machine.
pub type CompactAccessor<T> = HeaderAccessor<T, Progress>;

/// The storage of a machine.
pub type CompactStorage<A, const SIZE: usize, const ALIGN: usize, M> = Inline<A, SIZE, ALIGN, M>;

/// The storage of a machine with type parameters.
pub type CompactCoroutine<A, C, M, T> = GenericStorage<A, C, WithTable<M, T>>;

/// A machine with its table, because each parameter of an alias has to be used.
#[derive(Debug)]
pub struct WithTable<M, T>(PhantomData<fn() -> (M, T)>);

// SAFETY: it calls the function of the machine.
unsafe impl<A, N, C, M: MakeCoroutine<A, N, C>, T> MakeCoroutine<A, N, C> for WithTable<M, T> {
    #[inline]
    unsafe fn make(given: CoroutineInput<'static, A, N>, place: *mut C) {
        // SAFETY: promised by the caller.
        unsafe { M::make(given, place) }
    }
}

/// Returns an `async` block, which stays a future of the compiler.
#[inline]
pub const fn compact_block<T: Table, C: Future>(coroutine: C) -> C {
    coroutine
}

/// Returns the value that marks the awaits of a block, which record nothing.
#[inline]
#[must_use]
pub fn compact_block_ptr() -> CompactPtr<'static, ()> {
    Progress::capture(CoroutineInput {
        position: ptr::null(),
        arguments: ptr::null_mut(),
        brand: PhantomData,
    })
}

impl<'m, A> ArgumentsPtr<'m, A> {
    /// Returns the value that marks the awaits of a coroutine with type parameters.
    #[inline]
    #[must_use]
    pub fn pointer(self) -> CompactPtr<'m, A> {
        Progress::capture(CoroutineInput {
            position: self.machine().get().cast(),
            arguments: ptr::null_mut(),
            brand: PhantomData,
        })
    }
}

impl<'m, A> CoroutineInput<'m, A, Progress> {
    /// Returns the capture of a coroutine with type parameters.
    #[inline]
    #[must_use]
    pub fn capture_with_arguments(self) -> CompactPtr<'m, A> {
        self.capture()
    }
}

/// Creates a machine from its arguments.
#[inline]
#[must_use]
pub fn new_compact<M, A, T>(arguments: A) -> M
where
    M: CompactMachine<A> + Introspect<Accessor = CompactAccessor<T>>,
{
    new_inline(arguments)
}

/// The table of a machine that has no slots for its suspend points.
pub trait SuspendTable: Table {}

/// Without the feature `std` no machine shares a tag.
pub(crate) fn unknown_tag() -> ! {
    unreachable!("a machine has a tag of its own")
}
