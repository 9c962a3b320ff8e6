//! TCP over the runtime's driver.
//!
//! [`TcpListener`] accepts connections and [`connect`](connect()) makes them; a [`TcpStream`] is
//! read and written through methods on `&self`, through the `poll_` methods that state machines
//! use, or through the traits of `futures-io`.
//!
//! ```text
//!   TcpListener::accept ──► Accept<'_>          TcpStream::read       ──► Read<'_>
//!   connect             ──► Connect             TcpStream::read_exact ──► ReadExact<'_>
//!                                               TcpStream::write      ──► Write<'_>
//!                                               TcpStream::write_all  ──► WriteAll<'_>
//! ```
//!
//! A socket belongs to the runtime it was made in. When that has shut down, its operations fail.
//!
//! Names of hosts are looked up by the system, which **blocks the calling thread**: give
//! addresses, or look names up on a thread that may block.

mod addresses;
mod stream;
mod connecting;
mod listener;
mod read;
mod write;
mod ready;
mod split;
mod traits;

pub use self::connecting::{Connect, connect};
pub use self::listener::{Accept, TcpListener};
pub use self::read::{Peek, Read, ReadExact};
pub use self::ready::{Readable, Writable};
pub use self::split::{ReadHalf, WriteHalf};
pub use self::stream::TcpStream;
pub use self::write::{Write, WriteAll};

#[cfg(all(test, not(loom)))]
mod tests;
