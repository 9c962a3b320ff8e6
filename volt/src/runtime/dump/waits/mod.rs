//! The events for which tasks wait, apart from their trees.
//!
//! `wait_cycles` finds tasks that wait for each other. `untraced_waits` finds the sockets, far
//! timers and wake sets of tasks whose futures cannot be inspected.

mod wait_cycles;
mod untraced_waits;

pub use self::untraced_waits::SocketWait;
pub(super) use self::untraced_waits::{
    MAX_TIMERS, far_timers, overdue_timers, socket_waits, woken_children,
};
pub(super) use self::wait_cycles::wait_cycles;
