//! Descriptors of any kind that the runtime's driver watches.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::task::{Context, Poll};

use mio::event::Source;
use mio::unix::SourceFd;
use mio::{Registry, Token};

use super::interest::{Interest, ReadyFor};
use super::poll_evented::PollEvented;
use super::readable::{HasRegistration, Readable, Writable};
use crate::driver::{Direction, Registration};
use crate::runtime::context;

/// A descriptor of any kind that tasks can wait for.
///
/// The descriptor must be **non-blocking**: `socket2::SockRef::from(&descriptor)` can set this for
/// every kind. It must be of a kind for which the system reports readiness, and regular files are
/// not. The driver watches it until this value is dropped or [taken apart](Self::into_inner).
///
/// # Readiness
///
/// The system reports a change once. So the descriptor counts as ready from a report until an
/// operation returns [`WouldBlock`](io::ErrorKind::WouldBlock). The `_io` methods take the
/// operation as a closure to see this result. A closure that returns `WouldBlock` without a system
/// call makes the next caller wait for a report that may not come.
///
/// # Examples
///
/// A pipe:
///
/// ```
/// use std::io::{PipeReader, Read, Write};
/// use volt::io::Registered;
///
/// /// Reads available bytes, or waits for them.
/// async fn read(pipe: &Registered<PipeReader>, buf: &mut [u8]) -> std::io::Result<usize> {
///     std::future::poll_fn(|cx| pipe.poll_read_io(cx, |mut pipe| pipe.read(buf))).await
/// }
///
/// # fn set_nonblocking(fd: impl std::os::fd::AsFd) {
/// #     socket2::SockRef::from(&fd).set_nonblocking(true).unwrap();
/// # }
/// let (reader, mut writer) = std::io::pipe()?;
/// set_nonblocking(&reader);
/// volt::block_on(async {
///     let reader = Registered::new(reader)?;
///     volt::spawn_blocking(move || writer.write_all(b"hello")).detach();
///     let mut buf = [0; 16];
///     assert_eq!(read(&reader, &mut buf).await?, 5);
///     assert_eq!(read(&reader, &mut buf).await?, 0);
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Registered<T: AsFd> {
    io: PollEvented<Descriptor<T>>,
}

impl<T: AsFd> Registered<T> {
    /// Registers the descriptor with the driver of the current runtime.
    ///
    /// # Errors
    ///
    /// Returns an error if the system cannot watch the descriptor, or already watches it.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn new(descriptor: T) -> io::Result<Self> {
        let io = PollEvented::new(context::driver(), Descriptor(descriptor))?;
        Ok(Self { io })
    }

    /// Returns a reference to the descriptor.
    pub fn get_ref(&self) -> &T {
        &self.io.get().0
    }

    /// Deregisters the descriptor and returns it.
    pub fn into_inner(self) -> T {
        self.io.into_inner().0
    }

    /// Waits until reading may succeed. Only an operation shows whether it does. The waker of the
    /// last caller is stored.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io.poll_ready(cx, Direction::Read)
    }

    /// Waits until writing may succeed. Only an operation shows whether it does. The waker of the
    /// last caller is stored.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io.poll_ready(cx, Direction::Write)
    }

    /// Waits until reading may succeed. Any number of tasks can wait at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Waits until writing may succeed. Any number of tasks can wait at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn writable(&self) -> Writable<'_> {
        Writable::new(self)
    }

    /// Calls an operation that reads as soon as the descriptor may be ready. The operation is
    /// called again if it was interrupted. The waker of the last caller is stored.
    ///
    /// # Errors
    ///
    /// Returns the errors of the operation, and an error if the runtime has shut down.
    pub fn poll_read_io<R>(
        &self,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        self.io
            .poll_io(cx, Direction::Read, |descriptor| operation(&descriptor.0))
    }

    /// Calls an operation that writes as soon as the descriptor may be ready. The operation is
    /// called again if it was interrupted. The waker of the last caller is stored.
    ///
    /// # Errors
    ///
    /// Returns the errors of the operation, and an error if the runtime has shut down.
    pub fn poll_write_io<R>(
        &self,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        self.io
            .poll_io(cx, Direction::Write, |descriptor| operation(&descriptor.0))
    }

    /// Waits for one of several states. Only an operation shows whether it succeeds.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
        ReadyFor::new(self, interest)
    }

    /// Calls an operation if the descriptor may be in one of the states. If it returns
    /// [`WouldBlock`](io::ErrorKind::WouldBlock), these states are cleared until the next report.
    ///
    /// # Errors
    ///
    /// Returns the errors of the operation, and `WouldBlock` if the descriptor is not ready.
    pub fn try_io<R>(
        &self,
        interest: Interest,
        operation: impl FnOnce(&T) -> io::Result<R>,
    ) -> io::Result<R> {
        self.io
            .try_io_interest(interest, || operation(self.get_ref()))
    }

    /// Calls an operation that reads, if the descriptor may be ready now.
    ///
    /// # Errors
    ///
    /// Returns the errors of the operation, and [`WouldBlock`](io::ErrorKind::WouldBlock) if the
    /// descriptor is not ready.
    pub fn try_read_io<R>(&self, operation: impl FnOnce(&T) -> io::Result<R>) -> io::Result<R> {
        self.io
            .try_io(Direction::Read, |descriptor| operation(&descriptor.0))
    }

    /// Calls an operation that writes, if the descriptor may be ready now.
    ///
    /// # Errors
    ///
    /// Returns the errors of the operation, and [`WouldBlock`](io::ErrorKind::WouldBlock) if the
    /// descriptor is not ready.
    pub fn try_write_io<R>(&self, operation: impl FnOnce(&T) -> io::Result<R>) -> io::Result<R> {
        self.io
            .try_io(Direction::Write, |descriptor| operation(&descriptor.0))
    }
}

/// A descriptor as an event source of mio.
#[derive(Debug)]
struct Descriptor<T>(T);

impl<T: AsFd> Source for Descriptor<T> {
    fn register(
        &mut self,
        registry: &Registry,
        token: Token,
        interests: mio::Interest,
    ) -> io::Result<()> {
        SourceFd(&self.0.as_fd().as_raw_fd()).register(registry, token, interests)
    }

    fn reregister(
        &mut self,
        registry: &Registry,
        token: Token,
        interests: mio::Interest,
    ) -> io::Result<()> {
        SourceFd(&self.0.as_fd().as_raw_fd()).reregister(registry, token, interests)
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        SourceFd(&self.0.as_fd().as_raw_fd()).deregister(registry)
    }
}

impl<T: AsFd> AsRef<T> for Registered<T> {
    fn as_ref(&self) -> &T {
        self.get_ref()
    }
}

impl<T: AsFd> AsFd for Registered<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.get_ref().as_fd()
    }
}

impl<T: AsFd> AsRawFd for Registered<T> {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

#[expect(private_interfaces, reason = "the trait has them too")]
impl<T: AsFd> HasRegistration for Registered<T> {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}

impl<T: AsFd + fmt::Debug> fmt::Debug for Registered<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registered").field(self.get_ref()).finish()
    }
}

#[cfg(all(test, not(loom)))]
#[path = "registered_tests.rs"]
mod tests;
