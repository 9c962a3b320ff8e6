//! Whether what a method gives borrows nothing of the receiver, by the types of both.
//!
//! The method is one that is known by its name alone. `clone` of the standard library gives a value
//! of the receiver's type, or of the type that a pointer leads to; the others give numbers and
//! texts.

use core::marker::PhantomData;
use core::ops::Deref;

use super::lifetime_probe::LifetimeFree;
use super::size::InferredType;

/// Notes the types of a receiver and of what a method of it gives.
pub fn note_call_types<T: ?Sized, R>(_: &InferredType<OutputProbe<T, R>>, _: &T, _: &R) {}

/// The question, which asks for equal types first.
#[derive(Debug)]
pub struct OutputProbe<T: ?Sized, R>(DerefOutputProbe<T, R>);

/// The same for what the receiver leads to.
#[derive(Debug)]
pub struct DerefOutputProbe<T: ?Sized, R>(OwnedOutputProbe<T, R>);

/// The same for what the method gives alone.
#[derive(Debug)]
pub struct OwnedOutputProbe<T: ?Sized, R>(UnprovenOutput<T, R>);

/// No answer.
#[derive(Debug)]
pub struct UnprovenOutput<T: ?Sized, R>(PhantomData<fn(&T) -> R>);

impl<T: ?Sized, R> OutputProbe<T, R> {
    /// The question about noted types.
    #[must_use]
    pub const fn of(_: &InferredType<Self>) -> Self {
        Self(DerefOutputProbe(OwnedOutputProbe(UnprovenOutput(
            PhantomData,
        ))))
    }
}

impl<T> OutputProbe<T, T> {
    /// The answer yes, of no size.
    pub fn __volt_output_is_owned(&self) {}
}

impl<T: ?Sized + Deref<Target = R>, R> DerefOutputProbe<T, R> {
    /// The answer yes, of no size.
    pub fn __volt_output_is_owned(&self) {}
}

impl<T: ?Sized, R: LifetimeFree> OwnedOutputProbe<T, R> {
    /// The answer yes, of no size.
    pub fn __volt_output_is_owned(&self) {}
}

impl<T: ?Sized, R> UnprovenOutput<T, R> {
    /// The answer no, of a byte.
    #[must_use]
    pub fn __volt_output_is_owned(&self) -> u8 {
        1
    }
}

macro_rules! leads {
    ($($Outer:ident to $Inner:ident)*) => { $(
        impl<T: ?Sized, R> Deref for $Outer<T, R> {
            type Target = $Inner<T, R>;

            fn deref(&self) -> &$Inner<T, R> {
                &self.0
            }
        }
    )* };
}

leads! { OutputProbe to DerefOutputProbe DerefOutputProbe to OwnedOutputProbe OwnedOutputProbe to UnprovenOutput }

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::string::String;

    use super::*;

    struct Store;
    struct Look<'a>(#[expect(dead_code, reason = "it borrows")] &'a Store);

    macro_rules! is_believed {
        ($T:ty => $R:ty) => {{
            let ty = InferredType::<OutputProbe<$T, $R>>::new();
            size_of_val(&OutputProbe::of(&ty).__volt_output_is_owned()) == 0
        }};
    }

    #[test]
    fn types_tell_what_borrows_nothing() {
        assert!(is_believed!(Store => Store));
        assert!(is_believed!(&Store => Store));
        assert!(is_believed!(Rc<Store> => Rc<Store>));
        assert!(is_believed!(str => String));
        assert!(is_believed!(Store => usize));
        assert!(!is_believed!(Store => Look<'static>));
        assert!(!is_believed!(Store => &'static Store));
        assert!(!is_believed!(() => &'static Store));
    }
}
