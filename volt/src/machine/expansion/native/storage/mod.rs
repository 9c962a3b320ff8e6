//! Storages of a coroutine: bytes of the machine, a parameter of its type, or a box.

mod align;
mod native_storage;
mod opaque_field;
mod inline;
mod generic_storage;
mod machine_header;
mod inline_machine;
#[cfg(feature = "std")]
mod traced_block;
#[cfg(not(feature = "std"))]
mod untraced_block;
#[cfg(feature = "alloc")]
mod boxed;

pub use align::{Align, Aligned};
#[cfg(feature = "alloc")]
pub use boxed::{Boxed, EndsBoxed};
pub use generic_storage::{GenericStorage, MakeCoroutine, write_coroutine};
pub use inline::Inline;
pub use inline_machine::{InlineMachine, new_inline, poll_inline};
pub use machine_header::{GenericHeader, HeaderAccessor};
#[cfg(feature = "std")]
pub(crate) use native_storage::state_at;
pub(crate) use native_storage::walk_storage;
pub use native_storage::{
    CoroutineStorage, NestedStorage, inspect, is_terminated, layout, register_on_first_poll, state,
    trace,
};
pub use opaque_field::OpaqueField;
#[cfg(feature = "std")]
pub use traced_block::{TracedBlock, block_ptr, traced_block};
#[cfg(not(feature = "std"))]
pub use untraced_block::{block_ptr, traced_block};
