//! The server: every handler is a state machine.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::Shutdown;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use volt::Current;
use volt::JoinHandle;
use volt::future::GroupHandle;
use volt::net::{TcpListener, TcpStream};
use volt::time::{Elapsed, sleep, timeout};

use crate::http::{self, BadRequest, Request};
use crate::site::Site;

/// The connections of the server, each a child that returns the number of its responses.
pub(crate) type Connections = GroupHandle<Result<u64, ConnectionError>, Current>;

/// What the server has done so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) requests: AtomicU64,
    pub(crate) bytes: AtomicU64,
}

/// Why a connection ended before its client was done.
#[derive(Debug)]
pub(crate) enum ConnectionError {
    /// The client talks rubbish.
    Request(BadRequest),
    /// The client left in the middle of a request.
    HungUp,
    /// The socket failed.
    Io(io::Error),
}

impl From<io::Error> for ConnectionError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => write!(f, "bad request, answered with {error}"),
            Self::HungUp => f.write_str("the client hung up in the middle of a request"),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

/// Accepts connections for ever, each a child of the group.
///
/// A connection that can't be accepted, for want of descriptors say, harms no other: there is a
/// short pause, then the next one is tried.
#[volt::state_machine]
pub(crate) async fn accept(
    listener: TcpListener,
    site: Arc<Site>,
    tally: Arc<Tally>,
    connections: Connections,
) -> Infallible {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // An answer is complete in itself: there is nothing to wait for. A client that
                // has left by now is found out by the handler.
                let _ = stream.set_nodelay(true);
                connections.spawn(serve(stream, Arc::clone(&site), Arc::clone(&tally)));
            }
            Err(error) => {
                complain(error);
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

fn complain(error: io::Error) {
    eprintln!("serve: cannot accept a connection: {error}");
}

/// Answers requests until the client is done, and returns how many.
#[volt::state_machine]
pub(crate) async fn serve(
    stream: TcpStream,
    site: Arc<Site>,
    tally: Arc<Tally>,
) -> Result<u64, ConnectionError> {
    let mut input: Vec<u8> = Vec::new();
    let mut served: u64 = 0;
    loop {
        let request: Result<Option<Request>, ConnectionError> =
            read_request(&stream, &mut input).await;
        let request: Request = match request {
            Ok(Some(request)) => request,
            Ok(None) => return Ok(served),
            Err(ConnectionError::Request(bad)) => {
                let bad: BadRequest = bad;
                return refuse(stream, bad).await;
            }
            Err(error) => return Err(error),
        };
        let (keep_alive, head_only): (bool, bool) = (request.keep_alive, request.head_only);
        let (status, body): (&'static str, Vec<u8>) = load(&site, request).await;
        if !head_only {
            tally.bytes.fetch_add(body.len() as u64, Relaxed);
        }
        // Head and body in one piece, so that the system sends them in one.
        let answer: Vec<u8> = http::response(status, body, head_only, keep_alive);
        stream.write_all(&answer).await?;
        served += 1;
        tally.requests.fetch_add(1, Relaxed);
        if !keep_alive {
            return Ok(served);
        }
    }
}

/// Tells a client that its request is none, and lets it hear that.
#[volt::state_machine]
pub(crate) async fn refuse(stream: TcpStream, bad: BadRequest) -> Result<u64, ConnectionError> {
    let answer: Vec<u8> = http::response(bad.status(), Vec::new(), false, false);
    stream.write_all(&answer).await?;
    stream.shutdown(Shutdown::Write)?;
    let _heard: Result<io::Result<()>, Elapsed> =
        timeout::<drain>(Duration::from_secs(1), drain(stream)).await;
    Err(ConnectionError::Request(bad))
}

/// Reads what the client goes on to send until it closes. A socket that is closed with something
/// unread resets the connection, which would take the answer away from the client.
#[volt::state_machine]
pub(crate) async fn drain(stream: TcpStream) -> io::Result<()> {
    loop {
        let mut chunk: [u8; 1024] = [0; 1024];
        let count = stream.read(&mut chunk).await?;
        if count == 0 {
            return Ok(());
        }
    }
}

/// Reads from `stream` until `input` holds the head of a request, and takes it out; `None` at
/// the end of the stream.
#[volt::state_machine]
pub(crate) async fn read_request(
    stream: &TcpStream,
    input: &mut Vec<u8>,
) -> Result<Option<Request>, ConnectionError> {
    loop {
        if let Some((request, length)) =
            http::parse_request(input).map_err(ConnectionError::Request)?
        {
            input.drain(..length);
            return Ok(Some(request));
        }
        let mut chunk: [u8; 1024] = [0; 1024];
        let count = stream.read(&mut chunk).await?;
        if count == 0 {
            return match input.is_empty() {
                true => Ok(None),
                false => Err(ConnectionError::HungUp),
            };
        }
        input.extend_from_slice(&chunk[..count]);
    }
}

/// Reads the file that was asked for, where reading may block; a status and a body.
#[volt::state_machine]
pub(crate) async fn load(site: &Site, request: Request) -> (&'static str, Vec<u8>) {
    let Some(entry) = site.entry(&request.path) else {
        return ("404 Not Found", request.path.into_bytes());
    };
    if let Some(status) = entry.kind.refusal() {
        return (status, request.path.into_bytes());
    }
    let path: PathBuf = entry.path.clone();
    let reading: JoinHandle<io::Result<Vec<u8>>> =
        volt::spawn_blocking(move || std::fs::read(path));
    match reading.await {
        Ok(Ok(body)) => ("200 OK", body),
        Ok(Err(error)) => ("500 Internal Server Error", error.to_string().into_bytes()),
        Err(error) => ("503 Service Unavailable", error.to_string().into_bytes()),
    }
}
