//! State machines: what can be asked of them, and what expanded code names.
//!
//! `#[volt::state_machine]` turns an `async fn` into a named type with one variant a suspend
//! point. The attribute does the thinking; this folder holds what is left for run time:
//!
//! - [`StateMachine`] answers where a machine stands, and what it could do next;
//! - [`Diagram`] draws the states, as Mermaid or Graphviz text;
//! - [`PlainDeref`] is promised of pointers that a machine may follow again;
//! - [`on_forgotten_waker`] is told of awaits that nothing will wake;
//! - `announce` tells a runtime, once a type, that a future it polls is a machine;
//! - `private` is the vocabulary of expanded code and of nobody else.
//!
//! # How a future takes part
//!
//! A machine names the future of `path::f(args).await` by the path of the call: `path::f` is
//! looked up among the types. So a hand-written leaf future is awaitable in machines as soon as
//! a type alias stands beside its function, under the function's own name:
//!
//! ```
//! # use std::{future::Future, pin::Pin, task::{Context, Poll}};
//! /// Waits for one turn of the event loop.
//! pub fn turn() -> Turn {
//!     Turn { polled: false }
//! }
//!
//! /// The future of [`turn`](fn@turn), under the function's own name.
//! #[allow(non_camel_case_types, reason = "it stands beside the function")]
//! pub type turn = Turn;
//!
//! # #[derive(Debug)]
//! pub struct Turn {
//!     polled: bool,
//! }
//! # impl Future for Turn {
//! #     type Output = ();
//! #     fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
//! #         if std::mem::replace(&mut self.polled, true) { return Poll::Ready(()) }
//! #         cx.waker().wake_by_ref();
//! #         Poll::Pending
//! #     }
//! # }
//!
//! #[volt::state_machine]
//! async fn twice() {
//!     turn().await;
//!     turn().await;
//! }
//! # futures_lite::future::block_on(twice());
//! ```
//!
//! The alias names exactly the type that the function returns, and that type is a `Future`. The
//! arguments of a leaf are evaluated once and belong to the future: a leaf has nothing to lend.
//! The alias of a generic leaf takes the function's type parameters, in the same order, so that
//! a turbofish on the call reads in both namespaces. Functions with `impl Trait` parameters have
//! no such alias.

mod plain_deref;
mod state;
mod layout;
mod diagram;
mod state_machine;
pub(crate) mod announce;
mod forgotten;
#[doc(hidden)]
pub mod private;

#[cfg(feature = "rt")]
pub(crate) use announce::{
    Announcement, Around, Hook, Reach, announce_around, around, machine_within, set_hook, trace_at,
};
#[cfg(all(test, feature = "rt"))]
pub(crate) use announce::{announce, trace_borrowed};
pub use diagram::Diagram;
pub use forgotten::{CHECKS, ForgottenWaker, on_forgotten_waker};
pub use layout::{Layout, Storage};
pub use plain_deref::PlainDeref;
#[cfg(feature = "rt")]
pub(crate) use private::{Evaluated, Leaf, LeafCall, leaves};
pub use state::{Local, State, Transition};
pub use state_machine::StateMachine;
