//! Sizes of values with inferred types, measured by the types of code that is never run.
//!
//! A closure contains the body once. Its first statement never returns, so the compiler infers all
//! types after it, but checks no borrows and moves. The closure's last parameter is a list of
//! [`InferredType`]s without a type of their own. `is` gives each the type of a local.
//!
//! ```text
//! type Types = (InferredType<_>, InferredType<_>);
//! probe(|((stream,), types, unpin): ((Stream,), Types, InferredType<_>)| -> Output {
//!     let _never = never();
//!     let (t0, t1) = &types;
//!     let output: Output = {
//!         let mut buf = Vec::new();
//!         let n = { t0.is(&buf); t1.output(stream.read(&mut buf)) }?;
//!         ..
//!     };
//!     unpin.is(&unpin_probe(&types).__volt_unpin());
//!     output
//! })
//! ```
//!
//! The compiler ignores regions in such code, and so a part of the bounds `Send` and `Unpin`. Size,
//! alignment and the need for a destructor do not depend on regions. The bound `Unpin` is checked
//! again for each slot, where the regions are known ([`Movable`](super::Movable)).

use core::future::IntoFuture;
use core::marker::PhantomData;
use core::ops::ControlFlow;

use crate::machine::expansion::branch::Branch;

/// The largest alignment that Rust supports.
pub(crate) const MAX_ALIGN: usize = 1 << 29;

/// The layout of a value, and its need for a destructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The size in bytes.
    pub size: usize,
    /// The alignment in bytes.
    pub align: usize,
    /// `true` if the type needs to be dropped.
    pub drops: bool,
}

impl Size {
    /// The size of any value: the type of the field is written.
    pub const ANY: Self = Self {
        size: usize::MAX,
        align: usize::MAX,
        drops: true,
    };

    /// A size that is not evaluated, because no state stores the value. No type has this alignment.
    pub(super) const UNKNOWN: Self = Self {
        size: 0,
        align: 0,
        drops: false,
    };

    /// The size of `()`.
    pub(super) const EMPTY: Self = Self {
        size: 0,
        align: 1,
        drops: false,
    };

    /// The size of one byte.
    pub(super) const BYTE: Self = Self {
        size: 1,
        ..Self::EMPTY
    };

    /// Returns `true` if the size is not evaluated.
    pub(super) const fn is_unknown(self) -> bool {
        self.align == Self::UNKNOWN.align
    }

    /// Returns the size of a type.
    #[must_use]
    pub const fn of<T>() -> Self {
        Self {
            size: size_of::<T>(),
            align: align_of::<T>(),
            drops: core::mem::needs_drop::<T>(),
        }
    }
}

/// A type that is inferred.
#[derive(Debug)]
pub struct InferredType<T>(PhantomData<fn() -> T>);

impl<T> InferredType<T> {
    #[cfg(test)]
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }

    /// Sets the type to that of a value.
    pub fn is(&self, _: &T) {}

    /// Sets the type to that of a value, and returns the value.
    pub fn value(&self, value: T) -> T {
        value
    }

    /// Sets the type to that of an awaited future, and returns the future's output.
    #[must_use]
    pub fn output<F: IntoFuture<IntoFuture = T>>(&self, _: F) -> F::Output {
        unreachable!("the body of a probe was run")
    }
}

/// A type without values.
#[derive(Debug)]
pub enum Never {}

/// Precedes code that is compiled and never run.
#[must_use]
pub fn never() -> Never {
    unreachable!("the body of a probe was run")
}

/// Notes the type of a place, in code that is never run.
#[must_use]
pub fn note_place<'a, T>(ty: &InferredType<T>, place: &'a T) -> &'a T {
    ty.is(place);
    place
}

/// Notes the type of a value, in code that is never run.
#[must_use]
pub fn note_value<T>(ty: &InferredType<T>, value: T) -> T {
    ty.is(&value);
    value
}

/// Notes the types of parts of a value, in code that is never run.
#[must_use]
pub fn note_parts<T>(value: T, _: impl FnOnce(&T)) -> T {
    value
}

/// Notes the types of parts of a place, in code that is never run.
#[must_use]
pub fn note_parts_of_place<T>(place: &T, _: impl FnOnce(&T)) -> &T {
    place
}

/// Returns the output of a future, in code that is never run.
#[must_use]
pub fn output<F: IntoFuture>(_: F) -> F::Output {
    unreachable!("the body of a probe was run")
}

/// Functions through which the values of a body pass, wherever the body is expanded next to the
/// reference function: operands of `?`, of `for` and of awaits in blocks, and values that are
/// moved, borrowed or probed. If the reference function has an error, the parameter of the type has
/// no value. Then this is no type, and the compiler reports none of the errors again.
///
/// A function that is generic over the value would not have that effect. The type of its output
/// would be inferred, and where the output is borrowed by deref coercion the compiler would take
/// the target for its type, such as `str` for a `String`.
#[derive(Debug)]
pub struct WellTyped<const IS: bool>;

impl<const IS: bool> WellTyped<IS> {
    /// Splits the operand of a `?`.
    #[inline]
    pub fn branch<B: Branch>(value: B) -> ControlFlow<B::Residual, (B::Output,)> {
        value.branch()
    }

    /// Replaces a `break` or `continue` without a target, which the compiler reports in the
    /// reference function.
    #[must_use]
    pub fn unresolved_jump<T>() -> T {
        unreachable!("the reference function has an error")
    }

    /// Returns the operand of an await or a `?` in an `async` block or closure.
    #[inline]
    pub fn operand<F>(future: F) -> F {
        future
    }

    /// Returns the iterator of a `for`.
    #[inline]
    pub fn into_iter<I: IntoIterator>(items: I) -> I::IntoIter {
        items.into_iter()
    }

    /// Returns the next item of a `for`.
    #[inline]
    pub fn next<I: Iterator>(iterator: &mut I) -> Option<I::Item> {
        iterator.next()
    }
}

/// A type, if the reference function has no errors.
pub trait IfWellTyped<T> {
    /// The type.
    type Type;
}

impl<T, const IS: bool> IfWellTyped<T> for WellTyped<IS> {
    type Type = T;
}
