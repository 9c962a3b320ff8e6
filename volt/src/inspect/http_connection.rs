//! `HttpConnection`: one request and its response, over a stream that does not wait.
//!
//! ```text
//!   Reading ──head complete──► Writing ──all written──► Draining ──peer closes──► ended
//!      │ 2 s        │             ▲ │ 10 s                  │ 1 s
//!      │            ▼             │ │                       │
//!      │         Waiting ─response┘ │                       │
//!      │            │ 60 s          │                       │
//!      └────────────┴───────────────┴───────────────────────┴────► ended
//! ```
//!
//! It waits only for a response of another thread.
//!
//! A close while unread bytes are queued would reset the connection, and the peer could lose the
//! end of its response. So the connection is drained before its end.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use super::http_request::{BadRequest, HttpRequest, MAX_HEAD};
use super::inspect_listener::CloseWrite;

/// The maximum time from the connection to the end of its request.
const READ_LIMIT: Duration = Duration::from_secs(2);
/// The maximum time for a response of another thread.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);
/// The maximum time for the response.
const WRITE_LIMIT: Duration = Duration::from_secs(10);
/// The maximum time from the end of the response to the close of the peer.
const DRAIN_LIMIT: Duration = Duration::from_secs(1);

/// A connection with its state and its deadline.
#[derive(Debug)]
pub(super) struct HttpConnection<S> {
    stream: S,
    phase: ConnectionPhase,
    /// The time at which the server closes the connection.
    deadline: Instant,
}

#[derive(Debug)]
enum ConnectionPhase {
    /// Contains the bytes that have arrived.
    Reading(Vec<u8>),
    Waiting,
    /// Contains the response, and the number of bytes that are written.
    Writing(Vec<u8>, usize),
    Draining,
    Ended,
}

impl<S: Read + Write + CloseWrite> HttpConnection<S> {
    pub(super) fn new(stream: S, now: Instant) -> Self {
        Self {
            stream,
            phase: ConnectionPhase::Reading(Vec::new()),
            deadline: now + READ_LIMIT,
        }
    }

    pub(super) fn deadline(&self) -> Instant {
        self.deadline
    }

    pub(super) fn is_reading(&self) -> bool {
        matches!(self.phase, ConnectionPhase::Reading(_))
    }

    /// Returns `true` if the connection can be dropped.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        matches!(self.phase, ConnectionPhase::Ended) || now >= self.deadline
    }

    /// Sets the response for which the connection waits. The caller then advances it.
    pub(super) fn respond(&mut self, response: Vec<u8>) {
        if matches!(self.phase, ConnectionPhase::Waiting) {
            self.phase = ConnectionPhase::Writing(response, 0);
            self.deadline = Instant::now() + WRITE_LIMIT;
        }
    }

    /// Reads and writes as far as the stream permits without waiting. Calls `respond` once the
    /// head of the request is complete or invalid. If that returns `None`, the connection waits for
    /// [`respond`](Self::respond).
    pub(super) fn advance(
        &mut self,
        respond: &mut dyn FnMut(Result<HttpRequest, BadRequest>) -> Option<Vec<u8>>,
    ) {
        loop {
            let step = match &mut self.phase {
                ConnectionPhase::Reading(bytes) => match read_head(&mut self.stream, bytes) {
                    Ok(request) => {
                        let response = respond(request);
                        // The time in `respond` is not the client's.
                        let now = Instant::now();
                        let (phase, limit) = match response {
                            Some(response) => (ConnectionPhase::Writing(response, 0), WRITE_LIMIT),
                            None => (ConnectionPhase::Waiting, ANSWER_LIMIT),
                        };
                        self.deadline = now + limit;
                        Ok(phase)
                    }
                    Err(error) => Err(error),
                },
                ConnectionPhase::Waiting => return,
                ConnectionPhase::Writing(response, written) => {
                    write_rest(&mut self.stream, response, written).map(|()| {
                        self.deadline = Instant::now() + DRAIN_LIMIT;
                        ConnectionPhase::Draining
                    })
                }
                ConnectionPhase::Draining => {
                    drain(&mut self.stream).map(|()| ConnectionPhase::Ended)
                }
                ConnectionPhase::Ended => return,
            };
            match step {
                Ok(next) => self.phase = next,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.phase = ConnectionPhase::Ended,
            }
        }
    }
}

/// Reads until the head is complete or invalid.
fn read_head(
    stream: &mut impl Read,
    bytes: &mut Vec<u8>,
) -> io::Result<Result<HttpRequest, BadRequest>> {
    let mut buffer = [0; 1024];
    loop {
        if let Some(parsed) = HttpRequest::parse(bytes) {
            return Ok(parsed);
        }
        let room = buffer.len().min(MAX_HEAD - bytes.len());
        match retry(|| stream.read(&mut buffer[..room]))? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

fn write_rest(
    stream: &mut (impl Write + CloseWrite),
    response: &[u8],
    written: &mut usize,
) -> io::Result<()> {
    while *written < response.len() {
        match retry(|| stream.write(&response[*written..]))? {
            0 => return Err(ErrorKind::WriteZero.into()),
            count => *written += count,
        }
    }
    stream.close_write()
}

/// The maximum number of bytes that a connection discards each time it is ready. The peer cannot
/// keep the server busy.
const MAX_DISCARDED: usize = 64 * 1024;

fn drain(stream: &mut impl Read) -> io::Result<()> {
    let mut buffer = [0; 1024];
    for _ in 0..MAX_DISCARDED / buffer.len() {
        if retry(|| stream.read(&mut buffer))? == 0 {
            break;
        }
    }
    Ok(())
}

fn retry(mut operation: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match operation() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BadRequest, HttpConnection, HttpRequest, MAX_HEAD, READ_LIMIT, WRITE_LIMIT};
    use crate::inspect::inspect_listener::CloseWrite;
    use std::collections::VecDeque;
    use std::io::{self, ErrorKind, Read, Write};
    use std::time::Instant;

    /// A stream that reads one part at a time, and accepts at most `room` bytes a write.
    #[derive(Default)]
    struct ScriptedStream {
        parts: VecDeque<Vec<u8>>,
        room: usize,
        written: Vec<u8>,
    }

    impl Read for ScriptedStream {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(mut part) = self.parts.pop_front() else {
                return Err(ErrorKind::WouldBlock.into());
            };
            let count = part.len().min(buffer.len());
            buffer[..count].copy_from_slice(&part[..count]);
            if count < part.len() {
                self.parts.push_front(part.split_off(count));
            }
            Ok(count)
        }
    }

    impl Write for ScriptedStream {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.room);
            self.room -= count;
            self.written.extend_from_slice(&bytes[..count]);
            match count {
                0 => Err(ErrorKind::WouldBlock.into()),
                _ => Ok(count),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl CloseWrite for ScriptedStream {
        fn close_write(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn connection(parts: &[&str], room: usize) -> HttpConnection<ScriptedStream> {
        let parts = parts.iter().map(|part| part.as_bytes().to_vec());
        let stream = ScriptedStream {
            parts: parts.collect(),
            room,
            written: Vec::new(),
        };
        HttpConnection::new(stream, Instant::now())
    }

    #[test]
    fn request_in_parts_is_answered_once() {
        let mut connection = connection(&["GET / HT", "TP/1.1\r\n", "\r\n"], 3);
        let mut requests = Vec::new();
        connection.advance(&mut |request| {
            requests.push(request.map(|request| request.path));
            Some(b"response".to_vec())
        });
        assert_eq!(requests, [Ok("/".to_owned())]);
        assert_eq!(connection.stream.written, b"res");
        connection.stream.room = 100;
        connection.advance(&mut |_| panic!("the request is answered"));
        assert_eq!(connection.stream.written, b"response");
        connection.stream.parts.push_back(Vec::new());
        connection.advance(&mut |_| panic!("the request is answered"));
        assert!(connection.is_over(Instant::now()));
    }

    #[test]
    fn large_request_is_refused() {
        let mut connection = connection(&["GET /", &"a".repeat(2 * MAX_HEAD)], 0);
        let mut refusal = None;
        connection.advance(&mut |request| {
            refusal = request.err();
            Some(Vec::new())
        });
        assert_eq!(refusal, Some(BadRequest::TooLarge));
        let unread = &connection.stream.parts;
        assert!(unread.is_empty(), "the rest is drained");
    }

    #[test]
    fn closed_connection_ends_without_answer() {
        let mut connection = connection(&["GET /", ""], 0);
        connection.advance(&mut |_: Result<HttpRequest, _>| panic!("there is no request"));
        assert!(connection.is_over(Instant::now()));
    }

    #[test]
    fn silent_client_is_disconnected() {
        let before = Instant::now();
        let mut connection = connection(&["GET /"], 0);
        connection.advance(&mut |_| panic!("there is no request"));
        assert!(!connection.is_over(before + READ_LIMIT / 2));
        assert!(connection.is_over(Instant::now() + READ_LIMIT));
    }

    #[test]
    fn connection_waits_for_a_late_response() {
        let mut connection = connection(&["GET / HTTP/1.1\r\n\r\n"], 100);
        connection.respond(b"early".to_vec());
        connection.advance(&mut |_| None);
        let other = &mut |_: Result<HttpRequest, _>| panic!("the request is answered");
        connection.advance(other);
        assert_eq!(connection.stream.written, b"");
        assert!(!connection.is_over(Instant::now() + WRITE_LIMIT));
        connection.respond(b"response".to_vec());
        connection.respond(b"second".to_vec());
        connection.advance(other);
        assert_eq!(connection.stream.written, b"response");
        assert!(connection.is_over(Instant::now() + WRITE_LIMIT));
    }

    #[test]
    fn stalled_client_is_disconnected() {
        let before = Instant::now();
        let mut connection = connection(&["GET / HTTP/1.1\r\n\r\n"], 0);
        connection.advance(&mut |_| Some(b"response".to_vec()));
        assert!(!connection.is_over(before + WRITE_LIMIT / 2));
        assert!(connection.is_over(Instant::now() + WRITE_LIMIT));
    }
}
