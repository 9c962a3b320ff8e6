//! What is done with a coroutine whose type cannot be named: one constant of its machine knows the type, and keeps a
//! function for each thing.
//!
//! So everything else is generic over the machine alone, and the compiler checks it once here instead of in each
//! machine. The constant is known when a program is built, so optimised code calls the functions themselves.

use core::future::Future;
use core::mem::transmute;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::position::{
    ArgumentsPtr, CoroutineInput, PositionStore, Progress, UntracedCapture,
};

/// What is done with a coroutine.
#[derive(Clone, Copy, Debug)]
pub struct CoroutineVtable {
    /// Makes it in its place, of where the notes and the arguments lie.
    make: MakeFn<()>,
    /// A [`PollCoroutine`] of its output, which has lifetimes and may be no name that is in sight.
    poll: *const (),
    /// Drops it in its place.
    drop: DropFn<()>,
}

/// Makes a coroutine in a place.
pub(crate) type MakeFn<F> = unsafe fn(*const (), *mut (), *mut F);

/// Drops it there.
type DropFn<F> = unsafe fn(*mut F);

/// Polls it there, given without its type.
type PollCoroutine<T> = unsafe fn(*mut (), &mut Context<'_>) -> Poll<T>;

impl CoroutineVtable {
    /// Those of the coroutine that a function makes. The value says that there is one.
    pub(crate) const fn of_fn<C: CoroutineCapture, F: Future, K: FnOnce(C) -> F + Copy>(
        _: &K,
    ) -> Self {
        Self::of_make(make_with::<C, F, K>)
    }

    /// The same of a function that makes it in its place.
    pub(crate) const fn of_make<F: Future>(make: MakeFn<F>) -> Self {
        let poll: unsafe fn(*mut F, &mut Context<'_>) -> Poll<F::Output> = poll_in_place::<F>;
        let drop: DropFn<F> = ptr::drop_in_place::<F>;
        // SAFETY: pointers to types with a size are alike, and the one who calls gives one to an `F`.
        let make = unsafe { transmute::<MakeFn<F>, MakeFn<()>>(make) };
        // SAFETY: as above.
        let drop = unsafe { transmute::<DropFn<F>, DropFn<()>>(drop) };
        let poll = poll as *const ();
        Self { make, poll, drop }
    }

    /// Makes the coroutine.
    ///
    /// # Safety
    ///
    /// As for [`CoroutineInput::new`], with the notes and arguments of the function. The place is free, and as the coroutine has
    /// to lie.
    #[inline]
    pub(crate) unsafe fn make(self, notes: *const (), arguments: *mut (), place: *mut ()) {
        // SAFETY: promised by the caller.
        unsafe { (self.make)(notes, arguments, place) }
    }

    /// Polls it.
    ///
    /// # Safety
    ///
    /// It is there, stays there until it is dropped, and nobody else has a reference to it. `T` is its output.
    #[inline]
    pub(crate) unsafe fn poll<T>(self, place: *mut (), cx: &mut Context<'_>) -> Poll<T> {
        // SAFETY: `of_make` has made it of such a function; lifetimes are no part of what it is.
        let poll = unsafe { transmute::<*const (), PollCoroutine<T>>(self.poll) };
        // SAFETY: promised by the caller.
        unsafe { poll(place, cx) }
    }

    /// Drops it.
    ///
    /// # Safety
    ///
    /// It is there, and nobody uses it any more.
    #[inline]
    pub(crate) unsafe fn drop(self, place: *mut ()) {
        // SAFETY: promised by the caller.
        unsafe { (self.drop)(place) }
    }
}

#[inline]
unsafe fn make_with<C: CoroutineCapture, F, K: FnOnce(C) -> F + Copy>(
    notes: *const (),
    arguments: *mut (),
    place: *mut F,
) {
    // SAFETY: `of_fn` was given one.
    let make = unsafe { copy_zero_sized::<K>() };
    // SAFETY: promised by the caller.
    let captured = unsafe { C::capture(notes, arguments) };
    // SAFETY: promised by the caller.
    unsafe { place.write(make(captured)) };
}

/// One more of a type without a size, such as that of a function.
///
/// # Safety
///
/// There was one.
#[inline]
pub(crate) unsafe fn copy_zero_sized<K: Copy>() -> K {
    const { assert!(size_of::<K>() == 0, "a function captures nothing") };
    // SAFETY: there was one, it can be copied, and it has no bytes.
    unsafe { ptr::NonNull::<K>::dangling().read() }
}

/// # Safety
///
/// It is live, stays there until it is dropped, and nobody else has a reference to it.
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

/// What a coroutine captures, of where its machine's notes lie and where the arguments.
pub trait CoroutineCapture {
    /// The arguments of the machine, as a tuple.
    type Arguments;

    /// Makes it.
    ///
    /// # Safety
    ///
    /// As for [`CoroutineInput::new`], with the notes and the arguments that the type names.
    #[doc(hidden)]
    unsafe fn capture(notes: *const (), arguments: *mut ()) -> Self;
}

impl<A, N> CoroutineCapture for CoroutineInput<'_, A, N> {
    type Arguments = A;

    #[inline]
    unsafe fn capture(notes: *const (), arguments: *mut ()) -> Self {
        // SAFETY: promised by the caller.
        unsafe { Self::new(notes.cast(), arguments.cast()) }
    }
}

impl<A> CoroutineCapture for ArgumentsPtr<'_, A> {
    type Arguments = A;

    #[inline]
    unsafe fn capture(notes: *const (), arguments: *mut ()) -> Self {
        // SAFETY: promised by the caller.
        Progress::capture(unsafe { CoroutineCapture::capture(notes, arguments) })
    }
}

impl<A> CoroutineCapture for UntracedCapture<'_, A> {
    type Arguments = A;

    #[inline]
    unsafe fn capture(_: *const (), _: *mut ()) -> Self {
        Self::NEW
    }
}
