//! What sockets for datagrams of all kinds have.

/// Implements what every socket for datagrams has, for a type with a field `io`. See
/// [`impl_socket`](crate::net::socket::impl_socket) for why it is a macro.
macro_rules! impl_datagrams {
    ($Socket:ident, $address:ty, $mio:ty, $target:ty, $send_to:expr) => {
        impl $Socket {
            /// Receives a datagram from the peer it is connected to, and returns its length. What does
            /// not fit into the buffer is lost.
            ///
            /// # Errors
            ///
            /// Fails as the system's `recv` does, or when the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future loses no datagram.
            pub fn recv<'a>(&'a self, buf: &'a mut [u8]) -> $crate::net::datagram::Recv<'a, Self> {
                $crate::net::datagram::Recv::new(self, buf)
            }

            /// Receives a datagram, and returns its length and its sender. What does not fit into the
            /// buffer is lost.
            ///
            /// # Errors
            ///
            /// As [`recv`](Self::recv).
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

            /// Sends a datagram to the peer it is connected to.
            ///
            /// # Errors
            ///
            /// Fails as the system's `send` does, or when the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// If the future is dropped before it was ready, nothing was sent.
            pub fn send<'a>(
                &'a self,
                buf: &'a [u8],
            ) -> $crate::net::datagram::SendConnected<'a, Self> {
                $crate::net::datagram::SendConnected::new(self, buf)
            }

            /// Does what [`recv`](Self::recv) does.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn poll_recv(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Read, |it| it.recv(buf))
            }

            /// Does what [`recv_from`](Self::recv_from) does.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn poll_recv_from(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<(usize, $address)>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Read, |it| it.recv_from(buf))
            }

            /// Does what [`send`](Self::send) does.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn poll_send(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io
                    .poll_io(cx, $crate::driver::Direction::Write, |it| it.send(buf))
            }
        }

        #[expect(private_interfaces, reason = "as the trait")]
        impl $crate::net::datagram::Datagrams for $Socket {
            type Descriptor = $mio;
            type Source = $address;
            type Target = $target;

            fn io(&self) -> &$crate::io::PollEvented<$mio> {
                &self.io
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
