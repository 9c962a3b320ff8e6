//! Methods of streams: over loopback, in small pieces, and with dropped futures.
#![cfg(all(unix, not(miri)))]

#[path = "streams/cancelled.rs"]
mod cancelled;
#[path = "streams/copied.rs"]
mod copied;
#[path = "streams/in_machines.rs"]
mod in_machines;
#[path = "streams/lines.rs"]
mod lines;
#[path = "streams/others.rs"]
mod others;
#[path = "streams/random.rs"]
mod random;
#[path = "streams/slow.rs"]
mod slow;
#[path = "streams/sought.rs"]
mod sought;
#[path = "streams/whole.rs"]
mod whole;
