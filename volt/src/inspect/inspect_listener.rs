//! `InspectListener` and `InspectStream`: sockets of the server, TCP or Unix.

use std::io::{self, Read, Write};
use std::net::Shutdown;
#[cfg(unix)]
use std::os::{fd::OwnedFd, unix::net::UnixStream};

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

    /// Refuses connections from now on, also while a process that was forked and has not called
    /// `exec` yet has a copy of the descriptor. A drop alone leaves such a copy in the state of
    /// listening.
    pub(super) fn close(self) {
        // An error means that this system cannot shut a listener down, as on macOS.
        #[cfg(unix)]
        match self {
            Self::Tcp(listener) => {
                let socket = std::net::TcpStream::from(OwnedFd::from(listener));
                let _ = socket.shutdown(Shutdown::Both);
            }
            Self::Unix(listener, _file) => {
                let socket = UnixStream::from(OwnedFd::from(listener));
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
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

#[cfg(all(test, target_os = "linux", not(any(miri, loom))))]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    /// A process between `fork` and `exec` has a copy of each descriptor.
    #[test]
    fn closed_listener_refuses_although_copied() {
        let address = ([127, 0, 0, 1], 0).into();
        let listener = InspectListener::bind(BindTarget::Tcp(address)).unwrap();
        let InspectListener::Tcp(socket) = &listener else {
            unreachable!("the target is a TCP address");
        };
        let copy = socket.as_fd().try_clone_to_owned().unwrap();
        let address = socket.local_addr().unwrap();
        listener.close();
        let error = std::net::TcpStream::connect(address).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        InspectListener::bind(BindTarget::Tcp(address)).unwrap();
        drop(copy);
    }
}
