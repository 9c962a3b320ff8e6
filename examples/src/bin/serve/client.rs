//! The clients: they request every page in turn, and compare every byte.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use volt::net::{TcpStream, connect};
use volt::time::{Elapsed, timeout};

use crate::http;

/// A page as it must arrive.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) address: String,
    pub(crate) body: Vec<u8>,
}

/// The plan of a client.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) server: SocketAddr,
    pub(crate) pages: Arc<[Page]>,
    pub(crate) first: usize,
    pub(crate) requests: usize,
    pub(crate) deadline: Duration,
}

/// The counts of a client.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) responses: u64,
    pub(crate) bytes: u64,
}

/// Why a visit failed.
#[derive(Debug)]
pub(crate) enum VisitError {
    Io(io::Error),
    /// No answer in time.
    Late(String, Duration),
    /// The answer is not one.
    Malformed,
    Status(String, u16),
    /// The first byte that differs.
    Differs(String, usize),
}

impl From<io::Error> for VisitError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for VisitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Late(page, limit) => write!(f, "{page}: no answer within {limit:?}"),
            Self::Malformed => f.write_str("the answer is not HTTP"),
            Self::Status(page, status) => write!(f, "{page}: status {status}"),
            Self::Differs(page, at) => write!(f, "{page}: byte {at} is not as in the file"),
        }
    }
}

/// Requests `plan.requests` pages over one connection.
#[volt::state_machine]
pub(crate) async fn browse(plan: Plan) -> Result<Visit, VisitError> {
    let mut stream: TcpStream = connect(plan.server).await?;
    let mut visit: Visit = Visit::default();
    let mut next: usize = 0;
    while next < plan.requests {
        let index: usize = (plan.first + next) % plan.pages.len();
        let asked: Result<Result<TcpStream, VisitError>, Elapsed> =
            timeout::<fetch>(plan.deadline, fetch(stream, Arc::clone(&plan.pages), index)).await;
        let page: &Page = &plan.pages[index];
        stream = match asked {
            Ok(done) => done?,
            Err(_) => return Err(VisitError::Late(page.address.clone(), plan.deadline)),
        };
        visit.responses += 1;
        visit.bytes += page.body.len() as u64;
        next += 1;
    }
    Ok(visit)
}

/// Requests one page, compares it, and returns the connection for the next.
#[volt::state_machine]
pub(crate) async fn fetch(
    stream: TcpStream,
    pages: Arc<[Page]>,
    index: usize,
) -> Result<TcpStream, VisitError> {
    let request: Vec<u8> = request(&pages[index].address);
    stream.write_all(&request).await?;
    let mut answer: Vec<u8> = Vec::new();
    loop {
        let mut chunk: [u8; 16384] = [0; 16384];
        let count = stream.read(&mut chunk).await?;
        if count == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        answer.extend_from_slice(&chunk[..count]);
        if is_complete(&answer, &pages[index])? {
            return Ok(stream);
        }
    }
}

fn request(address: &str) -> Vec<u8> {
    format!("GET {address} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
}

/// Returns `true` if the whole answer has arrived, or an error if it differs from the page.
fn is_complete(answer: &[u8], page: &Page) -> Result<bool, VisitError> {
    let parsed = http::parse_response(answer).map_err(|_| VisitError::Malformed)?;
    let Some((status, length, head)) = parsed else {
        return Ok(false);
    };
    if answer.len() < head + length {
        return Ok(false);
    }
    if status != 200 {
        return Err(VisitError::Status(page.address.clone(), status));
    }
    let body = &answer[head..];
    if body != page.body {
        let same = body.iter().zip(&page.body).take_while(|(a, b)| a == b);
        return Err(VisitError::Differs(page.address.clone(), same.count()));
    }
    Ok(true)
}
