//! The registration of types with a runtime: the hook of the runtime, and the facts about a type.

mod trace_fn;
mod type_facts;
mod registration;

pub use registration::{
    RegisterHook, TypeRegistration, register, register_nested, register_unpin, set_hook,
};
pub(crate) use registration::{current_task, find, has_hook, is_inspecting, register_traced};
pub use trace_fn::{TraceFn, WalkBy};
pub(crate) use type_facts::TypeFacts;
