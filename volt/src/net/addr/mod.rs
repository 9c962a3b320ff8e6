//! Addresses: the types that name a host, the lookup of names, and lists of candidates.

mod to_socket_addrs;
mod lookup;
mod addresses;

pub(in crate::net) use self::addresses::AddressCandidates;
pub use self::lookup::{LookupHost, lookup_host};
pub use self::to_socket_addrs::ToSocketAddrs;
#[cfg(all(test, not(loom)))]
pub(in crate::net) use self::to_socket_addrs::{AddressQuery, ToQuery};
