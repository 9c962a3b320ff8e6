//! Sockets of the Unix domain.

mod stream;
mod connecting;
mod listener;
mod datagram;
mod by_address;
#[cfg(target_os = "linux")]
mod credentials_linux;

pub use self::by_address::UnixConnectAddr;
pub use self::connecting::{UnixConnect, connect_unix};
#[cfg(target_os = "linux")]
pub use self::credentials_linux::PeerCredentials;
pub use self::datagram::UnixDatagram;
pub(super) use self::listener::UnixAcceptCall;
pub use self::listener::{UnixAccept, UnixListener};
pub use self::stream::UnixStream;
