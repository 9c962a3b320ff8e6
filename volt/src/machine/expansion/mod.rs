//! The vocabulary of expanded machines. Not for people: it changes without notice.

mod branch;
mod waker_check;
mod max_size;
mod after_end;
mod debug;
mod fn_output;
mod unparsed;

pub use crate::machine::tables;

pub mod native;
pub mod inferred;

pub use crate::__volt_unread as unread;
pub use crate::machine::introspect::Says;
pub use crate::machine::register::Announced;
pub use branch::Branch;
pub use debug::debug;
pub use fn_output::Native;
pub use max_size::{at_most, fits_inline};
