//! Many machines at once. The tests run a few, and by a variable as many as a measurement needs.

mod postgres_many_orders;
mod many_timers;
