//! Endpoints with quinn's default settings.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;

use quinn::{Endpoint, EndpointConfig, ServerConfig};
use socket2::{Domain, Protocol, Socket, Type};

use crate::runtime::VoltRuntime;

/// Creates an endpoint that accepts connections, and can open connections.
///
/// # Errors
///
/// Returns an error if the address cannot be bound.
///
/// # Panics
///
/// Panics if the calling thread is in no runtime.
pub fn server(config: ServerConfig, address: SocketAddr) -> io::Result<Endpoint> {
    endpoint(Some(config), UdpSocket::bind(address)?)
}

/// Creates an endpoint that opens connections. With an IPv6 address it also reaches IPv4 peers,
/// where the system supports both on one socket.
///
/// # Errors
///
/// Returns an error if the address cannot be bound.
///
/// # Panics
///
/// Panics if the calling thread is in no runtime.
pub fn client(address: SocketAddr) -> io::Result<Endpoint> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::DGRAM,
        Some(Protocol::UDP),
    )?;
    if address.is_ipv6() {
        // A system that refuses supports only one of the two: IPv6 still works.
        let _ = socket.set_only_v6(false);
    }
    socket.bind(&address.into())?;
    endpoint(None, socket.into())
}

fn endpoint(config: Option<ServerConfig>, socket: UdpSocket) -> io::Result<Endpoint> {
    let runtime = Arc::new(VoltRuntime::new());
    Endpoint::new(EndpointConfig::default(), config, socket, runtime)
}
