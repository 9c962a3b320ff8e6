//! The blocks of `advance`: each guards, runs and stores the values between two awaits.

mod code;
mod scope;
mod block;
mod exits;
mod tail;
mod prologue;
mod suspend;
