//! State machines: their public interface, and the support code of expansions.
//!
//! `#[volt::state_machine]` turns an `async fn` into a named type, which knows its suspend points.
//! The attribute works at compile time; this folder has the code that runs:
//!
//! - [`StateMachine`] returns the current state of a machine and its possible steps;
//! - [`Diagram`] draws the states, as Mermaid or Graphviz text;
//! - `StepDriver` runs a machine with steps, and reports the snapshots to store (feature `serde`);
//! - [`on_forgotten_waker`] sets a hook for awaits that nothing will wake;
//! - [`RunsUnpolled`] marks futures that the option `deny(dormant)` ignores;
//! - the crate `volt-inspect` has the types that describe a machine, and passes each type of
//!   machines to the runtime that polls it, once;
//! - `expansion` has the items that expanded code names.

#[cfg(feature = "rt")]
mod wrapper;
#[cfg(feature = "rt")]
mod await_limit;
mod forgotten;
mod walk;
mod runs_unpolled;
mod awaited_operand;
#[cfg(feature = "serde")]
mod steps;
#[cfg(all(feature = "rt", not(any(loom, all(test, shuttle)))))]
mod state_layout;
#[doc(hidden)]
pub mod expansion;

#[cfg(feature = "rt")]
pub(crate) use await_limit::limit_awaits_if;
#[doc(hidden)]
pub use awaited_operand::{AnyOperand, Operand, operand};
pub use forgotten::{CHECKS, ForgottenWaker, on_forgotten_waker};
pub use runs_unpolled::RunsUnpolled;
#[cfg(all(feature = "rt", not(any(loom, all(test, shuttle)))))]
pub(crate) use state_layout::StateLayout;
#[cfg(all(feature = "serde", feature = "std"))]
pub use steps::{Driven, StepDriver, StepKey, StepStore, StoredState, transaction};
/// # Examples
///
/// ```
/// use volt::machine::StateMachine;
///
/// #[volt::state_machine]
/// async fn pause(first: std::future::Ready<u8>) -> u8 {
///     first.await
/// }
///
/// let machine = pause(std::future::ready(1));
/// assert_eq!(machine.state().name, "start");
/// assert_eq!(Pause::STATES[1].name, "await first");
/// assert!(Pause::mermaid().to_string().starts_with("stateDiagram-v2"));
/// ```
#[doc(inline)]
pub use volt_inspect::machine::StateMachine;
#[doc(hidden)]
pub use volt_inspect::machine::Tables;
#[doc(inline)]
pub use volt_inspect::machine::{Diagram, Layout, Local, State, Storage, Transition};
#[cfg(all(test, feature = "rt"))]
pub(crate) use volt_inspect::machine::{Register, register_type, trace_borrowed};
#[cfg(feature = "rt")]
pub(crate) use volt_inspect::machine::{Wrapper, register_pending, register_wrapper, trace_at};
#[cfg(all(test, feature = "rt"))]
pub(crate) use wrapper::impl_register;
#[cfg(feature = "rt")]
pub(crate) use wrapper::{wrapper, wrapper_inspect, wrapper_machine};
