//! `ToSocketAddrs`: the types that name one or more addresses.

use std::io;
use std::net::{
    IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6, ToSocketAddrs as _,
};

/// A type that names one or more addresses: an address, or the name of a host and a port.
///
/// The trait is implemented for the types of [`std::net::ToSocketAddrs`]. It is a separate trait,
/// and other crates cannot implement it, so that volt can look up names without blocking a worker.
pub trait ToSocketAddrs: sealed::ToQuery {}

impl<T: sealed::ToQuery + ?Sized> ToSocketAddrs for T {}

/// Known addresses, or a name to look up.
#[derive(Clone, Debug)]
pub enum AddressQuery {
    /// Addresses that need no lookup.
    Known(Vec<SocketAddr>),
    /// `host:port`, in which the host is a name.
    Text(String),
    /// The name of a host, and a port.
    Host(String, u16),
}

impl AddressQuery {
    /// Returns the addresses. This blocks the thread if a name must be looked up.
    pub(super) fn resolve(self) -> io::Result<Vec<SocketAddr>> {
        match self {
            Self::Known(addresses) => Ok(addresses),
            Self::Text(text) => text.to_socket_addrs().map(Iterator::collect),
            Self::Host(host, port) => (host, port).to_socket_addrs().map(Iterator::collect),
        }
    }
}

mod sealed {
    use super::AddressQuery;

    /// Converts a value into known addresses or a name to look up.
    pub trait ToQuery {
        fn to_query(&self) -> AddressQuery;
    }
}
pub(in crate::net) use sealed::ToQuery;

macro_rules! impl_known {
    ($($address:ty),*) => {$(
        impl ToQuery for $address {
            fn to_query(&self) -> AddressQuery {
                AddressQuery::Known(vec![SocketAddr::from(*self)])
            }
        }
    )*};
}

impl_known!(
    SocketAddr,
    SocketAddrV4,
    SocketAddrV6,
    (IpAddr, u16),
    (Ipv4Addr, u16),
    (Ipv6Addr, u16)
);

impl ToQuery for [SocketAddr] {
    fn to_query(&self) -> AddressQuery {
        AddressQuery::Known(self.to_vec())
    }
}

impl<const N: usize> ToQuery for [SocketAddr; N] {
    fn to_query(&self) -> AddressQuery {
        self[..].to_query()
    }
}

impl ToQuery for Vec<SocketAddr> {
    fn to_query(&self) -> AddressQuery {
        self[..].to_query()
    }
}

impl ToQuery for str {
    fn to_query(&self) -> AddressQuery {
        match self.parse() {
            Ok(address) => AddressQuery::Known(vec![address]),
            Err(_) => AddressQuery::Text(self.to_owned()),
        }
    }
}

impl ToQuery for String {
    fn to_query(&self) -> AddressQuery {
        self.as_str().to_query()
    }
}

impl ToQuery for (&str, u16) {
    fn to_query(&self) -> AddressQuery {
        let (host, port) = *self;
        match host.parse::<IpAddr>() {
            Ok(host) => (host, port).to_query(),
            Err(_) => AddressQuery::Host(host.to_owned(), port),
        }
    }
}

impl ToQuery for (String, u16) {
    fn to_query(&self) -> AddressQuery {
        (self.0.as_str(), self.1).to_query()
    }
}

impl<T: ToQuery + ?Sized> ToQuery for &T {
    fn to_query(&self) -> AddressQuery {
        (**self).to_query()
    }
}
