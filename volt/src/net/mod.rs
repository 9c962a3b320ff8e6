//! Sockets over the runtime's driver: TCP, UDP and Unix sockets.
//!
//! [`TcpListener`] accepts connections, and [`connect`](connect()) creates them. A [`TcpStream`] is
//! read and written by async methods on `&self`, by `poll_` methods, or by the traits of
//! `futures-io`. Machines await the async methods like their own. The other sockets have the same
//! structure.
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
//! The futures and halves of a [`UnixStream`] are the types of a TCP connection with another
//! parameter, for example `Read<'_, UnixStream>`.
//!
//! A socket belongs to the runtime in which it was created. After the shutdown of that runtime its
//! operations fail. Options without a method here can be set with `socket2` through
//! [`AsFd`](std::os::fd::AsFd).

mod addr;
mod socket;
mod tcp;
mod stream;
mod datagram;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub mod pipe;
mod impls;

pub use self::addr::{LookupHost, ToSocketAddrs, lookup_host};
pub use self::datagram::{PeekFrom, Recv, RecvFrom, SendConnected, SendTo, UdpSocket};
pub use self::impls::ReadUninit;
pub use self::stream::{
    OwnedReadHalf, OwnedWriteHalf, Peek, Read, ReadExact, ReadHalf, ReadVectored, ReuniteError,
    Write, WriteAll, WriteHalf, WriteVectored,
};
pub use self::tcp::{Accept, Connect, ConnectSocket, TcpListener, TcpSocket, TcpStream, connect};
#[cfg(target_os = "linux")]
pub use self::unix::PeerCredentials;
#[cfg(unix)]
pub use self::unix::{
    UnixAccept, UnixConnect, UnixConnectAddr, UnixDatagram, UnixListener, UnixStream, connect_unix,
};
pub use crate::io::{Interest, Readable, Ready, ReadyFor, Writable};

#[cfg(all(test, not(loom)))]
mod tests;
