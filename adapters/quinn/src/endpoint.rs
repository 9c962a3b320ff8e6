//! Endpoints with quinn's own settings.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;

use quinn::{Endpoint, EndpointConfig, ServerConfig};
use socket2::{Domain, Protocol, Socket, Type};

use crate::runtime::VoltRuntime;

/// An endpoint that accepts connections, and can make them too.
///
/// # Errors
///
/// Fails when the address cannot be had.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
pub fn server(config: ServerConfig, address: SocketAddr) -> io::Result<Endpoint> {
    endpoint(Some(config), UdpSocket::bind(address)?)
}

/// An endpoint that makes connections. With an IPv6 address it reaches IPv4 peers too, where the
/// system lets one socket do both.
///
/// # Errors
///
/// Fails when the address cannot be had.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
pub fn client(address: SocketAddr) -> io::Result<Endpoint> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::DGRAM,
        Some(Protocol::UDP),
    )?;
    if address.is_ipv6() {
        // A system that refuses has sockets for one of the two only: IPv6 still works.
        let _ = socket.set_only_v6(false);
    }
    socket.bind(&address.into())?;
    endpoint(None, socket.into())
}

fn endpoint(config: Option<ServerConfig>, socket: UdpSocket) -> io::Result<Endpoint> {
    let runtime = Arc::new(VoltRuntime::new());
    Endpoint::new(EndpointConfig::default(), config, socket, runtime)
}
