//! What sockets of all kinds have.

/// Implements what every socket has, for a type with a field `io` and a function `from_mio`.
///
/// A generic type could hold it too, but messages and documentation would then speak of its parameters
/// instead of a `TcpStream`.
macro_rules! impl_socket {
    ($Socket:ident, $address:ty, $std:ty, $mio:ty) => {
        impl $Socket {
            /// Takes over a socket of the standard library.
            ///
            /// # Errors
            ///
            /// Fails when the socket cannot be set not to block, or cannot be watched.
            ///
            /// # Panics
            ///
            /// Panics on a thread that is in no runtime.
            #[track_caller]
            pub fn from_std(socket: $std) -> std::io::Result<Self> {
                socket.set_nonblocking(true)?;
                Self::from_mio($crate::runtime::context::driver(), <$mio>::from_std(socket))
            }

            /// Gives the socket to the standard library, which then blocks.
            ///
            /// # Errors
            ///
            /// Fails when the socket cannot be set to block.
            pub fn into_std(self) -> std::io::Result<$std> {
                let socket = <$std>::from(self.io.into_inner());
                socket.set_nonblocking(false)?;
                Ok(socket)
            }

            /// The address of this end. A Unix socket need not have one.
            ///
            /// # Errors
            ///
            /// Fails as the system's `getsockname` does.
            pub fn local_addr(&self) -> std::io::Result<$address> {
                self.io.get().local_addr()
            }
        }

        #[cfg(unix)]
        impl std::os::fd::AsFd for $Socket {
            fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
                self.io.get().as_fd()
            }
        }

        #[cfg(unix)]
        impl std::os::fd::AsRawFd for $Socket {
            fn as_raw_fd(&self) -> std::os::fd::RawFd {
                self.io.get().as_raw_fd()
            }
        }
    };
}
pub(super) use impl_socket;

/// Implements what every connection and every socket for datagrams has: the address of its peer.
macro_rules! impl_peer {
    ($Socket:ident, $address:ty) => {
        impl $Socket {
            /// The address of the peer. A Unix socket need not have one.
            ///
            /// # Errors
            ///
            /// Fails as the system's `getpeername` does: also when the socket is not connected, or
            /// the peer has reset the connection.
            pub fn peer_addr(&self) -> std::io::Result<$address> {
                self.io.get().peer_addr()
            }
        }
    };
}
pub(super) use impl_peer;
