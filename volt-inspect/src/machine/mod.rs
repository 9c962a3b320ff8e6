//! State machines: the interface of the types that `#[volt::state_machine]` creates, and their
//! registration.
//!
//! The crate `volt-async` re-exports these items as `volt::machine`. Expanded code names them by
//! paths of that crate only, and they change together with it.

mod state_machine;
mod introspect;
mod register;
#[cfg(target_has_atomic = "ptr")]
mod register_once;

#[cfg(target_has_atomic = "ptr")]
pub use crate::description::SuspendSlot;
pub use crate::description::{
    Diagram, Layout, Local, PositionLayout, State, Storage, Tables, Transition, own, steps,
};
pub use introspect::{Accessor, ExpandedAccessor, Introspect, ThroughPin, ThroughReference};
pub use register::{
    Register, Wrapper, register, register_type, register_wrapper, trace_at, trace_borrowed,
    trace_registered,
};
#[cfg(target_has_atomic = "ptr")]
pub use register_once::{RegisterOnce, register_pending};
pub use state_machine::StateMachine;

#[doc(hidden)]
pub use crate::type_id::type_id_of;
