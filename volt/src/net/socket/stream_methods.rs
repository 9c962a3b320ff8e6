//! What connections of all kinds have.

/// Implements what every connection has, for a type with a field `io`. See
/// [`impl_socket`](crate::net::socket::impl_socket) for why it is a macro.
macro_rules! impl_stream {
    ($Stream:ident) => {
        $crate::net::socket::impl_transport!($Stream);

        /// As futures, and in halves.
        impl $Stream {
            /// Reads into the buffer and returns how many bytes came; zero is the end of the stream.
            ///
            /// # Errors
            ///
            /// As [`poll_read`](Self::poll_read).
            ///
            /// # Cancel safety
            ///
            /// Dropping the future loses no byte.
            pub fn read<'a>(&'a self, buf: &'a mut [u8]) -> $crate::net::stream::Read<'a, Self> {
                $crate::net::stream::Read::new(self, buf)
            }

            /// Fills the buffer.
            ///
            /// # Errors
            ///
            /// As [`poll_read`](Self::poll_read), and with
            /// [`UnexpectedEof`](std::io::ErrorKind::UnexpectedEof) when the stream ends first.
            ///
            /// # Cancel safety
            ///
            /// **Not cancel safe:** what was read so far stays in the buffer, and how much it was is lost
            /// with the future.
            pub fn read_exact<'a>(
                &'a self,
                buf: &'a mut [u8],
            ) -> $crate::net::stream::ReadExact<'a, Self> {
                $crate::net::stream::ReadExact::new(self, buf)
            }

            /// Writes from the buffer and returns how many bytes went.
            ///
            /// # Errors
            ///
            /// As [`poll_write`](Self::poll_write).
            ///
            /// # Cancel safety
            ///
            /// If the future is dropped before it was ready, nothing was written.
            pub fn write<'a>(&'a self, buf: &'a [u8]) -> $crate::net::stream::Write<'a, Self> {
                $crate::net::stream::Write::new(self, buf)
            }

            /// Writes the whole buffer.
            ///
            /// # Errors
            ///
            /// As [`poll_write`](Self::poll_write), and with
            /// [`WriteZero`](std::io::ErrorKind::WriteZero) when the system takes nothing.
            ///
            /// # Cancel safety
            ///
            /// **Not cancel safe:** how much was written is lost with the future.
            pub fn write_all<'a>(
                &'a self,
                buf: &'a [u8],
            ) -> $crate::net::stream::WriteAll<'a, Self> {
                $crate::net::stream::WriteAll::new(self, buf)
            }

            /// As [`read`](Self::read), into several buffers, one after the other.
            ///
            /// # Errors
            ///
            /// As [`poll_read`](Self::poll_read).
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

            /// As [`write`](Self::write), from several buffers, one after the other.
            ///
            /// # Errors
            ///
            /// As [`poll_write`](Self::poll_write).
            ///
            /// # Cancel safety
            ///
            /// If the future is dropped before it was ready, nothing was written.
            pub fn write_vectored<'a, 'b>(
                &'a self,
                bufs: &'a [std::io::IoSlice<'b>],
            ) -> $crate::net::stream::WriteVectored<'a, 'b, Self> {
                $crate::net::stream::WriteVectored::new(self, bufs)
            }

            /// Waits until a read may succeed; only [`try_read`](Self::try_read) tells whether it does.
            ///
            /// # Errors
            ///
            /// Fails when the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn readable(&self) -> $crate::io::Readable<'_> {
                $crate::io::Readable::new(self)
            }

            /// Waits until a write may succeed; only [`try_write`](Self::try_write) tells whether it
            /// does.
            ///
            /// # Errors
            ///
            /// Fails when the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn writable(&self) -> $crate::io::Writable<'_> {
                $crate::io::Writable::new(self)
            }

            /// Lends the stream as two halves, one to read and one to write, for two futures in one task.
            ///
            /// The halves only keep apart what is read and what is written: a shared reference to the stream does both, also
            /// from several tasks.
            pub fn split(
                &mut self,
            ) -> (
                $crate::net::stream::ReadHalf<'_, Self>,
                $crate::net::stream::WriteHalf<'_, Self>,
            ) {
                $crate::net::stream::split(self)
            }

            /// Takes the stream apart into two halves, one to read and one to write, for two tasks.
            ///
            /// [`reunite`](crate::net::OwnedReadHalf::reunite) puts them together again.
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

        /// For futures of one's own.
        impl $Stream {
            /// Reads into the buffer and returns how many bytes came; zero is the end of the stream.
            ///
            /// # Errors
            ///
            /// Fails as the system's `recv` does, or when the runtime has shut down.
            pub fn poll_read(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read(cx, buf)
            }

            /// Reads into several buffers, one after the other.
            ///
            /// # Errors
            ///
            /// As [`poll_read`](Self::poll_read).
            pub fn poll_read_vectored(
                &self,
                cx: &mut std::task::Context<'_>,
                bufs: &mut [std::io::IoSliceMut<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read_vectored(cx, bufs)
            }

            /// Writes from the buffer and returns how many bytes went.
            ///
            /// # Errors
            ///
            /// Fails as the system's `send` does, or when the runtime has shut down.
            pub fn poll_write(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write(cx, buf)
            }

            /// Writes from several buffers, one after the other.
            ///
            /// # Errors
            ///
            /// As [`poll_write`](Self::poll_write).
            pub fn poll_write_vectored(
                &self,
                cx: &mut std::task::Context<'_>,
                bufs: &[std::io::IoSlice<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write_vectored(cx, bufs)
            }

            /// Does nothing: what was written is the system's already.
            ///
            /// # Errors
            ///
            /// It does not fail.
            pub fn poll_flush(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                $crate::net::socket::Transport::poll_flush(self, cx)
            }

            /// Ends the half that is written; the peer reads the end of the stream.
            ///
            /// # Errors
            ///
            /// Fails as [`shutdown`](Self::shutdown) does, but not when the peer has ended the
            /// connection already.
            pub fn poll_close(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                $crate::net::socket::Transport::poll_close(self, cx)
            }

            /// Waits until a read may succeed; only a read tells whether it does.
            ///
            /// # Errors
            ///
            /// Fails when the runtime has shut down.
            pub fn poll_readable(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                self.io.poll_ready(cx, $crate::driver::Direction::Read)
            }

            /// Waits until a write may succeed; only a write tells whether it does.
            ///
            /// # Errors
            ///
            /// Fails when the runtime has shut down.
            pub fn poll_writable(
                &self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                self.io.poll_ready(cx, $crate::driver::Direction::Write)
            }

            /// Reads what is there now.
            ///
            /// # Errors
            ///
            /// As [`poll_read`](Self::poll_read), and with [`WouldBlock`](std::io::ErrorKind::WouldBlock) when nothing
            /// is there.
            pub fn try_read(&self, buf: &mut [u8]) -> std::io::Result<usize> {
                self.io.try_read(buf)
            }

            /// Writes what there is room for now.
            ///
            /// # Errors
            ///
            /// As [`poll_write`](Self::poll_write), and with [`WouldBlock`](std::io::ErrorKind::WouldBlock) when there
            /// is no room.
            pub fn try_write(&self, buf: &[u8]) -> std::io::Result<usize> {
                self.io.try_write(buf)
            }

            /// Ends one half of the connection, or both.
            ///
            /// # Errors
            ///
            /// Fails as the system's `shutdown` does.
            pub fn shutdown(&self, how: std::net::Shutdown) -> std::io::Result<()> {
                self.io.get().shutdown(how)
            }
        }
    };
}
pub(in crate::net) use impl_stream;
