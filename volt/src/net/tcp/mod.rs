//! TCP: connections, listeners, and sockets that are set up before either.

mod tcp_stream;
mod tcp_options;
mod tcp_connect;
mod tcp_listener;
mod tcp_socket;

pub use self::tcp_connect::{Connect, connect};
pub use self::tcp_listener::{Accept, TcpListener};
pub use self::tcp_socket::{ConnectSocket, TcpSocket};
pub use self::tcp_stream::TcpStream;
