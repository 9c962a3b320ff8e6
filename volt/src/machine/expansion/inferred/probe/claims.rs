//! Whether what a method gives borrows nothing of the receiver, by the types of both.
//!
//! The method is one that is known by its name alone. `clone` of the standard library gives a value
//! of the receiver's type, or of the type that a pointer leads to; the others give numbers and
//! texts.

use core::marker::PhantomData;
use core::ops::Deref;

use super::lifetime_probe::Owned;
use super::size::Type;

/// Notes the types of a receiver and of what a method of it gives.
pub fn believe<T: ?Sized, R>(_: &Type<Belief<T, R>>, _: &T, _: &R) {}

/// The question, which asks for equal types first.
#[derive(Debug)]
pub struct Belief<T: ?Sized, R>(LedTo<T, R>);

/// The same for what the receiver leads to.
#[derive(Debug)]
pub struct LedTo<T: ?Sized, R>(Alone<T, R>);

/// The same for what the method gives alone.
#[derive(Debug)]
pub struct Alone<T: ?Sized, R>(Unsure<T, R>);

/// No answer.
#[derive(Debug)]
pub struct Unsure<T: ?Sized, R>(PhantomData<fn(&T) -> R>);

impl<T: ?Sized, R> Belief<T, R> {
    /// The question about noted types.
    #[must_use]
    pub const fn of(_: &Type<Self>) -> Self {
        Self(LedTo(Alone(Unsure(PhantomData))))
    }
}

impl<T> Belief<T, T> {
    /// The answer yes, of no size.
    pub fn __volt_belief(&self) {}
}

impl<T: ?Sized + Deref<Target = R>, R> LedTo<T, R> {
    /// The answer yes, of no size.
    pub fn __volt_belief(&self) {}
}

impl<T: ?Sized, R: Owned> Alone<T, R> {
    /// The answer yes, of no size.
    pub fn __volt_belief(&self) {}
}

impl<T: ?Sized, R> Unsure<T, R> {
    /// The answer no, of a byte.
    #[must_use]
    pub fn __volt_belief(&self) -> u8 {
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

leads! { Belief to LedTo LedTo to Alone Alone to Unsure }

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::string::String;

    use super::*;

    struct Store;
    struct Look<'a>(#[expect(dead_code, reason = "it borrows")] &'a Store);

    macro_rules! is_believed {
        ($T:ty => $R:ty) => {{
            let ty = Type::<Belief<$T, $R>>::new();
            size_of_val(&Belief::of(&ty).__volt_belief()) == 0
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
