//! A probe that determines if a method moves its receiver or borrows it.
//!
//! ```text
//! x.close()    in code that is never run:
//!                  let receiver = receiver(&x);
//!                  probe_call(&t, || { never(); (*receiver.0).close() })
//!              in `advance`:
//!                  if MOVED { assume_moved(); .. } else { assume_borrowed(); slot.store(x) }
//! ```
//!
//! A closure captures a value if the method moves it, and a reference otherwise. No closure
//! captures the target of a reference by value, nor a part of a value with a destructor. So it
//! captures all of [`ProbedReceiver`] then, whose alignment no other type has. The receiver is the
//! target of a reference because it may contain the own machine, whose size is not known yet.
//!
//! A `Copy` receiver of a method with a number as its output counts as moved, too. The closure does
//! not show a copy, but the output borrows nothing. A receiver that is a reference always counts as
//! moved. It can be copied or reborrowed, and no other value depends on its place.
//!
//! After a call that never returns, the compiler checks types, but no borrows and moves. So of two
//! variants of the same code only the right one is checked. The other one follows
//! [`ReceiverGate::assume_moved`] or [`ReceiverGate::assume_borrowed`], whose return type is empty
//! there.

use super::lifetime_probe::CopyReceiver;
use super::offsets::StateSet;
use super::size::{InferredType, MAX_ALIGN, Never, Size, WellTyped};

/// A receiver, in code that is never run.
#[derive(Debug)]
#[repr(align(536_870_912))]
pub struct ProbedReceiver<'a, T>(pub &'a mut T);

impl<T> Drop for ProbedReceiver<'_, T> {
    fn drop(&mut self) {}
}

/// Moves a receiver that is a reference.
pub trait MovesReference: Sized {
    /// Captures the receiver.
    fn __volt_move_if_reference(self) {}
}

impl<T: ?Sized> MovesReference for ProbedReceiver<'_, &T> {}
impl<T: ?Sized> MovesReference for ProbedReceiver<'_, &mut T> {}

/// Borrows any other receiver. In method resolution it comes after [`MovesReference`].
pub trait BorrowsReceiver {
    /// Borrows the receiver.
    fn __volt_move_if_reference(&self) {}
}

impl<T> BorrowsReceiver for ProbedReceiver<'_, T> {}

impl<const IS: bool> WellTyped<IS> {
    /// Replaces a local in a probe.
    #[must_use]
    pub fn receiver<'a, T>(_: &T) -> ProbedReceiver<'a, T> {
        unreachable!("the body of a probe was run")
    }
}

/// Notes the type of a closure. Its output is that of the closure.
pub fn probe_call<F: FnOnce() -> R, R>(ty: &InferredType<F>, closure: F) -> R {
    ty.is(&closure);
    unreachable!("the body of a probe was run")
}

/// Notes the type of a closure, and those of the receiver and of the method's output.
pub fn probe_call_types<T, F: FnOnce() -> R, R>(
    ty: &InferredType<F>,
    both: &InferredType<CopyReceiver<T, R>>,
    _: &ProbedReceiver<'_, T>,
    closure: F,
) -> R {
    let _ = both;
    probe_call(ty, closure)
}

/// Returns `true` if a closure of this size captures the receiver.
#[must_use]
pub const fn moves_receiver(size: Size) -> bool {
    size.align == MAX_ALIGN
}

/// Returns the states in which a local is stored, or none if `is_so` holds: it was moved, or no
/// value borrows from it.
#[must_use]
pub const fn states_unless(is_so: bool, states: StateSet) -> StateSet {
    if is_so { 0 } else { states }
}

/// The result of a probe.
#[derive(Debug)]
pub struct ReceiverIsMoved<const MOVED: bool>;

/// Two functions, one of which never returns, for the two variants of code.
pub trait ReceiverGate {
    /// `()` if the value is moved, an empty type otherwise.
    type Moved;
    /// `()` if the value is borrowed, an empty type otherwise.
    type Borrowed;

    /// Precedes the code for a receiver that is moved.
    fn assume_moved() -> Self::Moved;
    /// Precedes the code for a receiver that is still there.
    fn assume_borrowed() -> Self::Borrowed;
}

impl ReceiverGate for ReceiverIsMoved<true> {
    type Moved = ();
    type Borrowed = Never;

    #[inline]
    fn assume_moved() {}

    fn assume_borrowed() -> Never {
        unreachable!("the value was moved")
    }
}

impl ReceiverGate for ReceiverIsMoved<false> {
    type Moved = Never;
    type Borrowed = ();

    fn assume_moved() -> Never {
        unreachable!("the value was borrowed")
    }

    #[inline]
    fn assume_borrowed() {}
}
