//! Sockets over loopback, on a driver that another thread waits in.

mod support;
mod connections;
mod streams;
mod halves;
mod datagrams;
mod names;
#[cfg(unix)]
mod unix;
mod faults;
