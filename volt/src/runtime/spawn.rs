//! Spawning tasks on the runtime that the calling thread is in.

use std::num::NonZeroU64;
use std::panic::Location;
use std::pin::Pin;
use std::task::Waker;

use super::builder::Builder;
use super::context;
use super::handle::Handle;
use crate::task::{self, ErasedFuture, JoinHandle, Metadata, boxed_if_large};
use volt_combinators::{Child, PollBudget, Spawn};

/// Runs `future` as a task of the runtime that this thread is in; see [`Handle::spawn`].
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
#[doc(alias = "async")]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let location = Location::caller();
    boxed_if_large!(F, |future, location| {
        context::with(|handle| handle.scheduler.spawn(future, location))
    })
}

/// Starts a runtime with the defaults of [`Builder`], polls `future` on this thread until it is
/// ready, and drops the runtime.
///
/// # Panics
///
/// Panics if the runtime cannot be started, or if [`Handle::block_on`] panics.
///
/// # Examples
///
/// ```
/// assert_eq!(volt::block_on(async { 6 * 7 }), 42);
/// ```
#[track_caller]
pub fn block_on<F: IntoFuture>(future: F) -> F::Output {
    let runtime = Builder::new().build();
    let runtime = runtime.unwrap_or_else(|error| panic!("cannot start a runtime: {error}"));
    boxed_if_large!(F::IntoFuture, future.into_future(), |future| {
        runtime.block_on(future)
    })
}

/// The budget of a task, for the futures that wait for a group.
const POLL_BUDGET: PollBudget = PollBudget {
    poll_left: task::poll_has_budget,
    spend: task::consume,
};

impl Spawn for Handle {
    #[track_caller]
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let metadata = ChildMetadata(Location::caller());
        self.scheduler.spawn(child, metadata).detach();
    }

    fn canceller(waker: &Waker) -> Option<Waker> {
        task::canceller(waker)
    }

    fn task_id(waker: &Waker) -> Option<NonZeroU64> {
        task::task_id(waker)
    }

    fn budget() -> Option<PollBudget> {
        Some(POLL_BUDGET)
    }
}

/// The metadata of a task that is the child of a group. A dump reads the state of the future inside
/// of the [`Child`].
struct ChildMetadata(&'static Location<'static>);

impl<F> Metadata<Child<F>> for ChildMetadata
where
    F: Future + 'static,
{
    fn location(&self) -> &'static Location<'static> {
        self.0
    }

    fn inspection_target(&self, child: Pin<&mut Child<F>>) -> Option<ErasedFuture> {
        child.future().map(ErasedFuture::new)
    }
}

/// Spawns the children of a [`Group`] on the runtime that the spawning thread is in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Current;

impl Spawn for Current {
    #[track_caller]
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let metadata = ChildMetadata(Location::caller());
        context::with(|handle| handle.scheduler.spawn(child, metadata)).detach();
    }

    fn canceller(waker: &Waker) -> Option<Waker> {
        task::canceller(waker)
    }

    fn task_id(waker: &Waker) -> Option<NonZeroU64> {
        task::task_id(waker)
    }

    fn budget() -> Option<PollBudget> {
        Some(POLL_BUDGET)
    }
}

/// A group of child tasks, which ends with its owner; see [`volt_combinators::Group`].
///
/// ```
/// use volt::{Current, Group};
///
/// let squares = volt::block_on(async {
///     let mut group = Group::new(Current);
///     for n in 1..4 {
///         group.spawn(async move { n * n });
///     }
///     group.wait().await
/// });
/// assert_eq!(squares.unwrap(), [1, 4, 9]);
/// ```
pub type Group<T, S = Current> = volt_combinators::Group<T, S>;
