//! Probes for types: a value that has no lifetimes borrows nothing.
//!
//! A local that was borrowed may still be borrowed by later values, and then its bytes stay
//! reserved. The text does not show it: `page.first()` may return a number or a reference. But a
//! number borrows nothing, and neither does a value that consists of numbers and strings.

use core::marker::PhantomData;

use super::size::{InferredType, Size};

/// A type, as a probe for lifetimes in it.
#[derive(Debug)]
pub struct TypeProbe<'t, T>(pub &'t InferredType<T>);

/// A type without lifetimes, whose values borrow nothing.
pub trait LifetimeFree {}

macro_rules! owned {
    ($($ty:ty),* $(,)?) => { $(impl LifetimeFree for $ty {})* };
}

owned! {
    (), bool, char, f32, f64,
    u8, u16, u32, u64, u128, usize,
    i8, i16, i32, i64, i128, isize,
    core::cmp::Ordering, core::time::Duration,
}

#[cfg(feature = "alloc")]
owned! { alloc::string::String, volt_combinators::FutureId }

#[cfg(feature = "std")]
owned! { std::io::Error, std::time::Instant, std::time::SystemTime }

#[cfg(feature = "alloc")]
impl<T: LifetimeFree> LifetimeFree for alloc::vec::Vec<T> {}

impl<T: LifetimeFree> LifetimeFree for Option<T> {}
impl<T: LifetimeFree, E: LifetimeFree> LifetimeFree for Result<T, E> {}
impl<T: LifetimeFree> LifetimeFree for core::ops::Range<T> {}
impl<T: LifetimeFree, const N: usize> LifetimeFree for [T; N] {}
impl<A: LifetimeFree> LifetimeFree for (A,) {}
impl<A: LifetimeFree, B: LifetimeFree> LifetimeFree for (A, B) {}
impl<A: LifetimeFree, B: LifetimeFree, C: LifetimeFree> LifetimeFree for (A, B, C) {}
impl<A: LifetimeFree, B: LifetimeFree, C: LifetimeFree, D: LifetimeFree> LifetimeFree
    for (A, B, C, D)
{
}

/// The result for a part that is copied where it is used by value.
pub trait IsCopy {
    /// Returns a value of size zero.
    fn moved(&self) {}
}

impl<T: Copy> IsCopy for TypeProbe<'_, T> {}

/// The result for a part that may be moved.
pub trait MayMove {
    /// Returns one byte.
    fn moved(&self) -> u8 {
        1
    }
}

impl<T> MayMove for &TypeProbe<'_, T> {}

/// The result for a type with a destructor of its own: no part of such a value is moved.
pub trait HasDestructor {
    /// Returns one byte.
    fn drops(&self) -> u8 {
        1
    }
}

#[allow(
    drop_bounds,
    reason = "the bound is about a destructor of the type itself"
)]
impl<T: Drop> HasDestructor for TypeProbe<'_, T> {}

/// The result for a type without a destructor of its own.
pub trait NoDestructor {
    /// Returns a value of size zero.
    fn drops(&self) {}
}

impl<T> NoDestructor for &TypeProbe<'_, T> {}

/// The result for a mutable reference.
pub trait IsExclusive {
    /// Returns one byte.
    fn exclusive(&self) -> u8 {
        1
    }
}

impl<T: ?Sized> IsExclusive for TypeProbe<'_, &mut T> {}

/// The result for a type that is no mutable reference.
pub trait IsOther {
    /// Returns a value of size zero.
    fn exclusive(&self) {}
}

impl<T> IsOther for &TypeProbe<'_, T> {}

/// The types of a receiver and of a method's output, as one probe. The output borrows nothing from
/// the receiver, and the receiver is a copy, so it can count as moved.
#[derive(Debug)]
pub struct CopyReceiver<T, R>(PhantomData<fn() -> (T, R)>);

impl<T: Copy, R: LifetimeFree> LifetimeFree for CopyReceiver<T, R> {}

/// The result for a type without lifetimes.
pub trait BorrowsNothing {
    /// Returns a value of size zero.
    fn __volt_may_borrow(&self) {}
}

impl<T: LifetimeFree> BorrowsNothing for TypeProbe<'_, T> {}

/// The result for a type that may have lifetimes.
pub trait MayBorrow {
    /// Returns one byte.
    fn __volt_may_borrow(&self) -> u8 {
        1
    }
}

impl<T> MayBorrow for &TypeProbe<'_, T> {}

/// Returns `true` if all of these results are those of types without lifetimes.
#[must_use]
pub const fn borrow_nothing(answers: &[Size], indices: &[usize]) -> bool {
    let mut index = 0;
    while index < indices.len() {
        if answers[indices[index]].size != 0 {
            return false;
        }
        index += 1;
    }
    true
}

/// The written type of a local, as the output of a function with a borrowed argument. A hidden
/// lifetime in it is that of the borrow.
#[derive(Debug)]
pub struct WrittenType<F>(PhantomData<F>);

impl<F> WrittenType<F> {
    /// The probe.
    pub const NEW: Self = Self(PhantomData);
}

/// The result for a type without a hidden lifetime.
pub trait HasNoLifetime {
    /// Returns a value of size zero.
    fn __volt_may_borrow(&self) {}
}

impl<T> HasNoLifetime for WrittenType<fn(&()) -> T> {}

/// The result for a type with a hidden lifetime.
pub trait HasHiddenLifetime {
    /// Returns one byte.
    fn __volt_may_borrow(&self) -> u8 {
        1
    }
}

impl<F> HasHiddenLifetime for &WrittenType<F> {}

#[cfg(test)]
mod tests {
    use super::super::size::InferredType;
    use super::*;

    #[derive(Clone, Copy)]
    struct Point;

    fn size<T>(_: &InferredType<T>) -> usize {
        size_of::<T>()
    }

    macro_rules! answer {
        ($ty:ty) => {{
            let ty = InferredType::<$ty>::new();
            let answer = (&TypeProbe(&ty)).__volt_may_borrow();
            size_of_val(&answer)
        }};
    }

    #[test]
    fn type_probe_finds_lifetimes() {
        assert_eq!(size(&InferredType::<u64>::new()), 8);
        assert_eq!(answer!(u32), 0);
        assert_eq!(answer!(Option<(u8, [usize; 4])>), 0);
        assert_eq!(answer!(&'static str), 1);
        assert_eq!(answer!(Option<&'static u8>), 1);
        assert_eq!(answer!(fn()), 1);
        assert_eq!(answer!(CopyReceiver<u32, Option<u32>>), 0);
        assert_eq!(answer!(CopyReceiver<u32, &'static u32>), 1);
        assert_eq!(answer!(CopyReceiver<core::ops::Range<u32>, u32>), 1);
        assert_eq!(answer!(CopyReceiver<Point, u32>), 0);
        assert_eq!(answer!(CopyReceiver<Point, Point>), 1);
    }

    #[test]
    #[expect(elided_lifetimes_in_paths, reason = "the test is about them")]
    fn type_with_a_hidden_lifetime_is_found() {
        macro_rules! hides {
            ($ty:ty) => {{
                let answer = (&WrittenType::<fn(&()) -> $ty>::NEW).__volt_may_borrow();
                size_of_val(&answer)
            }};
        }
        assert_eq!(hides!(Point), 0);
        assert_eq!(hides!(Vec<Option<Point>>), 0);
        assert_eq!(hides!(std::sync::MutexGuard<u32>), 1);
        assert_eq!(hides!(core::str::Chars), 1);
        assert_eq!(hides!(Vec<Option<core::cell::Ref<u32>>>), 1);
    }

    #[test]
    fn one_borrowing_type_decides() {
        let answers = [Size::of::<()>(), Size::of::<u8>()];
        assert!(borrow_nothing(&answers, &[]) && borrow_nothing(&answers, &[0, 0]));
        assert!(!borrow_nothing(&answers, &[0, 1]));
    }
}
