//! Sockets of the Unix domain.

mod stream;
mod connecting;
mod listener;
mod datagram;

pub use self::connecting::{UnixConnect, connect_unix};
pub use self::datagram::UnixDatagram;
pub(super) use self::listener::UnixAcceptCall;
pub use self::listener::{UnixAccept, UnixListener};
pub use self::stream::UnixStream;
