//! The state of a shutdown, and the threads that end with it.

mod shutdown_state;
mod thread_set;

pub(super) use self::shutdown_state::ShutdownState;
pub(super) use self::thread_set::ThreadSet;
