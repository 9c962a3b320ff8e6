//! Sockets over loopback, on a driver that another thread waits in.

mod support;
mod connections;
mod streams;
mod faults;
