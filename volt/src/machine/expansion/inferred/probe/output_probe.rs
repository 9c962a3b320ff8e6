//! A probe for methods that are known by name: by the types of receiver and output, the output
//! borrows nothing from the receiver.
//!
//! The macro knows the method only by its name. `clone` and `to_owned` of the standard library
//! return a value of the receiver's type, or of the type to which a pointer dereferences. That type
//! implements `Clone`. The other methods return numbers and strings.
//!
//! The types do not show lifetimes. A method of the user with `&'a self` may return a view that
//! borrows for `'a`, in the type of its receiver. Without an implementation of `Clone`, the method
//! is not that of the standard library.

use core::marker::PhantomData;
use core::ops::Deref;

use super::lifetime_probe::LifetimeFree;
use super::size::InferredType;

/// Notes the types of a receiver and of the output of a method of it.
pub fn note_call_types<T: ?Sized, R>(_: &InferredType<OutputProbe<T, R>>, _: &T, _: &R) {}

/// The probe, which compares the two types first.
#[derive(Debug)]
pub struct OutputProbe<T: ?Sized, R>(DerefOutputProbe<T, R>);

/// The probe that compares the output with the type to which the receiver dereferences.
#[derive(Debug)]
pub struct DerefOutputProbe<T: ?Sized, R>(OwnedOutputProbe<T, R>);

/// The probe that checks the output type alone.
#[derive(Debug)]
pub struct OwnedOutputProbe<T: ?Sized, R>(UnprovenOutput<T, R>);

/// The probe for an output that may borrow.
#[derive(Debug)]
pub struct UnprovenOutput<T: ?Sized, R>(PhantomData<fn(&T) -> R>);

impl<T: ?Sized, R> OutputProbe<T, R> {
    /// Returns the probe for noted types.
    #[must_use]
    pub const fn of(_: &InferredType<Self>) -> Self {
        Self(DerefOutputProbe(OwnedOutputProbe(UnprovenOutput(
            PhantomData,
        ))))
    }
}

impl<T: ?Sized, R> OutputProbe<T, R> {
    /// Returns the probe that checks the output type alone: for methods that return no copy.
    #[must_use]
    pub const fn alone(&self) -> &OwnedOutputProbe<T, R> {
        &self.0.0
    }
}

impl<T: Clone> OutputProbe<T, T> {
    /// Returns a value of size zero: the output is owned.
    pub fn __volt_output_is_owned(&self) {}
}

impl<T: ?Sized + Deref<Target = R>, R: Clone> DerefOutputProbe<T, R> {
    /// Returns a value of size zero: the output is owned.
    pub fn __volt_output_is_owned(&self) {}
}

impl<T: ?Sized, R: LifetimeFree> OwnedOutputProbe<T, R> {
    /// Returns a value of size zero: the output is owned.
    pub fn __volt_output_is_owned(&self) {}
}

impl<T: ?Sized, R> UnprovenOutput<T, R> {
    /// Returns one byte: the output may borrow.
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

    #[derive(Clone)]
    struct Store;
    struct Own;
    #[derive(Clone)]
    struct Look<'a>(#[expect(dead_code, reason = "it borrows")] &'a Store);

    macro_rules! is_believed {
        ($T:ty => $R:ty) => {{
            let ty = InferredType::<OutputProbe<$T, $R>>::new();
            size_of_val(&OutputProbe::of(&ty).__volt_output_is_owned()) == 0
        }};
        (alone $T:ty => $R:ty) => {{
            let ty = InferredType::<OutputProbe<$T, $R>>::new();
            size_of_val(&OutputProbe::of(&ty).alone().__volt_output_is_owned()) == 0
        }};
    }

    #[test]
    fn output_probe_confirms_owned_outputs() {
        assert!(is_believed!(Store => Store));
        assert!(is_believed!(&Store => Store));
        assert!(is_believed!(Rc<Store> => Rc<Store>));
        assert!(is_believed!(str => String));
        assert!(is_believed!(Store => usize));
        assert!(!is_believed!(Store => Look<'static>));
        assert!(!is_believed!(Store => &'static Store));
        assert!(!is_believed!(() => &'static Store));
    }

    #[test]
    fn output_probe_asks_for_clone() {
        assert!(is_believed!(Look<'static> => Look<'static>));
        assert!(!is_believed!(Own => Own));
        assert!(!is_believed!(&Own => Own));
        assert!(!is_believed!(Rc<Own> => Own));
    }

    #[test]
    fn output_probe_alone_confirms_no_copy() {
        assert!(is_believed!(alone Store => usize));
        assert!(is_believed!(alone Store => String));
        assert!(!is_believed!(alone Store => Store));
        assert!(!is_believed!(alone &Store => Store));
    }
}
