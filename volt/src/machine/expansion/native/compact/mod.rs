//! Machines that store their coroutine and nothing else.
//!
//! ```text
//!  struct Fetch<'a>
//! ┌──────────────────────────────────────┐
//! │ slot   before the first poll:        │   a zero at the offset of the coroutine's tag, and
//! │        the arguments                 │   the arguments before or after it
//! │        from then on:                 │   the tag is the stage of the machine, and the suspend
//! │        the coroutine                 │   point: see `suspended_at`
//! └──────────────────────────────────────┘
//! ```
//!
//! A machine has this form if it has no type parameters, records its awaits, and has no macro with
//! branches, such as `tokio::select!`. Another macro that awaits is the position of the machine
//! while the macro does so, and a trace ends there.
//!
//! Without the feature `std` there is no thread-local to pass the addresses, so the names here mean
//! the parts of a machine with an [`Inline`](super::storage::Inline) storage.

#[cfg(feature = "std")]
mod compact_storage;
#[cfg(feature = "std")]
mod compact_accessor;
#[cfg(feature = "std")]
mod compact_machine;
#[cfg(not(feature = "std"))]
mod recorded;

#[cfg(feature = "std")]
pub use compact_accessor::CompactAccessor;
#[cfg(feature = "std")]
pub use compact_machine::{CompactMachine, new_compact, poll_compact};
#[cfg(feature = "std")]
pub use compact_storage::{CompactStorage, SuspendTable};
#[cfg(not(feature = "std"))]
pub use recorded::{
    CompactAccessor, CompactMachine, CompactStorage, SuspendTable, new_compact, poll_compact,
};
