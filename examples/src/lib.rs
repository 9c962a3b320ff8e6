//! Programs that run, and what they share.
//!
//! | `cargo run --release -p examples --bin ..` | shows |
//! | --- | --- |
//! | `serve` | real files served to many clients, and what its machines are doing |
//! | `chat` | rooms, limits of time, a clean end at ctrl-c, with nothing but volt |
//! | `redis` | keys, values that expire, and messages to subscribers, in the protocol of Redis |
//! | `pipeline` | other programs, each of which reads what the one before it writes |
//! | `mirror` | a site mirrored with so many fetches at a time, retries, a deadline, a clean stop |
//! | `middleware` | layers for `tower` whose futures are machines with a name |
//! | `hang` | tasks that hang, and how the runtime names the line |
//! | `sizes` | how large machines are beside the compiler's futures |
//! | `stress` | random programs on random runtimes, for a given time |
//!
//! Behind `--`, each takes `--help`.

pub mod command;
pub mod mailbox;
pub mod middleware;
