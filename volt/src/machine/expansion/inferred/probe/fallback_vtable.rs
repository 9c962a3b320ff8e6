//! The functions of a coroutine that a machine stores in place of its fields: created from the
//! arguments in the machine, polled, and dropped.

use core::future::Future;

use crate::machine::expansion::native::{CoroutineVtable, copy_zero_sized};

/// A function whose arguments are passed as a tuple `A`.
pub trait CallWithTuple<A> {
    /// The output of the function.
    type Output;

    /// Calls the function.
    fn call_with_tuple(self, arguments: A) -> Self::Output;
}

macro_rules! gives {
    ($($argument:ident)*) => {
        #[allow(non_snake_case, reason = "each argument is named as its type")]
        impl<F: FnOnce($($argument),*) -> R, R, $($argument),*> CallWithTuple<($($argument,)*)> for F {
            type Output = R;

            #[inline]
            fn call_with_tuple(self, ($($argument,)*): ($($argument,)*)) -> R {
                self($($argument),*)
            }
        }
    };
}

gives!();
gives!(A);
gives!(A B);
gives!(A B C);
gives!(A B C D);
gives!(A B C D E);
gives!(A B C D E G);
gives!(A B C D E G H);
gives!(A B C D E G H I);

/// The functions of a coroutine that a machine stores, and of the arguments before it.
#[derive(Clone, Copy, Debug)]
pub struct FallbackVtable {
    pub(crate) vtable: CoroutineVtable,
    /// Drops the arguments of the machine at an address, in the order of their declarations.
    pub(crate) drop_arguments: unsafe fn(*mut u8, &[usize]),
}

impl FallbackVtable {
    pub(crate) const fn of<A: ArgumentTuple, F: CallWithTuple<A> + Copy>() -> Self
    where
        F::Output: Future,
    {
        Self {
            vtable: CoroutineVtable::of_make(make::<A, F>),
            drop_arguments: drop_arguments::<A>,
        }
    }
}

/// Creates the coroutine in its place, from the arguments of a machine, which are moved out of
/// their places.
#[inline]
unsafe fn make<A: ArgumentTuple, F: CallWithTuple<A> + Copy>(
    at: *const (),
    base: *mut (),
    place: *mut F::Output,
) {
    // SAFETY: `stored_fallback` had a value of the type.
    let make = unsafe { copy_zero_sized::<F>() };
    // SAFETY: `advance_fallback` passes the offsets in this form.
    let at = unsafe { *at.cast::<&[usize]>() };
    // SAFETY: promised by the caller.
    let arguments = unsafe { A::take(base.cast(), at) };
    // SAFETY: promised by the caller; the arguments are out.
    unsafe { place.write(make.call_with_tuple(arguments)) };
}

#[inline]
unsafe fn drop_arguments<A: ArgumentTuple>(base: *mut u8, at: &[usize]) {
    // SAFETY: promised by the caller.
    drop(unsafe { A::take(base, at) });
}

/// The arguments of an explicit machine that was not polled yet, as a tuple.
///
/// Each argument is in a field of the machine, and the offsets are values of its layout. So a
/// function reads each one by its type. The trait is implemented for as many arguments as
/// [`CallWithTuple`], with which it is used.
///
/// `ArgumentBytes` is about the tuple itself, which a native machine stores.
pub trait ArgumentTuple {
    /// Moves them out of their places.
    ///
    /// # Safety
    ///
    /// They are in the machine at `base`, each at its offset in `at`, and are not moved out again.
    unsafe fn take(base: *mut u8, at: &[usize]) -> Self;
}

macro_rules! arguments {
    ($($argument:ident $index:literal)*) => {
        impl<$($argument),*> ArgumentTuple for ($($argument,)*) {
            #[inline]
            unsafe fn take(base: *mut u8, at: &[usize]) -> Self {
                ($(
                    // SAFETY: promised by the caller.
                    unsafe { argument::<$argument>(base, at, $index) },
                )*)
            }
        }
    };
}

/// Moves one argument out of its place.
///
/// # Safety
///
/// The requirements of [`ArgumentTuple::take`] hold.
#[inline]
unsafe fn argument<T>(base: *mut u8, at: &[usize], index: usize) -> T {
    // SAFETY: promised by the caller.
    let place = unsafe { base.add(at[index]) };
    // SAFETY: promised by the caller.
    unsafe { place.cast::<T>().read() }
}

arguments!(A 0);
arguments!(A 0 B 1);
arguments!(A 0 B 1 C 2);
arguments!(A 0 B 1 C 2 D 3);
arguments!(A 0 B 1 C 2 D 3 E 4);
arguments!(A 0 B 1 C 2 D 3 E 4 G 5);
arguments!(A 0 B 1 C 2 D 3 E 4 G 5 H 6);
arguments!(A 0 B 1 C 2 D 3 E 4 G 5 H 6 I 7);

impl ArgumentTuple for () {
    unsafe fn take(_: *mut u8, _: &[usize]) {}
}
