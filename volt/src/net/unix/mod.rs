//! Sockets of the Unix domain.

mod names;
mod unix_stream;
mod unix_connecting;
mod unix_listener;
mod unix_datagram;
mod by_address;
#[cfg(target_os = "linux")]
mod credentials_linux;

pub use self::by_address::UnixConnectAddr;
#[cfg(target_os = "linux")]
pub use self::credentials_linux::PeerCredentials;
pub use self::unix_connecting::{UnixConnect, connect_unix};
pub use self::unix_datagram::UnixDatagram;
pub use self::unix_listener::{UnixAccept, UnixListener};
pub use self::unix_stream::UnixStream;
