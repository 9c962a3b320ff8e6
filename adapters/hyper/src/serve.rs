//! A server: connections accepted, each in a task of its own, and all ended gracefully.
//!
//! ```text
//!            accept ──► task: handshake ─► HTTP/1 or HTTP/2 ─► requests ─► end
//!   until ─────┤                                                 ▲
//!              └─► no more accepted; each connection finishes ───┘
//!   grace ─────► those that are left are cancelled, and waited for
//! ```

use std::fmt;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::conn::auto::Builder;

use crate::executor::Executor;
use crate::listener::{Handshake, Listener, NoHandshake};
use crate::service::{BoxError, IntoHyperService};
#[cfg(feature = "http2")]
use crate::timer::Timer;

type ShutdownFuture = Pin<Box<dyn Future<Output = ()> + Send>>;
pub(crate) type OnError<A> = Arc<dyn Fn(&A, BoxError) + Send + Sync>;

/// Serves the connections of a listener, over HTTP/1 or HTTP/2 as each client selects.
///
/// The service is one of hyper's (`service_fn`) or of tower's (an axum router, a service of tonic).
/// Each connection receives a clone. Await the returned server; its methods configure it:
///
/// ```no_run
/// # async fn work(router: axum::Router) -> std::io::Result<()> {
/// # async fn shutdown_requested() {}
/// use std::time::Duration;
/// use volt::net::TcpListener;
///
/// let listener = TcpListener::bind("127.0.0.1:8080")?;
/// volt_hyper::serve(listener, router)
///     .until(shutdown_requested())
///     .grace(Duration::from_secs(10))
///     .await;
/// # Ok(())
/// # }
/// ```
///
/// A connection that fails ends alone, and is reported to [`on_error`](Serve::on_error). A panic of
/// a handler ends only its connection.
///
/// # Cancel safety
///
/// Dropping the future cancels all connections.
pub fn serve<L, S, Kind>(listener: L, service: S) -> Serve<L, S::Service>
where
    L: Listener,
    S: IntoHyperService<Kind>,
{
    Serve {
        listener,
        service: service.into_hyper_service(),
        handshake: NoHandshake,
        protocol: protocol(),
        until: Box::pin(std::future::pending()),
        grace: None,
        first_byte_timeout: Duration::from_secs(30),
        max_connections: NonZeroUsize::MAX,
        knows_peer: false,
        on_error: Arc::new(|_, _| ()),
    }
}

/// Each HTTP/1 connection receives its own timer later.
fn protocol() -> Builder<Executor> {
    #[cfg_attr(not(feature = "http2"), expect(unused_mut, reason = "for HTTP/2"))]
    let mut protocol = Builder::new(Executor::new());
    #[cfg(feature = "http2")]
    protocol.http2().timer(Timer);
    protocol
}

/// A server, which starts when it is awaited; see [`serve`].
#[must_use = "a server does nothing unless awaited"]
pub struct Serve<L: Listener, S, H = NoHandshake> {
    pub(crate) listener: L,
    pub(crate) service: S,
    pub(crate) handshake: H,
    pub(crate) protocol: Builder<Executor>,
    pub(crate) until: ShutdownFuture,
    pub(crate) grace: Option<Duration>,
    pub(crate) first_byte_timeout: Duration,
    pub(crate) max_connections: NonZeroUsize,
    pub(crate) knows_peer: bool,
    pub(crate) on_error: OnError<L::Addr>,
}

impl<L: Listener, S, H> Serve<L, S, H> {
    /// Shuts the server down when this future completes, with any output. The server then accepts
    /// no connections. It closes idle connections, and the others after their current response.
    ///
    /// `volt::signal::ctrl_c()` is such a future. It completes immediately, with an error, if the
    /// system refuses to catch the signal.
    pub fn until(mut self, end: impl Future + Send + 'static) -> Self {
        self.until = Box::pin(async move { drop(end.await) });
        self
    }

    /// Sets how long connections may take to finish after that; the remaining ones are cancelled.
    ///
    /// By default, the server waits for the last connection.
    pub fn grace(mut self, limit: Duration) -> Self {
        self.grace = Some(limit);
        self
    }

    /// Sets the maximum number of connections; further ones wait in the listener's queue.
    ///
    /// The default is no limit.
    pub fn max_connections(mut self, count: NonZeroUsize) -> Self {
        self.max_connections = count;
        self
    }

    /// Sets how long a client may take for its handshake, and then for the first bytes of its first
    /// request. The default is 30 s for each.
    pub fn first_byte_timeout(mut self, limit: Duration) -> Self {
        self.first_byte_timeout = limit;
        self
    }

    /// Adds a [`PeerAddr`](crate::PeerAddr) to the extensions of each request.
    ///
    /// This costs three allocations for each request, so the default is off.
    pub fn with_peer_addr(mut self) -> Self {
        self.knows_peer = true;
        self
    }

    /// Configures HTTP/1 and HTTP/2, with the builder of hyper.
    ///
    /// The head of an HTTP/1 request must arrive within 30 s by default, which is hyper's default.
    /// The server replaces the timer of HTTP/1 by its own.
    ///
    /// ```
    /// # #[cfg(feature = "http1")]
    /// # fn tune<L: volt_hyper::Listener, S>(server: volt_hyper::Serve<L, S>) -> volt_hyper::Serve<L, S> {
    /// use std::time::Duration;
    ///
    /// server.protocol(|protocol| {
    ///     protocol.http1().header_read_timeout(Duration::from_secs(5));
    /// })
    /// # }
    /// ```
    pub fn protocol(mut self, set: impl FnOnce(&mut Builder<Executor>)) -> Self {
        set(&mut self.protocol);
        self
    }

    /// Sets a function that is called for each connection that ends with an error.
    pub fn on_error(mut self, report: impl Fn(&L::Addr, BoxError) + Send + Sync + 'static) -> Self {
        self.on_error = Arc::new(report);
        self
    }

    /// Sets a handshake that runs before requests are read, for example that of TLS. It runs in the
    /// task of the connection.
    pub fn handshake<N: Handshake<L::Io>>(self, handshake: N) -> Serve<L, S, N> {
        Serve {
            listener: self.listener,
            service: self.service,
            handshake,
            protocol: self.protocol,
            until: self.until,
            grace: self.grace,
            first_byte_timeout: self.first_byte_timeout,
            max_connections: self.max_connections,
            knows_peer: self.knows_peer,
            on_error: self.on_error,
        }
    }
}

impl<L: Listener, S, H> fmt::Debug for Serve<L, S, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve")
            .field("grace", &self.grace)
            .field("first_byte_timeout", &self.first_byte_timeout)
            .field("max_connections", &self.max_connections)
            .finish_non_exhaustive()
    }
}
