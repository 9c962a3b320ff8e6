//! State machines: what can be asked of them, and what expanded code names.
//!
//! `#[volt::state_machine]` turns an `async fn` into a named type, which knows its suspend
//! points. The attribute does the thinking; this folder holds what is left for run time:
//!
//! - [`StateMachine`] answers where a machine stands, and what it could do next;
//! - [`Diagram`] draws the states, as Mermaid or Graphviz text;
//! - [`on_forgotten_waker`] is told of awaits that nothing will wake;
//! - `register_type` tells a runtime, once a type, that a future it polls is a machine;
//! - `private` is the vocabulary of expanded code and of nobody else.

mod state;
mod layout;
#[doc(hidden)]
pub mod tables;
mod diagram;
mod state_machine;
mod introspect;
pub(crate) mod register;
mod register_once;
#[cfg(feature = "rt")]
mod await_limit;
mod forgotten;
#[doc(hidden)]
pub mod expansion;

#[cfg(feature = "rt")]
pub(crate) use await_limit::limit_awaits_if;
pub use diagram::Diagram;
pub use forgotten::{CHECKS, ForgottenWaker, on_forgotten_waker};
pub use layout::{Layout, Storage};
#[cfg(all(test, feature = "rt"))]
pub(crate) use register::{Register, impl_register, register_type, trace_borrowed};
#[cfg(feature = "rt")]
pub(crate) use register::{
    RegisterHook, Registration, TraceFn, Wrapper, register_wrapper, set_hook, trace_at, wrapper,
    wrapper_machine,
};
#[cfg(feature = "rt")]
pub(crate) use register_once::register_pending;
pub use state::{Local, State, Transition};
pub use state_machine::StateMachine;
#[doc(hidden)]
pub use tables::Tables;
