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
//! A machine has this form if it records its awaits, and has no macro with branches, such as
//! `tokio::select!`. Another macro that awaits is the position of the machine while the macro does
//! so, and a trace ends there.
//!
//! The size of a coroutine with type parameters is no constant of the machine's type, so no place
//! for the arguments can be chosen. It is created together with its machine ([`CompactCoroutine`])
//! and captures the arguments. So does an `async` block ([`CompactBlock`]).
//!
//! Without the feature `std` there is no thread-local to pass the addresses, so the names here mean
//! the parts of a machine with an [`Inline`](super::storage::Inline) storage.

#[cfg(feature = "std")]
mod suspend_table;
#[cfg(feature = "std")]
mod compact_storage;
#[cfg(feature = "std")]
mod compact_accessor;
#[cfg(feature = "std")]
mod compact_machine;
#[cfg(feature = "std")]
mod compact_coroutine;
#[cfg(feature = "std")]
mod compact_block;
#[cfg(not(feature = "std"))]
mod recorded;

#[cfg(feature = "std")]
pub use compact_accessor::{CompactAccessor, CoroutineAccessor};
#[cfg(feature = "std")]
pub use compact_block::{CompactBlock, compact_block, compact_block_ptr};
#[cfg(feature = "std")]
pub use compact_coroutine::CompactCoroutine;
#[cfg(feature = "std")]
pub(super) use compact_coroutine::await_coroutine;
#[cfg(feature = "std")]
pub use compact_machine::{CompactMachine, new_compact, poll_compact};
#[cfg(feature = "std")]
pub use compact_storage::CompactStorage;
#[cfg(feature = "std")]
pub(crate) use compact_storage::unknown_tag;
#[cfg(not(feature = "std"))]
pub(crate) use recorded::unknown_tag;
#[cfg(not(feature = "std"))]
pub use recorded::{
    CompactAccessor, CompactCoroutine, CompactMachine, CompactStorage, SuspendTable, compact_block,
    compact_block_ptr, new_compact, poll_compact,
};
#[cfg(feature = "std")]
pub use suspend_table::SuspendTable;

#[cfg(all(test, feature = "std"))]
mod tests;
