//! Calls of `advance`: to poll a machine, to drop it, and to report its state.

mod advance;
mod tag;
mod fallback;
mod slot_set;
mod drive;
mod machine_tables;
mod poll;
mod awaited;
mod polled_types;

pub use advance::{AtLifetimes, CarriedCode, ExplicitMachine};
pub(crate) use drive::{base, base_mut};
pub use drive::{cancel, debug, is_terminated};
pub use fallback::is_native;
pub use machine_tables::{ExplicitRows, TagAccessor, offsets};
pub use poll::poll;
pub use slot_set::SlotSet;
pub use tag::Tag;
pub(crate) use tag::done;
