//! Idle workers: which of them sleep, in which place, and the decision to wake one.
//!
//! `idle_set` has the protocol by which no wake-up is lost. `park`, `driver_slot` and `standby` are
//! the three places in which a worker sleeps.

mod brief_sleeps;
mod park;
mod driver_slot;
mod standby;
mod idle_set;

pub(super) use self::brief_sleeps::{BriefSleeps, Load};
pub(super) use self::driver_slot::{DriverSlot, SlotUsage};
pub(super) use self::idle_set::IdleSet;
pub(crate) use self::park::system_thread_id;
pub(super) use self::park::{DriverInterrupt, Parker, WaitPlace};
pub(super) use self::standby::Standby;
