//! Whether a method takes its receiver or looks at it, asked of the compiler.
//!
//! ```text
//! x.close()      in the code that is never run:  ask(&t, { let own = own(&x); || { never(); own.0.close() } })
//!                in `advance`:                   if TAKES { taken(); .. } else { looked(); slot.put(x) }
//! ```
//!
//! A closure that names a value holds it, if what is done with it takes it, and a reference otherwise. A part
//! of what has a destructor cannot be taken alone, so the closure holds all of [`Own`], whose alignment
//! nobody else has.
//!
//! So is a number whose method gives a number: whether it takes a copy or looks at it cannot be told, but what
//! it gives borrows nothing.
//! A reference is always taken: it can be given away and nobody misses it, and where it lay nothing is stored.
//!
//! Behind a call that never returns the compiler checks types, and no borrows and moves. So of two variants of
//! the same code only the right one is checked: the other one stands behind [`Gate::taken`] or
//! [`Gate::looked`], whose type is empty there.

use super::lifetime_probe::Copied;
use super::offsets::States;
use super::size::{MOST, Never, Size, Sound, Type};

/// A receiver, in code that is never run.
#[derive(Debug)]
#[repr(align(536_870_912))]
pub struct Own<T>(pub T);

impl<T> Drop for Own<T> {
    fn drop(&mut self) {}
}

/// Takes a receiver that is a reference.
pub trait Reference: Sized {
    /// Holds it.
    fn __volt_taken_if_reference(self) {}
}

impl<T: ?Sized> Reference for Own<&T> {}
impl<T: ?Sized> Reference for Own<&mut T> {}

/// Looks at any other: by the order in which methods are found this one comes behind.
pub trait Other {
    /// Borrows it.
    fn __volt_taken_if_reference(&self) {}
}

impl<T> Other for Own<T> {}

impl<const IS: bool> Sound<IS> {
    /// What stands for a local in a question.
    #[must_use]
    pub fn own<T>(_: &T) -> Own<T> {
        unreachable!("the body of a question was run")
    }
}

/// Asks for the type of a closure, and gives what it would give.
pub fn ask<F: FnOnce() -> R, R>(ty: &Type<F>, closure: F) -> R {
    ty.is(&closure);
    unreachable!("the body of a question was run")
}

/// The same, and asks for the types of the receiver and of what the method gives.
pub fn ask_both<T, F: FnOnce() -> R, R>(
    ty: &Type<F>,
    both: &Type<Copied<T, R>>,
    _: &Own<T>,
    closure: F,
) -> R {
    let _ = both;
    ask(ty, closure)
}

/// Whether the closure of this size holds the receiver.
#[must_use]
pub const fn takes(size: Size) -> bool {
    size.align == MOST
}

/// States in which a local is stored unless something is so: somebody took it, or nobody borrows from it.
#[must_use]
pub const fn unless(is_so: bool, states: States) -> States {
    match is_so {
        true => 0,
        false => states,
    }
}

/// The answer to a question.
#[derive(Debug)]
pub struct Answer<const TAKES: bool>;

/// What stands in front of each of two variants of code.
pub trait Gate {
    /// Empty if the value is looked at.
    type Taken;
    /// Empty if the value is taken.
    type Looked;

    /// Stands in front of what is done where the value is gone.
    fn taken() -> Self::Taken;
    /// Stands in front of what is done where the value is still there.
    fn looked() -> Self::Looked;
}

impl Gate for Answer<true> {
    type Taken = ();
    type Looked = Never;

    #[inline]
    fn taken() {}

    fn looked() -> Never {
        unreachable!("the value was taken")
    }
}

impl Gate for Answer<false> {
    type Taken = Never;
    type Looked = ();

    fn taken() -> Never {
        unreachable!("the value was looked at")
    }

    #[inline]
    fn looked() {}
}
