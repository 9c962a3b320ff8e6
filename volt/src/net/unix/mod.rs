//! Unix sockets.

mod unix_names;
mod unix_stream;
mod unix_connect;
mod unix_listener;
mod unix_datagram;
mod unix_addresses;
#[cfg(target_os = "linux")]
mod credentials_linux;

#[cfg(target_os = "linux")]
pub use self::credentials_linux::PeerCredentials;
pub use self::unix_addresses::UnixConnectAddr;
pub use self::unix_connect::{UnixConnect, connect_unix};
pub use self::unix_datagram::UnixDatagram;
pub use self::unix_listener::{UnixAccept, UnixListener};
pub use self::unix_stream::UnixStream;
