//! The traits of child storages.

use core::fmt;
use core::pin::Pin;
use core::task::Context;

use super::slot::ChildPoll;
use volt_inspect::{Inspector, Status};

/// Several futures in one value: a tuple, an array, a `Vec` or a boxed slice of them.
///
/// It is the type parameter of a combinator: `Join<(A, B)>`, `Race<[F; 3]>`, `Select<Vec<F>>`. This
/// trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a collection of futures",
    label = "the type of a collection is `(A, B)`, `[F; 3]`, `Vec<F>` or `Box<[F]>`",
    note = "a single future is `(F,)`; a type that is only `IntoFuture` is written as its `IntoFuture::IntoFuture`"
)]
pub trait Children: IntoChildren<Children = Self> + Sized {
    /// The storage of the children while they are polled.
    #[doc(hidden)]
    type Storage: ChildStorage;
}

/// A conversion into [`Children`], of values that implement `IntoFuture`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a collection of futures",
    label = "a collection is a tuple of up to sixteen futures, an array, a `Vec` or a boxed slice of them",
    note = "for the futures of an iterator, call `join_all(iterator)`, `race_all(iterator)`, .."
)]
pub trait IntoChildren: sealed::Sealed {
    /// The children as futures.
    type Children: Children;

    #[doc(hidden)]
    fn into_storage(self) -> <Self::Children as Children>::Storage;
}

/// Storages up to this length are polled with the waker of the task.
pub(crate) const SHARED_WAKER_CHILDREN: usize = 2;

/// A storage of children, which are polled by number.
#[doc(hidden)]
pub trait ChildStorage {
    /// `false` if the storage never has more than [`SHARED_WAKER_CHILDREN`].
    const MAY_USE_WAKE_SET: bool = true;

    fn len(&self) -> usize;

    /// Polls a child, if it is live.
    fn poll_child(self: Pin<&mut Self>, child: usize, cx: &mut Context<'_>) -> ChildPoll;

    /// Returns the state of a child in a word, for `Debug`.
    fn state(&self, child: usize) -> &'static str;

    /// Reports a child. `status` is that of a live one.
    fn inspect_child(
        self: Pin<&mut Self>,
        child: usize,
        status: Status,
        inspector: &mut Inspector<'_>,
    );

    /// Drops the remaining children, and the outputs, in place and in order.
    fn clear(self: Pin<&mut Self>);
}

/// A storage whose outputs can be taken together.
#[doc(hidden)]
pub trait JoinStorage: ChildStorage {
    type Outputs;

    /// Returns `None` if a child has no output.
    fn take_all(self: Pin<&mut Self>) -> Option<Self::Outputs>;
}

/// A storage whose children have one output type.
#[doc(hidden)]
pub trait UniformStorage: ChildStorage {
    type Output;

    /// Returns `None` if the child has no output.
    fn take(self: Pin<&mut Self>, child: usize) -> Option<Self::Output>;
}

/// A storage of children that return `Result`s with one error type.
#[doc(hidden)]
pub trait FallibleStorage: ChildStorage {
    type Values;
    type Error;

    /// Returns the error of a child that failed.
    fn take_error(self: Pin<&mut Self>, child: usize) -> Option<Self::Error>;

    /// Returns all values, and `None` if a child has none.
    fn take_values(self: Pin<&mut Self>) -> Option<Self::Values>;
}

/// Formats the states of the children.
pub(crate) struct States<'a, R>(pub(crate) &'a R);

impl<R: ChildStorage> fmt::Debug for States<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = (0..self.0.len()).map(|child| self.0.state(child));
        f.debug_list().entries(states.map(StateName)).finish()
    }
}

struct StateName(&'static str);

impl fmt::Debug for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

pub(super) mod sealed {
    /// Implemented only by the storages of this crate.
    pub trait Sealed {}
}
