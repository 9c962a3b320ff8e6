//! The vocabulary of expanded machines. Not for people: it changes without notice.

mod branch;
mod checked;
mod ended;
mod largest;
mod trace;
mod twin;
mod unread;

pub use crate::machine::tables;

pub mod native;
pub mod inferred;

pub use crate::__volt_unread as unread;
pub use crate::machine::announce::Announced;
pub use crate::machine::says::Says;
pub use branch::Branch;
pub use largest::{at_most, fits_inline};
pub use trace::debug;
pub use twin::Native;
