//! The load on a server: one thread, one message on its way in each connection.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

/// The connections of a client to one server.
pub(crate) struct Client {
    poll: Poll,
    events: Events,
    connections: Vec<Connection>,
}

struct Connection {
    stream: TcpStream,
    message: Vec<u8>,
    /// The length of each answer.
    answer: usize,
    written: usize,
    read: usize,
}

impl Client {
    pub(crate) fn connect(
        server: SocketAddr,
        connections: usize,
        message: &[u8],
        answer: usize,
    ) -> io::Result<Self> {
        let poll = Poll::new()?;
        let interest = Interest::READABLE | Interest::WRITABLE;
        let connect = |n| {
            let stream = std::net::TcpStream::connect(server)?;
            stream.set_nodelay(true)?;
            stream.set_nonblocking(true)?;
            let mut stream = TcpStream::from_std(stream);
            poll.registry().register(&mut stream, Token(n), interest)?;
            Ok(Connection {
                stream,
                message: message.to_vec(),
                answer,
                written: 0,
                read: 0,
            })
        };
        let connections = (0..connections).map(connect).collect::<io::Result<_>>()?;
        Ok(Self {
            poll,
            events: Events::with_capacity(1024),
            connections,
        })
    }

    /// Sends messages and receives their answers for this long; returns the number of round trips.
    pub(crate) fn run(&mut self, time: Duration) -> io::Result<u64> {
        let end = Instant::now() + time;
        let mut trips = 0;
        for connection in &mut self.connections {
            trips += connection.progress(false)?;
        }
        loop {
            let stop = Instant::now() >= end;
            if stop && self.connections.iter().all(Connection::is_idle) {
                return Ok(trips);
            }
            self.poll
                .poll(&mut self.events, Some(Duration::from_secs(5)))?;
            if self.events.is_empty() {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "the server does not answer",
                ));
            }
            for event in &self.events {
                trips += self.connections[event.token().0].progress(stop)?;
            }
        }
    }
}

impl Connection {
    fn is_idle(&self) -> bool {
        self.written == 0
    }

    /// Reads and writes until the socket would block; returns the number of answers that arrived.
    fn progress(&mut self, stop: bool) -> io::Result<u64> {
        let mut trips = 0;
        loop {
            if self.is_idle() && stop {
                return Ok(trips);
            }
            if !self.write()? {
                return Ok(trips);
            }
            if !self.read()? {
                return Ok(trips);
            }
            trips += 1;
        }
    }

    /// Returns `true` if the whole message was written.
    fn write(&mut self) -> io::Result<bool> {
        while self.written < self.message.len() {
            match self.stream.write(&self.message[self.written..]) {
                Ok(count) => self.written += count,
                // A server may send its echo in parts, and fills the buffers of both sides.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Returns `true` if the whole answer arrived.
    fn read(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 1 << 16];
        while self.read < self.answer {
            let wanted = (self.answer - self.read).min(buffer.len());
            match self.stream.read(&mut buffer[..wanted]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.read += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        (self.written, self.read) = (0, 0);
        Ok(true)
    }
}

/// Sends a message, and returns the length of its answer, which ends with `end`.
pub(crate) fn length_of_answer(
    server: SocketAddr,
    message: &[u8],
    end: &[u8],
) -> io::Result<usize> {
    let mut stream = std::net::TcpStream::connect(server)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(message)?;
    let mut answer = Vec::new();
    while !answer.ends_with(end) {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        answer.extend(byte);
    }
    Ok(answer.len())
}
