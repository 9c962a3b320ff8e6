//! `BoundServer` and `InspectServer`: the thread that accepts connections and answers them.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use mio::{Events, Poll, Token, Waker};

use super::http_connection::HttpConnection;
use super::http_request::{BadRequest, HttpRequest};
use super::http_response::{HttpResponse, page};
use super::inspect_address::{InspectAddress, InspectEndpoint};
use super::inspect_listener::{InspectListener, InspectStream};
use super::render_thread::RenderThread;
use super::request_access::AccessRules;
use super::resource::{Answer, InspectSource, RenderJob, answer};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::thread;
use crate::util::catch_as_none;

const LISTENER: Token = Token(0);
const WAKER: Token = Token(1);
/// The token of the first connection.
const FIRST: usize = 2;

/// The maximum number of connections.
const MAX_CONNECTIONS: usize = 32;

/// The time until the next attempt after the system has refused a connection, for example because
/// the process has no free descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The maximum time that the end of a runtime waits for the thread of the server. The thread may be
/// in a `Debug` implementation of the user, which blocks.
const STOP_LIMIT: Duration = Duration::from_secs(1);

/// A server that has its socket, but no thread yet.
#[derive(Debug)]
pub(crate) struct BoundServer {
    listener: InspectListener,
    endpoint: InspectEndpoint,
    rules: AccessRules,
    shows_values: bool,
    poll: Poll,
    waker: Waker,
}

/// A server that runs until it is stopped.
#[derive(Debug)]
pub(super) struct InspectServer {
    endpoint: InspectEndpoint,
    stop: Arc<StopSignal>,
    /// Disconnected once the thread has closed its sockets.
    ended: Receiver<()>,
}

/// The request that the thread ends.
#[derive(Debug)]
struct StopSignal {
    is_set: AtomicBool,
    waker: Waker,
}

impl BoundServer {
    /// Binds the socket.
    pub(crate) fn bind(address: InspectAddress) -> io::Result<Self> {
        let (shown, shows_values) = (address.display(), address.shows_values());
        let bind = || {
            let (target, token) = address.into_target()?;
            let mut listener = InspectListener::bind(target)?;
            let endpoint = listener.endpoint()?;
            let poll = Poll::new()?;
            listener.register(poll.registry(), LISTENER)?;
            Ok(Self {
                listener,
                rules: AccessRules::new(&endpoint, token, shows_values),
                endpoint,
                shows_values,
                waker: Waker::new(poll.registry(), WAKER)?,
                poll,
            })
        };
        bind().map_err(|error: io::Error| {
            let text = format!("cannot start the inspection server at {shown}: {error}");
            io::Error::new(error.kind(), text)
        })
    }

    pub(crate) fn endpoint(&self) -> &InspectEndpoint {
        &self.endpoint
    }

    /// Returns `true` if the source may return the values that futures store.
    pub(crate) fn shows_values(&self) -> bool {
        self.shows_values
    }

    /// Starts the thread.
    pub(super) fn start(self, source: Box<dyn InspectSource>) -> io::Result<InspectServer> {
        let stop = Arc::new(StopSignal {
            is_set: AtomicBool::new(false),
            waker: self.waker,
        });
        let (send_end, ended) = channel();
        let loop_ = ServerLoop {
            poll: self.poll,
            listener: self.listener,
            rules: self.rules,
            source,
            render_thread: RenderThread::new(),
            connections: HashMap::new(),
            next: FIRST,
            nonces: RandomState::new(),
            stop: Arc::clone(&stop),
        };
        thread::Builder::new()
            .name("volt-inspect".to_owned())
            .spawn(move || loop_.run(send_end))?;
        Ok(InspectServer {
            endpoint: self.endpoint,
            stop,
            ended,
        })
    }
}

impl InspectServer {
    pub(super) fn endpoint(&self) -> &InspectEndpoint {
        &self.endpoint
    }

    /// Stops the thread, and waits until its socket is closed or a second has passed.
    pub(super) fn stop(self) {
        self.stop.is_set.store(true, Ordering::Release);
        // An error means that the poll of the thread is closed: the thread has ended.
        let _ = self.stop.waker.wake();
        let _ = self.ended.recv_timeout(STOP_LIMIT);
    }
}

/// The state of the thread.
struct ServerLoop {
    poll: Poll,
    listener: InspectListener,
    rules: AccessRules,
    source: Box<dyn InspectSource>,
    render_thread: RenderThread,
    connections: HashMap<usize, HttpConnection<InspectStream>>,
    /// The token of the next connection.
    next: usize,
    /// Keys from the system's random numbers.
    nonces: RandomState,
    stop: Arc<StopSignal>,
}

impl ServerLoop {
    /// Answers requests until the stop signal is set. Closes the sockets, then drops `end`.
    fn run(mut self, end: Sender<()>) {
        let mut events = Events::with_capacity(2 * MAX_CONNECTIONS);
        let mut retry_accept = false;
        loop {
            let timeout = self.timeout(retry_accept);
            let polled = self.poll.poll(&mut events, timeout);
            // A connection may have received its request during a long dump, and its deadline may
            // have passed. So its event is handled before its deadline is compared.
            let now = Instant::now();
            if self.stop.is_set.load(Ordering::Acquire) {
                break;
            }
            if polled.is_err_and(|error| error.kind() != ErrorKind::Interrupted) {
                break;
            }
            for event in &events {
                match event.token() {
                    LISTENER => retry_accept = true,
                    Token(number) => self.advance(number),
                }
            }
            self.send_late_responses();
            if retry_accept {
                retry_accept = self.accept_all();
            }
            self.connections
                .retain(|_, connection| !connection.is_over(now));
        }
        let Self {
            listener,
            connections,
            ..
        } = self;
        listener.close();
        drop(connections);
        drop(end);
    }

    /// Returns the time until the next deadline.
    fn timeout(&self, retry_accept: bool) -> Option<Duration> {
        let deadlines = self.connections.values().map(HttpConnection::deadline);
        let now = Instant::now();
        let next = deadlines
            .min()
            .map(|deadline| deadline.saturating_duration_since(now));
        let pause = retry_accept.then_some(ACCEPT_PAUSE);
        next.into_iter().chain(pause).min()
    }

    /// Accepts all connections that have arrived. Returns `true` if the system refused one, so
    /// that no event may follow for those that are left.
    fn accept_all(&mut self) -> bool {
        loop {
            let mut stream = match self.listener.accept() {
                Ok(stream) => stream,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return false,
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted => continue,
                    _ => return true,
                },
            };
            self.make_room();
            let number = self.next;
            self.next += 1;
            // Without an event for the connection the client sees its end.
            if stream.register(self.poll.registry(), Token(number)).is_ok() {
                let connection = HttpConnection::new(stream, Instant::now());
                self.connections.insert(number, connection);
            }
        }
    }

    /// Drops a connection if there are too many: the oldest that has sent no request, or else the
    /// oldest.
    fn make_room(&mut self) {
        if self.connections.len() < MAX_CONNECTIONS {
            return;
        }
        let numbers = self.connections.iter();
        let oldest =
            numbers.min_by_key(|(number, connection)| (!connection.is_reading(), **number));
        if let Some(number) = oldest.map(|(number, _)| *number) {
            self.connections.remove(&number);
        }
    }

    fn advance(&mut self, number: usize) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        let (rules, source, stop) = (&self.rules, &*self.source, &self.stop);
        let (render_thread, nonces) = (&mut self.render_thread, (&self.nonces, number));
        connection.advance(&mut |request| {
            let start = |job| {
                let stop = Arc::clone(stop);
                // An error means that the poll of the server's thread is closed.
                render_thread.start(number, job, move || _ = stop.waker.wake())
            };
            respond(request, rules, source, start, nonces)
        });
    }

    /// Passes the responses of the other thread to their connections.
    fn send_late_responses(&mut self) {
        while let Some((number, response)) = self.render_thread.next_response() {
            if let Some(connection) = self.connections.get_mut(&number) {
                connection.respond(response);
                self.advance(number);
            }
        }
    }
}

/// Returns the bytes of the response, or `None` if `start` has started the job that writes them.
fn respond(
    request: Result<HttpRequest, BadRequest>,
    rules: &AccessRules,
    source: &dyn InspectSource,
    start: impl FnOnce(RenderJob) -> Result<(), HttpResponse>,
    (nonces, number): (&RandomState, usize),
) -> Option<Vec<u8>> {
    let answered = request.map(|request| {
        // A dump calls code of the user. The panic hook has reported a panic of it.
        catch_as_none(|| answer(&request, rules, source))
    });
    let response = match answered {
        Ok(Some(Answer::Page(html))) => return Some(page(html, nonces.hash_one(number))),
        Ok(Some(Answer::Later(job))) => match start(job) {
            Ok(()) => return None,
            Err(refusal) => refusal,
        },
        Ok(Some(Answer::Other(response))) => response,
        Ok(None) => HttpResponse::panicked(),
        Err(BadRequest::Syntax) => {
            HttpResponse::error("400 Bad Request", "The request is not valid HTTP/1.1.")
        }
        Err(BadRequest::Method) => {
            let response =
                HttpResponse::error("405 Method Not Allowed", "Only GET and POST are supported.");
            response.with_header("Allow: GET, POST\r\n")
        }
        Err(BadRequest::TooLarge) => HttpResponse::error(
            "431 Request Header Fields Too Large",
            "A request has at most 8 KiB and 64 headers.",
        ),
    };
    Some(response.into_bytes())
}
