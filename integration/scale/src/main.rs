//! Counts the atomic operations and the cache lines of volt and of tokio on simulated processors.
//!
//! ```text
//! cargo run --release                                  all rows, 1 to 16 workers
//! cargo run --release -- --workers 1,4 --rounds 3 join rows whose name contains `join`
//! ```
//!
//! The README of this folder explains the simulation and its limits.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod processors;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod subject;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod table;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod places;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod one_run;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod command_line;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    command_line::main(&std::env::args().skip(1).collect::<Vec<_>>())
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {
    eprintln!("the tracer steps instructions of x86-64 on Linux only");
}
