//! `scope`: a future that sets a task-local value.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use super::local_key::LocalKey;
use crate::machine::{State, StateMachine, Transition};

/// Sets the value of a key for a future and all code that it calls.
///
/// The value is set during each poll and during the drop of the future. Scopes of one key nest, and
/// the innermost one applies.
///
/// In a state machine the types must be written: `scope::<u32, fetch>(&REQUEST, 7,
/// fetch(id)).await`.
///
/// # Cancel safety
///
/// The same as that of `future`.
///
/// # Examples
///
/// ```
/// use volt::task::{scope, yield_now};
///
/// volt::task_local! {
///     static REQUEST: u32;
/// }
///
/// #[volt::state_machine]
/// async fn fetch(id: u32) -> u32 {
///     yield_now().await;
///     REQUEST.get() + id
/// }
///
/// #[volt::state_machine]
/// async fn serve(request: u32) -> u32 {
///     scope::<u32, fetch>(&REQUEST, request, fetch(1)).await
/// }
/// # assert_eq!(volt::block_on(serve(7)), 8);
/// ```
pub fn scope<T, F>(key: &'static LocalKey<T>, value: T, future: F) -> Scope<T, F>
where
    F: Future,
{
    register::<Scope<T, F>>();
    Scope {
        key,
        value: Some(value),
        future: Some(future),
    }
}

/// The future of [`scope`](fn@scope), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a machine names the future by the function"
)]
pub type scope<T, F> = Scope<T, F>;

impl<T: 'static> LocalKey<T> {
    /// Sets the value for a future and all code that it calls, see [`scope`](fn@scope).
    pub fn scope<F>(&'static self, value: T, future: F) -> Scope<T, F>
    where
        F: Future,
    {
        scope(self, value, future)
    }
}

pin_project! {
    /// The future of [`scope`](fn@scope).
    #[must_use = "futures do nothing unless polled"]
    pub struct Scope<T, F>
    where
        T: 'static,
    {
        key: &'static LocalKey<T>,
        value: Option<T>,
        // `Some` until the drop.
        #[pin]
        future: Option<F>,
    }

    impl<T, F> PinnedDrop for Scope<T, F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            let _set = this.key.set(this.value);
            this.future.set(None);
        }
    }
}

impl<T, F> Future for Scope<T, F>
where
    F: Future,
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let future = this.future.as_pin_mut();
        let future = future.expect("the future is present until the drop");
        let _set = this.key.set(this.value);
        future.poll(cx)
    }
}

impl<T, F> Inspect for Scope<T, F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Scope"), |inspector| {
            if let Some(future) = self.project().future.as_pin_mut() {
                inspector.future(future);
            }
        });
    }
}

registrable!(Scope<T, F>);

impl<T, F> Scope<T, F> {
    fn within(&self) -> &F {
        let future = self.future.as_ref();
        future.expect("the future is present until the drop")
    }
}

/// A scope of a machine has the states of that machine.
impl<T, F: StateMachine> StateMachine for Scope<T, F> {
    const NAME: &'static str = F::NAME;
    const STATES: &'static [State] = F::STATES;
    const TRANSITIONS: &'static [Transition] = F::TRANSITIONS;
    const NATIVE_SIZE: Option<usize> = F::NATIVE_SIZE;

    fn state(&self) -> &'static State {
        self.within().state()
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        self.within().trace(visit);
    }

    fn inspect_machine(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        Inspect::inspect(self, inspector);
    }
}

impl<T: fmt::Debug, F: fmt::Debug> fmt::Debug for Scope<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("value", &self.value)
            .field("future", self.within())
            .finish_non_exhaustive()
    }
}
