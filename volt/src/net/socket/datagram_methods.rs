//! The macro with the methods of all sockets for datagrams.

/// Implements the methods of every socket for datagrams, for a type with a field `io`.
/// [`impl_socket`](super::socket_methods::impl_socket) has the reason for a macro.
macro_rules! impl_datagrams {
    ($Socket:ident, $address:ty, $mio:ty, $target:ty, $send_to:expr) => {
        impl $Socket {
            /// Receives a datagram from the connected peer, and returns its length. Bytes that do
            /// not fit into the buffer are discarded.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `recv` fails, or if the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future loses no datagram.
            pub fn recv<'a>(&'a self, buf: &'a mut [u8]) -> $crate::net::datagram::Recv<'a, Self> {
                $crate::net::datagram::Recv::new(self, buf)
            }

            /// Receives a datagram, and returns its length and its sender. Bytes that do not fit
            /// into the buffer are discarded.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`recv`](Self::recv).
            ///
            /// # Cancel safety
            ///
            /// Dropping the future loses no datagram.
            pub fn recv_from<'a>(
                &'a self,
                buf: &'a mut [u8],
            ) -> $crate::net::datagram::RecvFrom<'a, Self> {
                $crate::net::datagram::RecvFrom::new(self, buf)
            }

            /// Sends a datagram to the connected peer.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `send` fails, or if the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// If the future is dropped before it is ready, nothing was sent.
            pub fn send<'a>(
                &'a self,
                buf: &'a [u8],
            ) -> $crate::net::datagram::SendConnected<'a, Self> {
                $crate::net::datagram::SendConnected::new(self, buf)
            }

            /// Polls for the operation of [`recv`](Self::recv). The waker of the last caller is
            /// stored.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`recv`](Self::recv).
            pub fn poll_recv(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Read, |socket| {
                        socket.recv(buf)
                    })
            }

            /// Polls for the operation of [`recv_from`](Self::recv_from). The waker of the last
            /// caller is stored.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`recv_from`](Self::recv_from).
            pub fn poll_recv_from(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<(usize, $address)>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Read, |socket| {
                        socket.recv_from(buf)
                    })
            }

            /// Polls for the operation of [`send`](Self::send). The waker of the last caller is
            /// stored.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`send`](Self::send).
            pub fn poll_send(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Write, |socket| {
                        socket.send(buf)
                    })
            }
        }

        #[expect(private_interfaces, reason = "the trait has them too")]
        impl $crate::net::datagram::Datagrams for $Socket {
            type Descriptor = $mio;
            type Source = $address;
            type Target = $target;

            fn io(&self) -> &$crate::io::PollEvented<$mio> {
                &self.io
            }

            fn report_address(&self, report: &mut dyn FnMut(&dyn std::fmt::Debug)) {
                // A socket without a peer receives from any sender.
                if let Ok(address) = self.peer_addr().or_else(|_| self.local_addr()) {
                    report(&address);
                }
            }

            fn recv(socket: &$mio, buf: &mut [u8]) -> std::io::Result<usize> {
                socket.recv(buf)
            }

            fn recv_from(socket: &$mio, buf: &mut [u8]) -> std::io::Result<(usize, $address)> {
                socket.recv_from(buf)
            }

            fn send(socket: &$mio, buf: &[u8]) -> std::io::Result<usize> {
                socket.send(buf)
            }

            fn send_to(socket: &$mio, buf: &[u8], target: &$target) -> std::io::Result<usize> {
                ($send_to)(socket, buf, target)
            }
        }
    };
}
pub(in crate::net) use impl_datagrams;
