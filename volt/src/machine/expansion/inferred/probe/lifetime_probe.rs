//! Whether a value owns what it holds, whatever its lifetimes: asked of its type.
//!
//! Where a local was borrowed, what lives later may still borrow from it, and then it has to keep its
//! bytes. Whether it does shows in no text: `let n = page.first();` may be a number or a reference. But a
//! number borrows nothing, and neither does what is made of numbers and strings alone.

use core::marker::PhantomData;

use super::size::{InferredType, Size};

/// A type, as the question whether its values borrow nothing.
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
owned! { alloc::string::String }

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

/// The answer for a part that is copied where it is used by value.
pub trait IsCopy {
    /// A value of no size.
    fn moved(&self) {}
}

impl<T: Copy> IsCopy for TypeProbe<'_, T> {}

/// The answer for a part that may be moved.
pub trait MayMove {
    /// A value of a byte.
    fn moved(&self) -> u8 {
        1
    }
}

impl<T> MayMove for &TypeProbe<'_, T> {}

/// The answer for a type with a destructor of its own: no part of such a value is moved.
pub trait HasDestructor {
    /// A value of a byte.
    fn drops(&self) -> u8 {
        1
    }
}

#[allow(
    drop_bounds,
    reason = "the bound asks for a destructor of the type itself"
)]
impl<T: Drop> HasDestructor for TypeProbe<'_, T> {}

/// The answer for a type whose parts alone have destructors.
pub trait NoDestructor {
    /// A value of no size.
    fn drops(&self) {}
}

impl<T> NoDestructor for &TypeProbe<'_, T> {}

/// The type of a receiver and that of what a method of it gives, as one question: nothing that the method
/// gives borrows from the receiver, and nobody misses the receiver, because it is a copy.
#[derive(Debug)]
pub struct CopyReceiver<T, R>(PhantomData<fn() -> (T, R)>);

impl<T: Copy, R: LifetimeFree> LifetimeFree for CopyReceiver<T, R> {}

/// The answer where the type has no lifetimes.
pub trait BorrowsNothing {
    /// A value of no size.
    fn __volt_may_borrow(&self) {}
}

impl<T: LifetimeFree> BorrowsNothing for TypeProbe<'_, T> {}

/// The answer where it may have some.
pub trait MayBorrow {
    /// A value of a byte.
    fn __volt_may_borrow(&self) -> u8 {
        1
    }
}

impl<T> MayBorrow for &TypeProbe<'_, T> {}

/// Whether all of these answers say that nothing is borrowed.
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

/// The type of a local as it is written, as what a function gives that borrows something: a lifetime that it hides is that of
/// the borrow.
#[derive(Debug)]
pub struct WrittenType<F>(PhantomData<F>);

impl<F> WrittenType<F> {
    /// The question.
    pub const NEW: Self = Self(PhantomData);
}

/// The answer where the type hides none.
pub trait HasNoLifetime {
    /// A value of no size.
    fn __volt_may_borrow(&self) {}
}

impl<T> HasNoLifetime for WrittenType<fn(&()) -> T> {}

/// The answer where it does.
pub trait HasHiddenLifetime {
    /// A value of a byte.
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
    fn only_types_without_lifetimes_are_owned() {
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
    #[expect(elided_lifetimes_in_paths, reason = "they are what is asked for")]
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
    fn one_that_borrows_decides() {
        let answers = [Size::of::<()>(), Size::of::<u8>()];
        assert!(borrow_nothing(&answers, &[]) && borrow_nothing(&answers, &[0, 0]));
        assert!(!borrow_nothing(&answers, &[0, 1]));
    }
}
