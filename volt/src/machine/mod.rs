//! State machines: their public interface, and the support code of expansions.
//!
//! `#[volt::state_machine]` turns an `async fn` into a named type, which knows its suspend points.
//! The attribute works at compile time; this folder has the code that runs:
//!
//! - [`StateMachine`] returns the current state of a machine and its possible steps;
//! - [`Diagram`] draws the states, as Mermaid or Graphviz text;
//! - [`on_forgotten_waker`] sets a hook for awaits that nothing will wake;
//! - `register` passes each type of machines to the runtime that polls it, once;
//! - `expansion` has the items that expanded code names.

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
    RegisterHook, TraceFn, TypeRegistration, Wrapper, register_wrapper, set_hook, trace_at,
    wrapper, wrapper_machine,
};
#[cfg(feature = "rt")]
pub(crate) use register_once::register_pending;
pub use state::{Local, State, Transition};
pub use state_machine::StateMachine;
#[doc(hidden)]
pub use tables::Tables;
