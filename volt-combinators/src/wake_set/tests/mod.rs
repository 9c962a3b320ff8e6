//! Tests of wake sets, and loom models of their protocol.

#[cfg(loom)]
mod models;
#[cfg(not(loom))]
mod wake_set;
