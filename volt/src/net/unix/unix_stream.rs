//! `UnixStream`: a connection between two Unix sockets.

use std::fmt;
use std::io;

use crate::driver::DriverHandle;
use crate::io::PollEvented;
use crate::net::socket::impl_stream;
use crate::net::socket::{impl_peer, impl_socket};
use crate::runtime::context;

/// A connection between two Unix sockets.
///
/// It has the methods and futures of a [`TcpStream`](crate::net::TcpStream).
///
/// # Examples
///
/// ```
/// use volt::net::UnixStream;
///
/// volt::block_on(async {
///     let (near, far) = UnixStream::pair()?;
///     near.write_all(b"ping").await?;
///     let mut buf = [0; 4];
///     far.read_exact(&mut buf).await?;
///     assert_eq!(&buf, b"ping");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct UnixStream {
    pub(in crate::net) io: PollEvented<mio::net::UnixStream>,
}

impl UnixStream {
    pub(super) fn from_mio(driver: DriverHandle, stream: mio::net::UnixStream) -> io::Result<Self> {
        let io = PollEvented::socket(driver, stream)?;
        // A read stops at a descriptor or at credentials that the peer has passed.
        io.registration().source().expect_marks();
        Ok(Self { io })
    }

    /// Creates two connected sockets without names.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `socketpair` fails.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn pair() -> io::Result<(Self, Self)> {
        let driver = context::driver();
        let (near, far) = mio::net::UnixStream::pair()?;
        let near = Self::from_mio(driver.clone(), near)?;
        Ok((near, Self::from_mio(driver, far)?))
    }
}

impl_socket!(
    UnixStream,
    std::os::unix::net::SocketAddr,
    std::os::unix::net::UnixStream,
    mio::net::UnixStream
);
impl_peer!(UnixStream, std::os::unix::net::SocketAddr);
impl_stream!(UnixStream);

impl fmt::Debug for UnixStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnixStream")
            .field("local", &self.local_addr().ok())
            .field("peer", &self.peer_addr().ok())
            .finish_non_exhaustive()
    }
}
