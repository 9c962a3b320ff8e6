//! One page: requested, and requested again if the error may be temporary.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use volt::future::{FutureExt, compose};
use volt::net::{TcpStream, connect};
use volt::time::{sleep, timeout};

const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const PATIENCE: Duration = Duration::from_secs(5);

/// A page, and where it leads.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) bytes: usize,
    pub(crate) links: Vec<String>,
}

/// Why there is no page.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It may be there later.
    Passing(String),
    /// It will not.
    Fatal(String),
}

static OPEN: AtomicUsize = AtomicUsize::new(0);

/// How many connections to the site are open.
pub(crate) fn open_connections() -> usize {
    OPEN.load(Ordering::Relaxed)
}

/// A connection that counts as open.
struct Connection(TcpStream);

impl Connection {
    fn new(stream: TcpStream) -> Self {
        OPEN.fetch_add(1, Ordering::Relaxed);
        Self(stream)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Fetches a page, with pauses that double between the attempts.
pub(crate) async fn fetch(server: SocketAddr, path: String) -> Result<Page, Failure> {
    let mut pause = FIRST_PAUSE;
    for _ in 1..ATTEMPTS {
        match attempt(server, &path).await {
            Err(Failure::Passing(_)) => sleep(pause).await,
            end => return end,
        }
        pause *= 2;
    }
    attempt(server, &path).await
}

async fn attempt(server: SocketAddr, path: &str) -> Result<Page, Failure> {
    let answer = compose(connect(server))
        .and_then(|stream| exchange(Connection::new(stream), path))
        .map_err(|error| Failure::Passing(error.to_string()));
    let late = |_| Failure::Passing("no answer in time".to_owned());
    let answer = timeout(PATIENCE, answer).map_err(late).await??;
    read_page(&answer)
}

/// Sends a request and reads all that comes back.
async fn exchange(connection: Connection, path: &str) -> io::Result<String> {
    let Connection(stream) = &connection;
    let request = format!("GET {path} HTTP/1.0\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut part = [0; 1024];
    loop {
        match stream.read(&mut part).await? {
            0 => break,
            read => answer.extend_from_slice(&part[..read]),
        }
    }
    String::from_utf8(answer).map_err(|_| io::ErrorKind::InvalidData.into())
}

fn read_page(answer: &str) -> Result<Page, Failure> {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        return Err(Failure::Passing("the answer was cut off".to_owned()));
    };
    match head.split(' ').nth(1) {
        Some("200") => {
            let links = body.lines().filter_map(|line| line.strip_prefix("link "));
            Ok(Page {
                bytes: body.len(),
                links: links.map(str::to_owned).collect(),
            })
        }
        Some(code) if code.starts_with('5') => Err(Failure::Passing(head.to_owned())),
        _ => Err(Failure::Fatal(head.to_owned())),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passing(why) => write!(f, "{why}, {ATTEMPTS} times"),
            Self::Fatal(why) => f.write_str(why),
        }
    }
}
