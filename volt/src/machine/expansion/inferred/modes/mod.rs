//! Modes of `advance`: the purposes for which the code of a machine is called.

mod region;
mod poll_call;
mod inspection;
mod mode;
mod poll_fn;

pub(crate) use inspection::{Any, Machine, Text};
pub use inspection::{Shown, Traced, Visit};
pub(crate) use mode::{AWAITS, Looking, Polling};
pub use mode::{Dropping, Mode, Why, over};
pub(crate) use poll_call::{How, Told};
pub use poll_fn::{AnyRenewed, Renewed, TooLarge, poll_fn_renewed, poll_renewed, renewed};
pub use region::{Region, Token};
