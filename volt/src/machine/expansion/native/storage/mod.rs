//! Storages of a coroutine: bytes of the machine, a parameter of its type, or a box.

mod align;
mod native_storage;
mod inline;
mod generic_storage;
mod machine_header;
mod inline_machine;
#[cfg(feature = "alloc")]
mod boxed;

pub use align::{Align, Aligned};
#[cfg(feature = "alloc")]
pub use boxed::{Boxed, EndsBoxed};
pub use generic_storage::{Makes, Open, put};
pub use inline::Inline;
pub use inline_machine::{Holds, held, poll_held};
pub use machine_header::{Opened, Told};
pub(crate) use native_storage::trace_of;
pub use native_storage::{Nested, Storage, announce_first, is_terminated, layout, state, trace};
