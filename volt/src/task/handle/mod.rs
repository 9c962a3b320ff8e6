//! Handles of a task: they await its output, cancel it, or inspect it.

mod task_ref;
mod join_interest;
mod join;
mod cancel_on_drop;

pub use self::cancel_on_drop::CancelOnDrop;
pub(crate) use self::join::JoinTarget;
pub use self::join::{AbortHandle, JoinHandle};
pub(in crate::task) use self::join_interest::JoinInterest;
pub(crate) use self::task_ref::TaskRef;
