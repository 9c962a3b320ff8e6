//! Sockets over the runtime's driver: TCP, UDP and those of the Unix domain.
//!
//! [`TcpListener`] accepts connections and [`connect`](connect()) makes them; a [`TcpStream`] is
//! read and written through methods on `&self`, which machines await as they do their own, through
//! `poll_` methods, or through the traits of `futures-io`. The others follow the same plan.
//!
//! ```text
//!   TcpListener::accept ──► Accept<'_>          TcpStream::read       ──► Read<'_>
//!   connect             ──► Connect             TcpStream::read_exact ──► ReadExact<'_>
//!   lookup_host         ──► LookupHost          TcpStream::write      ──► Write<'_>
//!   UdpSocket::recv     ──► Recv<'_>            TcpStream::write_all  ──► WriteAll<'_>
//!   UdpSocket::recv_from──► RecvFrom<'_>        UdpSocket::send       ──► SendConnected<'_>
//!   connect_unix        ──► UnixConnect         UdpSocket::send_to    ──► SendTo<'_>
//! ```
//!
//! The futures and halves of a [`UnixStream`] are those of a TCP connection, with its type as a
//! parameter: `Read<'_, UnixStream>`.
//!
//! A socket belongs to the runtime it was made in. When that has shut down, its operations fail.
//! What no method here sets on a socket, `socket2` sets through [`AsFd`](std::os::fd::AsFd).

mod query;
mod lookup;
mod addresses;
mod establish;
mod transport;
mod socket_methods;
mod stream_methods;
mod stream;
mod options;
mod read;
mod write;
mod split;
mod owned_halves;
mod connecting;
mod listener;
mod tcp_socket;
mod datagram_methods;
mod udp;
mod udp_options;
mod datagram;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub mod pipe;
mod at_once;
mod traits;
mod uninit;
#[cfg(feature = "tokio")]
mod tokio_traits;

pub use self::connecting::{Connect, connect};
pub use self::datagram::{PeekFrom, Recv, RecvFrom, SendConnected, SendTo};
pub use self::listener::{Accept, TcpListener};
pub use self::lookup::{LookupHost, lookup_host};
pub use self::owned_halves::{OwnedReadHalf, OwnedWriteHalf, ReuniteError};
pub use self::query::ToSocketAddrs;
pub use self::read::{Peek, Read, ReadExact, ReadVectored};
pub use self::split::{ReadHalf, WriteHalf};
pub use self::stream::TcpStream;
pub use self::tcp_socket::{ConnectSocket, TcpSocket};
pub use self::udp::UdpSocket;
pub use self::uninit::ReadUninit;
#[cfg(target_os = "linux")]
pub use self::unix::PeerCredentials;
#[cfg(unix)]
pub use self::unix::{
    UnixAccept, UnixConnect, UnixConnectAddr, UnixDatagram, UnixListener, UnixStream, connect_unix,
};
pub use self::write::{Write, WriteAll, WriteVectored};
pub use crate::io::{Interest, Readable, Ready, ReadyFor, Writable};

#[cfg(all(test, not(loom)))]
mod tests;
