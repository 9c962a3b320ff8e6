//! The blocks of `advance`: each guards, runs and stores the values between two awaits.

mod block;
mod exits;
mod tail;
mod prologue;
mod suspend;
