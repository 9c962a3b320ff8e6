//! The position of a native machine: the await at which it is suspended.

mod table;
mod position_store;
mod progress;
mod untraced;
mod parent_link;

pub(crate) use parent_link::Calls;
pub(crate) use position_store::Packed;
pub use position_store::{Given, Make, Notes, Plain, Receiving, Stage};
pub use progress::{Late, Progress};
pub(crate) use progress::{Site, Trace};
pub(crate) use table::Rows;
pub use table::{Table, Written, tables};
pub use untraced::{Quiet, Receive, Untraced};
