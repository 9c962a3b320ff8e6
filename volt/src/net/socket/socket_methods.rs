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

            /// Does an operation of your own if one of the states is there. Where it returns
            /// [`WouldBlock`](std::io::ErrorKind::WouldBlock), none of them is there until the
            /// system reports a change.
            ///
            /// # Errors
            ///
            /// Fails as the operation does, or with `WouldBlock` without having called it.
            pub fn try_io<R>(
                &self,
                interest: $crate::io::Interest,
                operation: impl FnOnce(&Self) -> std::io::Result<R>,
            ) -> std::io::Result<R> {
                self.io.try_io_interest(interest, || operation(self))
            }

            /// Takes the error that the socket has met, if it has met one.
            ///
            /// # Errors
            ///
            /// Fails as the system's `getsockopt` does.
            pub fn take_error(&self) -> std::io::Result<Option<std::io::Error>> {
                self.io.get().take_error()
            }

            /// Does an operation of your own that reads, if the socket may be readable now: a system call
            /// that has no method here. Where it returns [`WouldBlock`](std::io::ErrorKind::WouldBlock),
            /// the socket counts as not readable until the system reports a change.
            ///
            /// # Errors
            ///
            /// Fails as the operation does, or with `WouldBlock` without having called it.
            pub fn try_read_io<R>(
                &self,
                operation: impl FnOnce(&Self) -> std::io::Result<R>,
            ) -> std::io::Result<R> {
                self.io
                    .try_io($crate::driver::Direction::Read, |_| operation(self))
            }

            /// Does what [`try_read_io`](Self::try_read_io) does, for an operation that writes.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn try_write_io<R>(
                &self,
                operation: impl FnOnce(&Self) -> std::io::Result<R>,
            ) -> std::io::Result<R> {
                self.io
                    .try_io($crate::driver::Direction::Write, |_| operation(self))
            }

            /// Does an operation of your own that reads as soon as it does not block; it is called again
            /// when it was interrupted. The last task to ask is woken.
            ///
            /// # Errors
            ///
            /// Fails as the operation does, or when the runtime has shut down.
            pub fn poll_read_io<R>(
                &self,
                cx: &mut std::task::Context<'_>,
                mut operation: impl FnMut(&Self) -> std::io::Result<R>,
            ) -> std::task::Poll<std::io::Result<R>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Read, |_| operation(self))
            }

            /// Does what [`poll_read_io`](Self::poll_read_io) does, for an operation that writes.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn poll_write_io<R>(
                &self,
                cx: &mut std::task::Context<'_>,
                mut operation: impl FnMut(&Self) -> std::io::Result<R>,
            ) -> std::task::Poll<std::io::Result<R>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Write, |_| operation(self))
            }
        }

        #[cfg(unix)]
        impl std::os::fd::AsFd for $Socket {
            fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
                self.io.get().as_fd()
            }
        }

        #[cfg(windows)]
        impl std::os::windows::io::AsSocket for $Socket {
            fn as_socket(&self) -> std::os::windows::io::BorrowedSocket<'_> {
                self.io.get().as_socket()
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
pub(in crate::net) use impl_socket;

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
pub(in crate::net) use impl_peer;
