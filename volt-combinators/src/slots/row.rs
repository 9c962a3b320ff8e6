//! The traits by which combinators see a row of children.

use core::fmt;
use core::pin::Pin;
use core::task::Context;

use super::slot::Turn;

/// Several futures in one value: a tuple, an array, a `Vec` or a boxed slice of them.
///
/// It names the type of a combinator: `Join<(A, B)>`, `Race<[F; 3]>`, `Select<Vec<F>>`. This trait
/// is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not several futures",
    label = "the type of several futures is `(A, B)`, `[F; 3]`, `Vec<F>` or `Box<[F]>`",
    note = "one alone is `(F,)`; what is only `IntoFuture` stands there as its `IntoFuture::IntoFuture`"
)]
pub trait Children: IntoChildren<Children = Self> + Sized {
    /// How the children lie while they are polled.
    #[doc(hidden)]
    type Row: Row;
}

/// What turns into several futures: as [`Children`], of anything that is `IntoFuture`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not several futures",
    label = "several futures are a tuple of up to sixteen, an array, a `Vec` or a boxed slice of them",
    note = "those of an iterator have functions: `join_all(iterator)`, `race_all(iterator)`, .."
)]
pub trait IntoChildren: sealed::Sealed {
    /// The children as futures.
    type Children: Children;

    #[doc(hidden)]
    fn into_row(self) -> <Self::Children as Children>::Row;
}

/// A row of children, polled by number.
#[doc(hidden)]
pub trait Row {
    fn len(&self) -> usize;

    /// Gives a child its turn, if it is live.
    fn poll_child(self: Pin<&mut Self>, child: usize, cx: &mut Context<'_>) -> Turn;

    /// Whether the child waits, has an output, or is gone, in a word.
    fn state(&self, child: usize) -> &'static str;

    /// Drops the children that are left, and the outputs, in place and in order.
    fn clear(self: Pin<&mut Self>);
}

/// A row whose outputs can be taken together.
#[doc(hidden)]
pub trait JoinRow: Row {
    type Outputs;

    /// `None` when a child left no output.
    fn take_all(self: Pin<&mut Self>) -> Option<Self::Outputs>;
}

/// A row whose children have one output type.
#[doc(hidden)]
pub trait UniformRow: Row {
    type Output;

    /// `None` when the child left no output.
    fn take(self: Pin<&mut Self>, child: usize) -> Option<Self::Output>;
}

/// A row of results with one error type.
#[doc(hidden)]
pub trait FallibleRow: Row {
    type Values;
    type Error;

    /// The error of a child that completed with one.
    fn take_error(self: Pin<&mut Self>, child: usize) -> Option<Self::Error>;

    /// All values; `None` when a child left none.
    fn take_values(self: Pin<&mut Self>) -> Option<Self::Values>;
}

/// Shows the states of a row's children.
pub(crate) struct States<'a, R>(pub(crate) &'a R);

impl<R: Row> fmt::Debug for States<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = (0..self.0.len()).map(|child| self.0.state(child));
        f.debug_list().entries(states.map(Word)).finish()
    }
}

struct Word(&'static str);

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

pub(super) mod sealed {
    /// Implemented by this crate's rows only.
    pub trait Sealed {}
}
