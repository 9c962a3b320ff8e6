//! The macro with the methods of all connections.

/// Implements the methods of every connection, for a type with a field `io`.
/// [`impl_socket`](super::socket_methods::impl_socket) has the reason for a macro.
macro_rules! impl_stream {
    ($Stream:ident) => {
        $crate::net::socket::impl_transport!($Stream);

        /// Methods that return futures, and halves.
        impl $Stream {
            /// Reads into the buffer, and returns the number of bytes. Zero means the end of the
            /// stream.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_read`](Self::poll_read).
            ///
            /// # Cancel safety
            ///
            /// Dropping the future loses no byte.
            pub fn read<'a>(&'a self, buf: &'a mut [u8]) -> $crate::net::stream::Read<'a, Self> {
                $crate::net::stream::Read::new(self, buf)
            }

            /// Reads until the buffer is full.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_read`](Self::poll_read), and
            /// [`UnexpectedEof`](std::io::ErrorKind::UnexpectedEof) if the stream ends before the
            /// buffer is full.
            ///
            /// # Cancel safety
            ///
            /// **Not cancel safe:** bytes that were read before the drop are in the buffer, but
            /// their number is lost.
            pub fn read_exact<'a>(
                &'a self,
                buf: &'a mut [u8],
            ) -> $crate::net::stream::ReadExact<'a, Self> {
                $crate::net::stream::ReadExact::new(self, buf)
            }

            /// Writes from the buffer, and returns the number of bytes that were written.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_write`](Self::poll_write).
            ///
            /// # Cancel safety
            ///
            /// If the future is dropped before it is ready, nothing was written.
            pub fn write<'a>(&'a self, buf: &'a [u8]) -> $crate::net::stream::Write<'a, Self> {
                $crate::net::stream::Write::new(self, buf)
            }

            /// Writes the whole buffer.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_write`](Self::poll_write), and
            /// [`WriteZero`](std::io::ErrorKind::WriteZero) if the system accepts no bytes.
            ///
            /// # Cancel safety
            ///
            /// **Not cancel safe:** a drop loses the number of bytes that were written.
            pub fn write_all<'a>(
                &'a self,
                buf: &'a [u8],
            ) -> $crate::net::stream::WriteAll<'a, Self> {
                $crate::net::stream::WriteAll::new(self, buf)
            }

            /// Reads into several buffers, in order; see [`read`](Self::read).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_read`](Self::poll_read).
            ///
            /// # Cancel safety
            ///
            /// Dropping the future loses no byte.
            pub fn read_vectored<'a, 'b>(
                &'a self,
                bufs: &'a mut [std::io::IoSliceMut<'b>],
            ) -> $crate::net::stream::ReadVectored<'a, 'b, Self> {
                $crate::net::stream::ReadVectored::new(self, bufs)
            }

            /// Writes from several buffers, in order; see [`write`](Self::write).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_write`](Self::poll_write).
            ///
            /// # Cancel safety
            ///
            /// If the future is dropped before it is ready, nothing was written.
            pub fn write_vectored<'a, 'b>(
                &'a self,
                bufs: &'a [std::io::IoSlice<'b>],
            ) -> $crate::net::stream::WriteVectored<'a, 'b, Self> {
                $crate::net::stream::WriteVectored::new(self, bufs)
            }

            /// Waits until a read may succeed. Only [`try_read`](Self::try_read) shows whether it
            /// does.
            ///
            /// # Errors
            ///
            /// Returns an error if the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn readable(&self) -> $crate::io::Readable<'_> {
                $crate::io::Readable::new(self)
            }

            /// Waits until a write may succeed. Only [`try_write`](Self::try_write) shows whether
            /// it does.
            ///
            /// # Errors
            ///
            /// Returns an error if the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn writable(&self) -> $crate::io::Writable<'_> {
                $crate::io::Writable::new(self)
            }

            /// Borrows the stream as a read half and a write half, for two futures of one task.
            ///
            /// The halves only separate reads from writes. A shared reference to the stream allows
            /// both, also in several tasks.
            pub fn split(
                &mut self,
            ) -> (
                $crate::net::stream::ReadHalf<'_, Self>,
                $crate::net::stream::WriteHalf<'_, Self>,
            ) {
                $crate::net::stream::split(self)
            }

            /// Splits the stream into an owned read half and an owned write half, for two tasks.
            ///
            /// [`reunite`](crate::net::OwnedReadHalf::reunite) reverses the split.
            #[must_use]
            pub fn into_split(
                self,
            ) -> (
                $crate::net::stream::OwnedReadHalf<Self>,
                $crate::net::stream::OwnedWriteHalf<Self>,
            ) {
                $crate::net::stream::into_split(self)
            }
        }

        /// Methods for manual `poll` functions.
        impl $Stream {
            /// Reads into the buffer, and returns the number of bytes. Zero means the end of the
            /// stream.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `recv` fails, or if the runtime has shut down.
            pub fn poll_read(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read(cx, buf)
            }

            /// Reads into several buffers, in order.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_read`](Self::poll_read).
            pub fn poll_read_vectored(
                &self,
                cx: &mut std::task::Context<'_>,
                bufs: &mut [std::io::IoSliceMut<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read_vectored(cx, bufs)
            }

            /// Writes from the buffer, and returns the number of bytes that were written.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `send` fails, or if the runtime has shut down.
            pub fn poll_write(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write(cx, buf)
            }

            /// Writes from several buffers, in order.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_write`](Self::poll_write).
            pub fn poll_write_vectored(
                &self,
                cx: &mut std::task::Context<'_>,
                bufs: &[std::io::IoSlice<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write_vectored(cx, bufs)
            }

            /// Does nothing: the system already has all bytes that were written.
            ///
            /// # Errors
            ///
            /// Returns no error.
            pub fn poll_flush(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                $crate::net::socket::Transport::poll_flush(self, cx)
            }

            /// Shuts down the write half. The peer then reads the end of the stream.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`shutdown`](Self::shutdown), but none if the peer has already
            /// closed the connection.
            pub fn poll_close(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                $crate::net::socket::Transport::poll_close(self, cx)
            }

            /// Waits until a read may succeed. Only a read shows whether it does.
            ///
            /// # Errors
            ///
            /// Returns an error if the runtime has shut down.
            pub fn poll_readable(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                self.io.poll_ready(cx, $crate::driver::Direction::Read)
            }

            /// Waits until a write may succeed. Only a write shows whether it does.
            ///
            /// # Errors
            ///
            /// Returns an error if the runtime has shut down.
            pub fn poll_writable(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                self.io.poll_ready(cx, $crate::driver::Direction::Write)
            }

            /// Reads the bytes that have arrived, without waiting.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_read`](Self::poll_read), and
            /// [`WouldBlock`](std::io::ErrorKind::WouldBlock) if no bytes have arrived.
            pub fn try_read(&self, buf: &mut [u8]) -> std::io::Result<usize> {
                self.io.try_read(buf)
            }

            /// Writes the bytes for which there is room, without waiting.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_write`](Self::poll_write), and
            /// [`WouldBlock`](std::io::ErrorKind::WouldBlock) if there is no room.
            pub fn try_write(&self, buf: &[u8]) -> std::io::Result<usize> {
                self.io.try_write(buf)
            }

            /// Shuts down one half of the connection, or both.
            ///
            /// # Errors
            ///
            /// Returns an error if the system call `shutdown` fails.
            pub fn shutdown(&self, how: std::net::Shutdown) -> std::io::Result<()> {
                self.io.get().shutdown(how)
            }
        }
    };
}
pub(in crate::net) use impl_stream;
