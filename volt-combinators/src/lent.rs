//! Children that get arguments at each poll. Not for people: it changes without notice.
//!
//! A machine does not hold what it is lent; whoever polls it hands that over, at each poll. In a
//! combinator it stands in a [`UnboundMachine`], a future that cannot be polled by itself. Whoever polls the
//! combinator gives a function for each child, and the child whose turn it is is polled by that function:
//!
//! ```text
//! Lend::lend(join).poll(cx, |a, cx| a.machine().poll_lent(cx, (&x,)), |b, cx| b.poll(cx))
//! ```
//!
//! The order of polls, wakers, outputs and drops are those of the combinator, because it runs the same
//! code on a `PollWith`: its row together with the functions.

use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

pub use crate::leaf::{Argument, Awaited, Evaluated, Leaf, LeafCall, Lent};
use crate::slots::{FallibleRow, JoinRow, PollEach, Row, Turn, UniformRow};
use crate::tuples::tuples;

pin_project! {
    /// A machine in a combinator, polled with what it is lent.
    #[must_use = "futures do nothing unless polled"]
    pub struct UnboundMachine<M, T = <M as Awaited>::Output> {
        #[pin]
        machine: M,
        output: PhantomData<fn() -> T>,
    }
}

impl<M, T> UnboundMachine<M, T> {
    /// A machine that was not polled yet.
    #[inline]
    pub fn new(machine: M) -> Self {
        let output = PhantomData;
        Self { machine, output }
    }

    /// The machine, to be polled.
    #[inline]
    pub fn machine(self: Pin<&mut Self>) -> Pin<&mut M> {
        self.project().machine
    }

    /// The machine, to be looked at.
    pub fn get_ref(&self) -> &M {
        &self.machine
    }
}

impl UnboundMachine<(), ()> {
    /// Nothing, in the place of a future that is borrowed at each poll.
    #[inline]
    pub fn of_borrowed<F: Future>() -> UnboundMachine<Borrowed<F>> {
        UnboundMachine::new(Borrowed(PhantomData))
    }
}

/// A future that stands elsewhere.
#[derive(Debug)]
pub struct Borrowed<F>(PhantomData<fn() -> F>);

impl<F: Future> Awaited for Borrowed<F> {
    type Output = F::Output;
}

/// So that it may stand where a future does. It is polled through [`UnboundMachine::machine`].
impl<M, T> Future for UnboundMachine<M, T> {
    type Output = T;

    #[cold]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        panic!("a machine is polled without what it is lent")
    }
}

impl<M, T> fmt::Debug for UnboundMachine<M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnboundMachine").finish_non_exhaustive()
    }
}

/// A combinator that polls its children by functions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot lend anything to the futures in it",
    label = "some of these are lent something at each poll",
    note = "`volt::time::timeout` can, `volt::future::{{join, try_join, race}}`, and `(a, b, ..).join()`",
    note = "to any other hand futures that own what they need: a machine that is given the values",
    note = "book: combinators.md#what-is-lent"
)]
pub trait Lend: Future {
    /// A tuple of its futures.
    type Children;

    /// Begins a poll, which is told how to poll each of the futures.
    #[inline]
    fn lend(self: Pin<&mut Self>) -> Lending<'_, Self, Self::Children> {
        Lending {
            combinator: self,
            children: PhantomData,
        }
    }
}

/// A [`Lend`] with functions that fit.
pub trait PollBy<P>: Future {
    /// Polls; each child is polled by its function in `polls`, if at all.
    fn poll_by(self: Pin<&mut Self>, cx: &mut Context<'_>, polls: P) -> Poll<Self::Output>;
}

/// A combinator of `C` that is about to be polled.
#[must_use = "it was not polled yet"]
pub struct Lending<'a, K: ?Sized, C> {
    combinator: Pin<&'a mut K>,
    children: PhantomData<fn(C)>,
}

impl<K: ?Sized, C> fmt::Debug for Lending<'_, K, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lending").finish_non_exhaustive()
    }
}

macro_rules! poll {
    ($($F:ident $P:ident $n:tt)+) => {
        impl<K, $($F: Future),+> Lending<'_, K, ($($F,)+)> {
            /// Polls the combinator, and each future that has its turn by its function.
            #[inline]
            #[allow(clippy::too_many_arguments, non_snake_case, reason = "one for each future")]
            pub fn poll<$($P),+>(self, cx: &mut Context<'_>, $($P: $P),+) -> Poll<K::Output>
            where
                $($P: FnMut(Pin<&mut $F>, &mut Context<'_>) -> Poll<$F::Output>,)+
                K: PollBy<($($P,)+)>,
            {
                self.combinator.poll_by(cx, ($($P,)+))
            }
        }
    };
}

tuples!(poll);

/// Makes a combinator of a `poll` function, which polls its row: by itself, or with functions.
macro_rules! polled {
    ($Combinator:ident $(<$($T:ident),+>)?: $Row:path => $Output:ty) => {
        impl<C: Children> $Combinator<C> {
            /// Whether it must not be polled again: it has returned, or a future panicked.
            pub fn is_terminated(&self) -> bool {
                self.pass.is_over()
            }
        }

        impl<C $($(, $T)+)?> Future for $Combinator<C>
        where
            C: Children<Row: $Row>,
        {
            type Output = $Output;

            #[inline]
            fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let this = self.project();
                poll(this.pass, this.row, cx)
            }
        }

        impl<C $($(, $T)+)?> $crate::lent::Lend for $Combinator<C>
        where
            C: Children<Row: $Row>,
        {
            type Children = C;
        }

        impl<C, P $($(, $T)+)?> $crate::lent::PollBy<P> for $Combinator<C>
        where
            C: Children<Row: $Row + $crate::slots::PollEach<P>>,
        {
            #[inline]
            fn poll_by(self: Pin<&mut Self>, cx: &mut Context<'_>, polls: P) -> Poll<Self::Output> {
                let this = self.project();
                let mut row = $crate::lent::PollWith::new(this.row, polls);
                poll(this.pass, Pin::new(&mut row), cx)
            }
        }
    };
}
pub(crate) use polled;

/// A row of children, and what polls each of them.
pub(crate) struct PollWith<'a, R, P> {
    row: Pin<&'a mut R>,
    polls: P,
}

impl<'a, R, P> PollWith<'a, R, P> {
    #[inline]
    pub(crate) fn new(row: Pin<&'a mut R>, polls: P) -> Self {
        Self { row, polls }
    }
}

/// The row is pinned where it is.
impl<R, P> Unpin for PollWith<'_, R, P> {}

impl<R: PollEach<P>, P> Row for PollWith<'_, R, P> {
    #[inline]
    fn len(&self) -> usize {
        self.row.len()
    }

    #[inline]
    fn poll_child(mut self: Pin<&mut Self>, child: usize, cx: &mut Context<'_>) -> Turn {
        let Self { row, polls } = &mut *self;
        row.as_mut().poll_child_by(child, cx, polls)
    }

    fn state(&self, child: usize) -> &'static str {
        self.row.state(child)
    }

    #[inline]
    fn clear(mut self: Pin<&mut Self>) {
        self.row.as_mut().clear();
    }
}

impl<R: PollEach<P> + JoinRow, P> JoinRow for PollWith<'_, R, P> {
    type Outputs = R::Outputs;

    #[inline]
    fn take_all(mut self: Pin<&mut Self>) -> Option<R::Outputs> {
        self.row.as_mut().take_all()
    }
}

impl<R: PollEach<P> + UniformRow, P> UniformRow for PollWith<'_, R, P> {
    type Output = R::Output;

    #[inline]
    fn take(mut self: Pin<&mut Self>, child: usize) -> Option<R::Output> {
        self.row.as_mut().take(child)
    }
}

impl<R: PollEach<P> + FallibleRow, P> FallibleRow for PollWith<'_, R, P> {
    type Values = R::Values;
    type Error = R::Error;

    fn take_error(mut self: Pin<&mut Self>, child: usize) -> Option<R::Error> {
        self.row.as_mut().take_error(child)
    }

    fn take_values(mut self: Pin<&mut Self>) -> Option<R::Values> {
        self.row.as_mut().take_values()
    }
}
