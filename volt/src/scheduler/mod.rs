//! The scheduler: workers, their queues, and who wakes whom.

mod ring;
mod lifo;
mod interval;
mod park;
mod idle;
mod inject;
