//! A probe that determines if a method moves its receiver or borrows it.
//!
//! ```text
//! x.close()    in code that is never run:
//!                  let receiver = receiver(&x);
//!                  probe_local_call(&inner, &outer, || {
//!                      never();
//!                      (**receiver.0).1.capture();
//!                      inner_call(|| { never(); (**receiver.0).0.close() })
//!                  })
//!              in `advance`:
//!                  if MOVED { assume_moved(); .. } else { assume_borrowed(); slot.store(x) }
//! ```
//!
//! A closure captures a value if the method moves it, and a reference otherwise. No closure
//! captures the target of a reference by value, nor a part of a value with a destructor. So it
//! captures all of [`ProbedReceiver`] then, whose alignment no other type has. The receiver is the
//! target of a reference because it may contain the own machine, whose size is not known yet.
//!
//! A receiver that is a reference counts as moved, unless the method borrows the reference itself:
//! it is copied or reborrowed, and no other value depends on its place. A method that borrows it
//! makes the closure capture all of [`Probed`], which is the target of a shared reference.
//! Otherwise the closure captures the target of the receiver, and [`ReferenceMark`] is a capture of
//! its own. So the outer closure is larger than the inner one.
//!
//! A `Copy` receiver of a method with a number as its output counts as moved, too. The closure does
//! not show a copy, but the output borrows nothing.
//!
//! After a call that never returns, the compiler checks types, but no borrows and moves. So of two
//! variants of the same code only the right one is checked. The other one follows
//! [`ReceiverGate::assume_moved`] or [`ReceiverGate::assume_borrowed`], whose return type is empty
//! there.

use core::marker::PhantomData;

use super::lifetime_probe::CopyReceiver;
use super::offsets::StateSet;
use super::size::{InferredType, MAX_ALIGN, Never, Size, WellTyped};

/// A receiver, in code that is never run.
#[derive(Debug)]
#[repr(align(536_870_912))]
pub struct ProbedReceiver<'a, T>(pub &'a mut &'a Probed<'a, T>);

impl<T> Drop for ProbedReceiver<'_, T> {
    fn drop(&mut self) {}
}

/// The receiver, and what an outer closure captures next to it.
#[derive(Debug)]
pub struct Probed<'a, T>(pub T, pub &'a ReferenceMark<T>);

/// A value behind a reference of two words. So its capture is larger than any padding.
#[derive(Debug)]
pub struct ReferenceMark<T>(PhantomData<T>, pub [()]);

/// Captures the mark of a receiver that is a reference.
pub trait IsReference {
    /// Captures the mark.
    fn __volt_capture(&self) {}
}

impl<T: ?Sized> IsReference for ReferenceMark<&T> {}
impl<T: ?Sized> IsReference for ReferenceMark<&mut T> {}

/// Captures nothing else for any other receiver. In method resolution it comes after
/// [`IsReference`].
pub trait IsNoReference {
    /// Captures the place of the mark's reference, which is in [`Probed`].
    fn __volt_capture(&self) {}
}

impl<T> IsNoReference for &ReferenceMark<T> {}

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

/// The types of an inner closure and of its output.
#[derive(Debug)]
pub struct InnerCall<F, R>(PhantomData<fn() -> (F, R)>);

/// Returns the types of an inner closure and of its output.
#[must_use]
pub fn inner_call<F: FnOnce() -> R, R>(_: F) -> InnerCall<F, R> {
    unreachable!("the body of a probe was run")
}

/// Notes the types of two closures, one in the other. The output is that of the inner one.
pub fn probe_local_call<O: FnOnce() -> InnerCall<F, R>, F, R>(
    inner: &InferredType<F>,
    outer: &InferredType<O>,
    closure: O,
) -> R {
    let _ = (inner, outer, closure);
    unreachable!("the body of a probe was run")
}

/// Notes the types of two closures, and those of the receiver and of the method's output.
pub fn probe_local_call_types<T, O: FnOnce() -> InnerCall<F, R>, F, R>(
    inner: &InferredType<F>,
    outer: &InferredType<O>,
    both: &InferredType<CopyReceiver<T, R>>,
    _: &ProbedReceiver<'_, T>,
    closure: O,
) -> R {
    let _ = both;
    probe_local_call(inner, outer, closure)
}

/// Returns `true` if a method moves its local. The sizes of the two closures begin at an index.
#[must_use]
pub const fn moves_local(sizes: &[Size], inner: usize) -> bool {
    moves_receiver(sizes[inner]) || sizes[inner + 1].size > sizes[inner].size
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
