//! quinn 0.11 on the volt runtime.
//!
//! quinn implements QUIC, and requires a runtime from its user: tasks, timers and UDP sockets.
//! [`VoltRuntime`] implements it with volt.
//!
//! | quinn requires | here |
//! | --- | --- |
//! | [`quinn::Runtime`] | [`VoltRuntime`] |
//! | `Endpoint::server` and `Endpoint::client`, which know tokio and smol only | [`server`](server()) and [`client`](client()) (feature `ring`) |
//!
//! # An endpoint
//!
//! ```
//! # #[cfg(feature = "ring")] {
//! # fn main() -> std::io::Result<()> {
//! volt::Runtime::new()?.block_on(async {
//!     let endpoint = volt_quinn::client("127.0.0.1:0".parse().unwrap())?;
//!     assert!(endpoint.local_addr()?.ip().is_loopback());
//!     endpoint.wait_idle().await;
//!     Ok(())
//! })
//! # }
//! # main().unwrap();
//! # }
//! ```
//!
//! Several datagrams are sent and received by one system call, where the system supports it. The
//! timers follow a [paused clock](volt::time::pause), and sockets do not. So a test that pauses the
//! clock sees timeouts before it sees packets.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

mod timer;
mod socket;
mod runtime;
#[cfg(feature = "ring")]
mod endpoint;

#[cfg(feature = "ring")]
pub use self::endpoint::{client, server};
pub use self::runtime::VoltRuntime;
