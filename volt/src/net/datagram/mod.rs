//! Datagrams: UDP sockets, and the futures of all sockets for datagrams.

mod udp_socket;
mod udp_options;
mod datagram_futures;
mod datagram_trees;

pub(in crate::net) use self::datagram_futures::Datagrams;
pub use self::datagram_futures::{PeekFrom, Recv, RecvFrom, SendConnected, SendTo};
pub use self::udp_socket::UdpSocket;
