//! Whether a method takes its receiver or looks at it, asked of the compiler.
//!
//! ```text
//! x.close()      in the code that is never run:  ask(&t, { let own = own(&x); || { never(); own.0.close() } })
//!                in `advance`:                   if MOVED { taken(); .. } else { looked(); slot.put(x) }
//! ```
//!
//! A closure that names a value holds it, if what is done with it takes it, and a reference otherwise. A part
//! of what has a destructor cannot be taken alone, so the closure holds all of [`ProbedReceiver`], whose alignment
//! nobody else has.
//!
//! So is a number whose method gives a number: whether it takes a copy or looks at it cannot be told, but what
//! it gives borrows nothing.
//! A reference is always taken: it can be given away and nobody misses it, and where it lay nothing is stored.
//!
//! Behind a call that never returns the compiler checks types, and no borrows and moves. So of two variants of
//! the same code only the right one is checked: the other one stands behind [`ReceiverGate::taken`] or
//! [`ReceiverGate::looked`], whose type is empty there.

use super::lifetime_probe::CopyReceiver;
use super::offsets::StateSet;
use super::size::{InferredType, MAX_ALIGN, Never, Size, WellTyped};

/// A receiver, in code that is never run.
#[derive(Debug)]
#[repr(align(536_870_912))]
pub struct ProbedReceiver<T>(pub T);

impl<T> Drop for ProbedReceiver<T> {
    fn drop(&mut self) {}
}

/// Takes a receiver that is a reference.
pub trait MovesReference: Sized {
    /// Holds it.
    fn __volt_move_if_reference(self) {}
}

impl<T: ?Sized> MovesReference for ProbedReceiver<&T> {}
impl<T: ?Sized> MovesReference for ProbedReceiver<&mut T> {}

/// Looks at any other: by the order in which methods are found this one comes behind.
pub trait BorrowsReceiver {
    /// Borrows it.
    fn __volt_move_if_reference(&self) {}
}

impl<T> BorrowsReceiver for ProbedReceiver<T> {}

impl<const IS: bool> WellTyped<IS> {
    /// What stands for a local in a question.
    #[must_use]
    pub fn receiver<T>(_: &T) -> ProbedReceiver<T> {
        unreachable!("the body of a question was run")
    }
}

/// Asks for the type of a closure, and gives what it would give.
pub fn probe_call<F: FnOnce() -> R, R>(ty: &InferredType<F>, closure: F) -> R {
    ty.is(&closure);
    unreachable!("the body of a question was run")
}

/// The same, and asks for the types of the receiver and of what the method gives.
pub fn probe_call_types<T, F: FnOnce() -> R, R>(
    ty: &InferredType<F>,
    both: &InferredType<CopyReceiver<T, R>>,
    _: &ProbedReceiver<T>,
    closure: F,
) -> R {
    let _ = both;
    probe_call(ty, closure)
}

/// Whether the closure of this size holds the receiver.
#[must_use]
pub const fn moves_receiver(size: Size) -> bool {
    size.align == MAX_ALIGN
}

/// States in which a local is stored unless something is so: somebody took it, or nobody borrows from it.
#[must_use]
pub const fn states_unless(is_so: bool, states: StateSet) -> StateSet {
    match is_so {
        true => 0,
        false => states,
    }
}

/// The answer to a question.
#[derive(Debug)]
pub struct ReceiverIsMoved<const MOVED: bool>;

/// What stands in front of each of two variants of code.
pub trait ReceiverGate {
    /// Empty if the value is looked at.
    type Moved;
    /// Empty if the value is taken.
    type Borrowed;

    /// Stands in front of what is done where the value is gone.
    fn assume_moved() -> Self::Moved;
    /// Stands in front of what is done where the value is still there.
    fn assume_borrowed() -> Self::Borrowed;
}

impl ReceiverGate for ReceiverIsMoved<true> {
    type Moved = ();
    type Borrowed = Never;

    #[inline]
    fn assume_moved() {}

    fn assume_borrowed() -> Never {
        unreachable!("the value was taken")
    }
}

impl ReceiverGate for ReceiverIsMoved<false> {
    type Moved = Never;
    type Borrowed = ();

    fn assume_moved() -> Never {
        unreachable!("the value was looked at")
    }

    #[inline]
    fn assume_borrowed() {}
}
