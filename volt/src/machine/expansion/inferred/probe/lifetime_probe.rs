//! Whether a value owns what it holds, whatever its lifetimes: asked of its type.
//!
//! Where a local was borrowed, what lives later may still borrow from it, and then it has to keep its
//! bytes. Whether it does shows in no text: `let n = page.first();` may be a number or a reference. But a
//! number borrows nothing, and neither does what is made of numbers and strings alone.

use core::marker::PhantomData;

use super::size::{Size, Type};

/// A type, as the question whether its values borrow nothing.
#[derive(Debug)]
pub struct Asked<'t, T>(pub &'t Type<T>);

/// A type without lifetimes, whose values borrow nothing.
pub trait Owned {}

macro_rules! owned {
    ($($ty:ty),* $(,)?) => { $(impl Owned for $ty {})* };
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
impl<T: Owned> Owned for alloc::vec::Vec<T> {}

impl<T: Owned> Owned for Option<T> {}
impl<T: Owned, E: Owned> Owned for Result<T, E> {}
impl<T: Owned> Owned for core::ops::Range<T> {}
impl<T: Owned, const N: usize> Owned for [T; N] {}
impl<A: Owned> Owned for (A,) {}
impl<A: Owned, B: Owned> Owned for (A, B) {}
impl<A: Owned, B: Owned, C: Owned> Owned for (A, B, C) {}
impl<A: Owned, B: Owned, C: Owned, D: Owned> Owned for (A, B, C, D) {}

/// The answer for a part that is copied where it is used by value.
pub trait IfCopied {
    /// A value of no size.
    fn moved(&self) {}
}

impl<T: Copy> IfCopied for Asked<'_, T> {}

/// The answer for a part that may be moved.
pub trait ElseMoved {
    /// A value of a byte.
    fn moved(&self) -> u8 {
        1
    }
}

impl<T> ElseMoved for &Asked<'_, T> {}

/// The answer for a type with a destructor of its own: no part of such a value is moved.
pub trait IfDrops {
    /// A value of a byte.
    fn drops(&self) -> u8 {
        1
    }
}

#[allow(
    drop_bounds,
    reason = "the bound asks for a destructor of the type itself"
)]
impl<T: Drop> IfDrops for Asked<'_, T> {}

/// The answer for a type whose parts alone have destructors.
pub trait ElseWhole {
    /// A value of no size.
    fn drops(&self) {}
}

impl<T> ElseWhole for &Asked<'_, T> {}

/// The type of a receiver and that of what a method of it gives, as one question: nothing that the method
/// gives borrows from the receiver, and nobody misses the receiver, because it is a copy.
#[derive(Debug)]
pub struct Copied<T, R>(PhantomData<fn() -> (T, R)>);

impl<T: Copy, R: Owned> Owned for Copied<T, R> {}

/// The answer where the type has no lifetimes.
pub trait IfOwned {
    /// A value of no size.
    fn __volt_answer(&self) {}
}

impl<T: Owned> IfOwned for Asked<'_, T> {}

/// The answer where it may have some.
pub trait ElseBorrowed {
    /// A value of a byte.
    fn __volt_answer(&self) -> u8 {
        1
    }
}

impl<T> ElseBorrowed for &Asked<'_, T> {}

/// Whether all of these answers say that nothing is borrowed.
#[must_use]
pub const fn owned(answers: &[Size], asked: &[usize]) -> bool {
    let mut index = 0;
    while index < asked.len() {
        if answers[asked[index]].size != 0 {
            return false;
        }
        index += 1;
    }
    true
}

/// The type of a local as it is written, as what a function gives that borrows something: a lifetime that it hides is that of
/// the borrow.
#[derive(Debug)]
pub struct Written<F>(PhantomData<F>);

impl<F> Written<F> {
    /// The question.
    pub const NEW: Self = Self(PhantomData);
}

/// The answer where the type hides none.
pub trait IfOwns {
    /// A value of no size.
    fn __volt_answer(&self) {}
}

impl<T> IfOwns for Written<fn(&()) -> T> {}

/// The answer where it does.
pub trait ElseHides {
    /// A value of a byte.
    fn __volt_answer(&self) -> u8 {
        1
    }
}

impl<F> ElseHides for &Written<F> {}

#[cfg(test)]
mod tests {
    use super::super::size::Type;
    use super::*;

    #[derive(Clone, Copy)]
    struct Point;

    fn size<T>(_: &Type<T>) -> usize {
        size_of::<T>()
    }

    macro_rules! answer {
        ($ty:ty) => {{
            let ty = Type::<$ty>::new();
            let answer = (&Asked(&ty)).__volt_answer();
            size_of_val(&answer)
        }};
    }

    #[test]
    fn only_types_without_lifetimes_are_owned() {
        assert_eq!(size(&Type::<u64>::new()), 8);
        assert_eq!(answer!(u32), 0);
        assert_eq!(answer!(Option<(u8, [usize; 4])>), 0);
        assert_eq!(answer!(&'static str), 1);
        assert_eq!(answer!(Option<&'static u8>), 1);
        assert_eq!(answer!(fn()), 1);
        assert_eq!(answer!(Copied<u32, Option<u32>>), 0);
        assert_eq!(answer!(Copied<u32, &'static u32>), 1);
        assert_eq!(answer!(Copied<core::ops::Range<u32>, u32>), 1);
        assert_eq!(answer!(Copied<Point, u32>), 0);
        assert_eq!(answer!(Copied<Point, Point>), 1);
    }

    #[test]
    #[expect(elided_lifetimes_in_paths, reason = "they are what is asked for")]
    fn type_with_a_hidden_lifetime_is_found() {
        macro_rules! hides {
            ($ty:ty) => {{
                let answer = (&Written::<fn(&()) -> $ty>::NEW).__volt_answer();
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
        assert!(owned(&answers, &[]) && owned(&answers, &[0, 0]));
        assert!(!owned(&answers, &[0, 1]));
    }
}
