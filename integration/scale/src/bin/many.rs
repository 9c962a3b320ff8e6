//! Memory and processor time of many tasks, timers and connections, on volt and on tokio.
//!
//! ```text
//! cargo run --release --bin many                           all rows, three rounds
//! cargo run --release --bin many -- tasks 1000000 1        one row: its number of pieces, rounds
//! ```
//!
//! Each count is a process of its own. Connections beyond the limit of descriptors are counted by
//! several processes at the same time, each with a runtime, a listener and a process of clients.
//!
//! Memory is the growth of the resident sets. The second column adds the growth of the kernel's
//! slab memory, which has the sockets of the clients, too, and all that other programs change.

#[cfg(target_os = "linux")]
#[path = "many/costs.rs"]
mod costs;

#[cfg(target_os = "linux")]
#[path = "many/clients.rs"]
mod clients;

#[cfg(target_os = "linux")]
#[path = "many/processes.rs"]
mod processes;

#[cfg(target_os = "linux")]
#[path = "many/pieces.rs"]
mod pieces;

#[cfg(target_os = "linux")]
#[path = "many/contest.rs"]
mod contest;

#[cfg(target_os = "linux")]
fn main() {
    contest::main(&std::env::args().skip(1).collect::<Vec<_>>());
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("the memory of the process is read from /proc");
}
