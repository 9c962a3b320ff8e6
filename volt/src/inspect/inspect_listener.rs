//! `InspectListener` and `InspectStream`: sockets of the server, TCP or Unix.

use std::io::{self, Read, Write};
use std::net::Shutdown;

use mio::event::Source;
use mio::{Interest, Registry, Token};

use super::inspect_address::{BindTarget, InspectEndpoint};
#[cfg(unix)]
use super::socket_file::SocketFile;

/// A socket that accepts connections without waiting.
#[derive(Debug)]
pub(super) enum InspectListener {
    Tcp(mio::net::TcpListener),
    #[cfg(unix)]
    Unix(mio::net::UnixListener, SocketFile),
}

/// A connection, whose operations do not wait.
#[derive(Debug)]
pub(super) enum InspectStream {
    Tcp(mio::net::TcpStream),
    #[cfg(unix)]
    Unix(mio::net::UnixStream),
}

impl InspectListener {
    pub(super) fn bind(target: BindTarget) -> io::Result<Self> {
        match target {
            BindTarget::Tcp(address) => Ok(Self::Tcp(mio::net::TcpListener::bind(address)?)),
            #[cfg(unix)]
            BindTarget::Unix(path) => {
                let (file, socket) = SocketFile::bind(path)?;
                socket.set_nonblocking(true)?;
                let listener = mio::net::UnixListener::from_std(socket.into());
                Ok(Self::Unix(listener, file))
            }
        }
    }

    pub(super) fn endpoint(&self) -> io::Result<InspectEndpoint> {
        match self {
            Self::Tcp(listener) => listener.local_addr().map(InspectEndpoint::Tcp),
            #[cfg(unix)]
            Self::Unix(_, file) => Ok(InspectEndpoint::Unix(file.path().to_owned())),
        }
    }

    /// Accepts a connection. Returns a [`WouldBlock`](io::ErrorKind::WouldBlock) error if none has
    /// arrived.
    pub(super) fn accept(&self) -> io::Result<InspectStream> {
        match self {
            Self::Tcp(listener) => Ok(InspectStream::Tcp(listener.accept()?.0)),
            #[cfg(unix)]
            Self::Unix(listener, _) => Ok(InspectStream::Unix(listener.accept()?.0)),
        }
    }

    fn source(&mut self) -> &mut dyn Source {
        match self {
            Self::Tcp(listener) => listener,
            #[cfg(unix)]
            Self::Unix(listener, _) => listener,
        }
    }

    pub(super) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        self.source().register(registry, token, Interest::READABLE)
    }
}

impl InspectStream {
    fn source(&mut self) -> &mut dyn Source {
        match self {
            Self::Tcp(stream) => stream,
            #[cfg(unix)]
            Self::Unix(stream) => stream,
        }
    }

    pub(super) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.source().register(registry, token, interest)
    }
}

/// A stream whose two directions close separately.
pub(super) trait CloseWrite {
    /// Ends the stream for the peer, which can still send.
    fn close_write(&self) -> io::Result<()>;
}

impl CloseWrite for InspectStream {
    fn close_write(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Write),
            #[cfg(unix)]
            Self::Unix(stream) => stream.shutdown(Shutdown::Write),
        }
    }
}

impl Read for InspectStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            #[cfg(unix)]
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for InspectStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            #[cfg(unix)]
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
