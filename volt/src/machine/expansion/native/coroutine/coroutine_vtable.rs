//! The functions that create, poll and drop a coroutine whose type has no name.
//!
//! One constant of the machine knows the type. All other code is generic over the machine alone, so
//! the compiler checks it once here instead of in each machine. The constant is known at compile
//! time, so optimised code calls the functions directly.

use core::future::Future;
use core::mem::transmute;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

#[cfg(feature = "std")]
use super::super::argument_bytes::{ArgumentBytes, ArgumentField};
#[cfg(feature = "std")]
use super::super::position::CompactPtr;
use super::super::position::{
    CompactFields, CoroutineInput, InputKind, Progress, ProgressCapture, UntracedCapture,
};

/// The functions that create, poll and drop a coroutine.
#[derive(Clone, Copy, Debug)]
pub struct CoroutineVtable {
    /// Creates it in its place, from the addresses of the position and the arguments.
    make: MakeFn<()>,
    /// A [`PollCoroutine`] of its output, a type which has lifetimes and may have no name in scope.
    poll: *const (),
    /// Drops it in its place.
    drop: DropFn<()>,
}

/// A function that creates a coroutine in a place.
pub(crate) type MakeFn<F> = unsafe fn(*const (), *mut (), *mut F);

/// A function that drops a coroutine in its place.
type DropFn<F> = unsafe fn(*mut F);

/// A function that polls a coroutine in its place, without its type.
type PollCoroutine<T> = unsafe fn(*mut (), &mut Context<'_>) -> Poll<T>;

impl CoroutineVtable {
    /// Returns the functions for the coroutine that `K` creates. The argument proves that a value
    /// of `K` exists.
    pub(crate) const fn of_fn<C: CoroutineCapture, F: Future, K: FnOnce(C) -> F + Copy>(
        _: &K,
    ) -> Self {
        Self::of_make(make_with::<C, F, K>)
    }

    /// Returns the functions for the coroutine that `make` creates in its place.
    pub(crate) const fn of_make<F: Future>(make: MakeFn<F>) -> Self {
        let poll: unsafe fn(*mut F, &mut Context<'_>) -> Poll<F::Output> = poll_in_place::<F>;
        let drop: DropFn<F> = ptr::drop_in_place::<F>;
        // SAFETY: pointers to sized types have one representation, and the caller passes a pointer
        // to an `F`.
        let make = unsafe { transmute::<MakeFn<F>, MakeFn<()>>(make) };
        // SAFETY: as above.
        let drop = unsafe { transmute::<DropFn<F>, DropFn<()>>(drop) };
        let poll = poll as *const ();
        Self { make, poll, drop }
    }

    /// Creates the coroutine.
    ///
    /// # Safety
    ///
    /// The requirements of [`CoroutineInput::new`] hold for the position and arguments of the
    /// function. The place is free, and has the size and alignment of the coroutine.
    #[inline]
    pub(crate) unsafe fn make(self, position: *const (), arguments: *mut (), place: *mut ()) {
        // SAFETY: promised by the caller.
        unsafe { (self.make)(position, arguments, place) }
    }

    /// Polls the coroutine.
    ///
    /// # Safety
    ///
    /// The coroutine is in the place, stays there until it is dropped, and there is no other
    /// reference to it. `T` is its output.
    #[inline]
    pub(crate) unsafe fn poll<T>(self, place: *mut (), cx: &mut Context<'_>) -> Poll<T> {
        // SAFETY: `of_make` has stored such a function. Lifetimes do not change its representation.
        let poll = unsafe { transmute::<*const (), PollCoroutine<T>>(self.poll) };
        // SAFETY: promised by the caller.
        unsafe { poll(place, cx) }
    }

    /// Drops the coroutine.
    ///
    /// # Safety
    ///
    /// The coroutine is in the place, and is not used afterwards.
    #[inline]
    pub(crate) unsafe fn drop(self, place: *mut ()) {
        // SAFETY: promised by the caller.
        unsafe { (self.drop)(place) }
    }
}

#[inline]
unsafe fn make_with<C: CoroutineCapture, F, K: FnOnce(C) -> F + Copy>(
    position: *const (),
    arguments: *mut (),
    place: *mut F,
) {
    // SAFETY: `of_fn` had a value of the type.
    let make = unsafe { copy_zero_sized::<K>() };
    // SAFETY: promised by the caller.
    let captured = unsafe { C::capture(position, arguments) };
    // SAFETY: promised by the caller.
    unsafe { place.write(make(captured)) };
}

/// Returns another value of a type of size zero, such as that of a function.
///
/// # Safety
///
/// A value of the type exists.
#[inline]
pub(crate) unsafe fn copy_zero_sized<K: Copy>() -> K {
    const { assert!(size_of::<K>() == 0, "a function captures nothing") };
    // SAFETY: a value exists, it can be copied, and it has no bytes.
    unsafe { ptr::NonNull::<K>::dangling().read() }
}

/// # Safety
///
/// The coroutine is live, stays there until it is dropped, and there is no other reference to it.
#[inline]
pub(crate) unsafe fn poll_in_place<F: Future>(
    place: *mut F,
    cx: &mut Context<'_>,
) -> Poll<F::Output> {
    // SAFETY: promised by the caller.
    let coroutine = unsafe { &mut *place };
    // SAFETY: promised by the caller.
    unsafe { Pin::new_unchecked(coroutine) }.poll(cx)
}

/// A value that a coroutine captures, created from the addresses of its machine's position and
/// arguments.
pub trait CoroutineCapture {
    /// The arguments of the machine, as a tuple.
    type Arguments;

    /// The fields of the arguments, if the machine stores only its coroutine.
    #[cfg(feature = "std")]
    const COMPACT_FIELDS: Option<&'static [ArgumentField]> = None;

    /// Creates the value.
    ///
    /// # Safety
    ///
    /// The requirements of [`CoroutineInput::new`] hold for the position and the arguments that the
    /// type names.
    #[doc(hidden)]
    unsafe fn capture(position: *const (), arguments: *mut ()) -> Self;
}

impl<A, N: InputKind + CompactFields<A>> CoroutineCapture for CoroutineInput<'_, A, N> {
    type Arguments = A;

    #[cfg(feature = "std")]
    const COMPACT_FIELDS: Option<&'static [ArgumentField]> = N::FIELDS;

    #[inline]
    unsafe fn capture(position: *const (), arguments: *mut ()) -> Self {
        // SAFETY: promised by the caller.
        unsafe { Self::new(position.cast(), arguments.cast()) }
    }
}

#[cfg(feature = "std")]
impl<A: ArgumentBytes> CoroutineCapture for CompactPtr<'_, A> {
    type Arguments = A;

    const COMPACT_FIELDS: Option<&'static [ArgumentField]> = Some(A::FIELDS);

    #[inline]
    unsafe fn capture(_: *const (), arguments: *mut ()) -> Self {
        Self::passing(arguments.cast())
    }
}

impl<A> CoroutineCapture for ProgressCapture<'_, A> {
    type Arguments = A;

    #[inline]
    unsafe fn capture(position: *const (), arguments: *mut ()) -> Self {
        // SAFETY: promised by the caller.
        Progress::capture(unsafe { CoroutineCapture::capture(position, arguments) })
    }
}

impl<A> CoroutineCapture for UntracedCapture<'_, A> {
    type Arguments = A;

    #[inline]
    unsafe fn capture(_: *const (), _: *mut ()) -> Self {
        Self::NEW
    }
}
