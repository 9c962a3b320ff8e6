//! Traits and macros with the methods that several kinds of sockets share.

mod connection_check;
mod socket_wait;
mod transport;
mod socket_methods;
mod stream_methods;
mod datagram_methods;

pub(in crate::net) use self::connection_check::check_connected;
pub(in crate::net) use self::datagram_methods::impl_datagrams;
pub(in crate::net) use self::socket_methods::{impl_peer, impl_socket};
pub(in crate::net) use self::socket_wait::SocketWait;
pub(in crate::net) use self::stream_methods::impl_stream;
pub(in crate::net) use self::transport::{HasStream, Transport, impl_transport};
