//! The queues of tasks: those of a worker, and the global one.

mod ring;
mod lifo;
mod queue_interval;
mod inject;
mod external_hint;

pub(super) use self::external_hint::ExternalWorkHint;
pub(super) use self::inject::{BatchBuffer, BufferStealer, Injector};
pub(super) use self::lifo::{IntoRawPtr, LifoSlot, LifoStealer, new_lifo_slot};
pub(super) use self::queue_interval::GlobalQueueInterval;
pub(super) use self::ring::{LocalRing, RING_CAPACITY, RingStealer, new_ring};
