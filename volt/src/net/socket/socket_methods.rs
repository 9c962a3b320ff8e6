//! Macros with the methods of all sockets.

/// Implements the methods of every socket, for a type with a field `io` and a function `from_mio`.
///
/// A generic type could have them too. But then error messages and documentation would show its
/// parameters instead of `TcpStream`.
macro_rules! impl_socket {
    ($Socket:ident, $address:ty, $std:ty, $mio:ty) => {
        impl $Socket {
            /// Converts a socket of the standard library, and sets it to non-blocking.
            ///
            /// # Errors
            ///
            /// Returns an error if the socket cannot be set to non-blocking, or if the driver
            /// cannot watch it.
            ///
            /// # Panics
            ///
            /// Panics if called outside a volt runtime.
            #[track_caller]
            pub fn from_std(socket: $std) -> std::io::Result<Self> {
                socket.set_nonblocking(true)?;
                Self::from_mio($crate::runtime::context::driver(), <$mio>::from_std(socket))
            }

            /// Converts the socket into one of the standard library, and sets it to blocking.
            ///
            /// # Errors
            ///
            /// Returns an error if the socket cannot be set to blocking.
            pub fn into_std(self) -> std::io::Result<$std> {
                let socket = <$std>::from(self.io.into_inner());
                socket.set_nonblocking(false)?;
                Ok(socket)
            }

            /// Returns the local address. A Unix socket may have none.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `getsockname` fails.
            pub fn local_addr(&self) -> std::io::Result<$address> {
                self.io.get().local_addr()
            }

            /// Calls an operation if the socket may be in one of the states. If it returns
            /// [`WouldBlock`](std::io::ErrorKind::WouldBlock), these states are cleared until the
            /// system reports a change.
            ///
            /// # Errors
            ///
            /// Returns the errors of the operation, and `WouldBlock` if the operation was not
            /// called.
            pub fn try_io<R>(
                &self,
                interest: $crate::io::Interest,
                operation: impl FnOnce(&Self) -> std::io::Result<R>,
            ) -> std::io::Result<R> {
                self.io.try_io_interest(interest, || operation(self))
            }

            /// Returns and clears the pending error of the socket.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `getsockopt` fails.
            pub fn take_error(&self) -> std::io::Result<Option<std::io::Error>> {
                self.io.get().take_error()
            }

            /// Calls an operation that reads, if the socket may be readable now. Use it for system
            /// calls without a method here. If the operation returns
            /// [`WouldBlock`](std::io::ErrorKind::WouldBlock), the socket counts as not readable
            /// until the system reports a change.
            ///
            /// # Errors
            ///
            /// Returns the errors of the operation, and `WouldBlock` if the operation was not
            /// called.
            pub fn try_read_io<R>(
                &self,
                operation: impl FnOnce(&Self) -> std::io::Result<R>,
            ) -> std::io::Result<R> {
                self.io
                    .try_io($crate::driver::Direction::Read, |_| operation(self))
            }

            /// Calls an operation that writes, if the socket may be writable now; see
            /// [`try_read_io`](Self::try_read_io).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`try_read_io`](Self::try_read_io).
            pub fn try_write_io<R>(
                &self,
                operation: impl FnOnce(&Self) -> std::io::Result<R>,
            ) -> std::io::Result<R> {
                self.io
                    .try_io($crate::driver::Direction::Write, |_| operation(self))
            }

            /// Calls an operation that reads as soon as the socket may be ready. The operation is
            /// called again if it was interrupted. The waker of the last caller is stored.
            ///
            /// # Errors
            ///
            /// Returns the errors of the operation, and an error if the runtime has shut down.
            pub fn poll_read_io<R>(
                &self,
                cx: &mut std::task::Context<'_>,
                mut operation: impl FnMut(&Self) -> std::io::Result<R>,
            ) -> std::task::Poll<std::io::Result<R>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Read, |_| operation(self))
            }

            /// Calls an operation that writes as soon as the socket may be ready; see
            /// [`poll_read_io`](Self::poll_read_io).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_read_io`](Self::poll_read_io).
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

/// Implements the address of the peer, which connections and sockets for datagrams have.
macro_rules! impl_peer {
    ($Socket:ident, $address:ty) => {
        impl $Socket {
            /// Returns the address of the peer. A Unix socket may have none.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `getpeername` fails, for example if the socket
            /// is not connected or the peer has reset the connection.
            pub fn peer_addr(&self) -> std::io::Result<$address> {
                self.io.get().peer_addr()
            }
        }
    };
}
pub(in crate::net) use impl_peer;
