//! The server: every handler is a state machine.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::Shutdown;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use examples::middleware::{Permit, Semaphore, acquire};
use volt::Current;
use volt::JoinHandle;
use volt::future::GroupHandle;
use volt::net::{TcpListener, TcpStream};
use volt::time::{Elapsed, sleep, timeout};

use crate::http::{self, BadRequest, Request};
use crate::site::{self, Site};

/// The connections of the server, each a child that returns the number of its responses.
pub(crate) type Connections = GroupHandle<Result<u64, ConnectionError>, Current>;

/// The counters of the server.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) requests: AtomicU64,
    pub(crate) bytes: AtomicU64,
}

/// The limits of the server, so that some clients cannot keep all others out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The number of connections at a time. Further clients wait in the queue of the system.
    pub(crate) connections: usize,
    /// How long a client may take to send a request, and to read on in an answer.
    pub(crate) patience: Duration,
}

/// Why a connection ended before its client was done.
#[derive(Debug)]
pub(crate) enum ConnectionError {
    /// The client talks rubbish.
    Request(BadRequest),
    /// The client left in the middle of a request.
    HungUp,
    /// The client does not read the answer.
    Stalled,
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
            Self::Stalled => f.write_str("the client stopped reading in the middle of an answer"),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

/// Accepts connections for ever, each a child of the group.
///
/// If a connection cannot be accepted, for example for want of descriptors, the others go on. The
/// server pauses for a moment and accepts the next one.
#[volt::state_machine]
pub(crate) async fn accept(
    listener: TcpListener,
    site: Arc<Site>,
    tally: Arc<Tally>,
    connections: Connections,
    limits: Limits,
) -> Infallible {
    let places: Arc<Semaphore> = Semaphore::new(limits.connections);
    loop {
        let place: Permit = acquire(Arc::clone(&places)).await;
        match listener.accept().await {
            Ok((stream, _)) => {
                // An answer is complete in itself: there is nothing to wait for. A client that
                // has left by now is found out by the handler.
                let _ = stream.set_nodelay(true);
                connections.spawn(serve(
                    stream,
                    place,
                    Arc::clone(&site),
                    Arc::clone(&tally),
                    limits.patience,
                ));
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

/// Answers requests until the client is done or too slow, and returns how many.
#[volt::state_machine]
pub(crate) async fn serve(
    stream: TcpStream,
    _place: Permit,
    site: Arc<Site>,
    tally: Arc<Tally>,
    patience: Duration,
) -> Result<u64, ConnectionError> {
    let mut input: Vec<u8> = Vec::new();
    let mut served: u64 = 0;
    loop {
        let request: Result<Result<Option<Request>, ConnectionError>, Elapsed> =
            timeout(patience, read_request(&stream, &mut input)).await;
        let request: Result<Option<Request>, ConnectionError> = match request {
            Ok(request) => request,
            Err(_) if input.is_empty() => return Ok(served),
            Err(_) => Err(ConnectionError::Request(BadRequest::Late)),
        };
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
        deliver(&stream, &answer, patience).await?;
        served += 1;
        tally.requests.fetch_add(1, Relaxed);
        if !keep_alive {
            return Ok(served);
        }
    }
}

/// Sends an answer for as long as the client takes some of it now and then.
#[volt::state_machine]
pub(crate) async fn deliver(
    stream: &TcpStream,
    answer: &[u8],
    patience: Duration,
) -> Result<(), ConnectionError> {
    let mut sent: usize = 0;
    while sent < answer.len() {
        let written: Result<io::Result<usize>, Elapsed> =
            timeout(patience, stream.write(&answer[sent..])).await;
        match written {
            Ok(count) => sent += count?,
            Err(_) => return Err(ConnectionError::Stalled),
        }
    }
    Ok(())
}

/// The time in which a client has to read that its request was rejected.
const PARTING: Duration = Duration::from_secs(1);

/// Sends the rejection of a request, and waits until the client has read it.
#[volt::state_machine]
pub(crate) async fn refuse(stream: TcpStream, bad: BadRequest) -> Result<u64, ConnectionError> {
    let answer: Vec<u8> = http::response(bad.status(), Vec::new(), false, false);
    deliver(&stream, &answer, PARTING).await?;
    stream.shutdown(Shutdown::Write)?;
    let _heard: Result<io::Result<()>, Elapsed> = timeout::<drain>(PARTING, drain(stream)).await;
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
            return if input.is_empty() {
                Ok(None)
            } else {
                Err(ConnectionError::HungUp)
            };
        }
        input.extend_from_slice(&chunk[..count]);
    }
}

/// Reads the requested file on a blocking thread. Returns a status and a body.
#[volt::state_machine]
pub(crate) async fn load(site: &Site, request: Request) -> (&'static str, Vec<u8>) {
    let Some(entry) = site.entry(&request.path) else {
        return ("404 Not Found", request.path.into_bytes());
    };
    if let Some(status) = entry.kind.refusal() {
        return (status, request.path.into_bytes());
    }
    let file: PathBuf = entry.file.clone();
    let reading: JoinHandle<io::Result<Vec<u8>>> = volt::spawn_blocking(move || site::read(&file));
    match reading.await {
        Ok(Ok(body)) => ("200 OK", body),
        Ok(Err(error)) => ("500 Internal Server Error", error.to_string().into_bytes()),
        Err(error) => ("503 Service Unavailable", error.to_string().into_bytes()),
    }
}
