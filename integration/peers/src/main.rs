//! Compares volt with runtimes on io_uring: echo and HTTP servers over loopback, reads of a file.
//!
//! ```text
//! cargo run --release                          all rows, 7 rounds
//! cargo run --release -- --rounds 3 64x64      rows whose name contains `64x64`
//! ```
//!
//! Each contestant is a process of this program (`serve NAME ..`, `http NAME ..`, `read NAME ..`).
//! One client, with code of no contestant, loads all servers. A row has two figures for a
//! contestant: the time of a round trip or of a read, and the processor time that the process of
//! the contestant used for it. On a busy machine the second is the more stable one.

#[cfg(target_os = "linux")]
mod processor_time;

#[cfg(target_os = "linux")]
mod client;

#[cfg(target_os = "linux")]
mod contestants;

#[cfg(target_os = "linux")]
mod table;

#[cfg(target_os = "linux")]
mod contest;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    contest::main(&std::env::args().skip(1).collect::<Vec<_>>())
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("io_uring exists on Linux only");
}
