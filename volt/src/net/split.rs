//! The two halves of a stream, borrowed.

use super::stream::TcpStream;

impl TcpStream {
    /// Lends the stream as two halves, one to read and one to write.
    ///
    /// Whoever needs both at once in one task passes them on separately; whoever needs them in
    /// two tasks puts the stream in an `Arc`, since `&TcpStream` reads and writes too.
    pub fn split(&mut self) -> (ReadHalf<'_>, WriteHalf<'_>) {
        (ReadHalf { stream: self }, WriteHalf { stream: self })
    }
}

/// The half of a [`TcpStream`] that is read.
#[derive(Debug)]
pub struct ReadHalf<'a> {
    pub(super) stream: &'a TcpStream,
}

/// The half of a [`TcpStream`] that is written.
#[derive(Debug)]
pub struct WriteHalf<'a> {
    pub(super) stream: &'a TcpStream,
}

impl AsRef<TcpStream> for ReadHalf<'_> {
    fn as_ref(&self) -> &TcpStream {
        self.stream
    }
}

impl AsRef<TcpStream> for WriteHalf<'_> {
    fn as_ref(&self) -> &TcpStream {
        self.stream
    }
}
