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
use crate::listener::{Handshake, Listener, Plain};
use crate::service::{BoxError, IntoHyperService};
#[cfg(feature = "http2")]
use crate::timer::Timer;

type Ending = Pin<Box<dyn Future<Output = ()> + Send>>;
pub(crate) type OnError<A> = Arc<dyn Fn(&A, BoxError) + Send + Sync>;

/// Serves the connections of a listener, over HTTP/1 or HTTP/2, as each client wishes.
///
/// The service is one of hyper's (`service_fn`) or of tower's (an axum router, what tonic generates);
/// each connection gets a clone. What is returned is awaited, and has a method for each choice:
///
/// ```no_run
/// # async fn work(router: axum::Router) -> std::io::Result<()> {
/// # async fn told_to_end() {}
/// use std::time::Duration;
/// use volt::net::TcpListener;
///
/// let listener = TcpListener::bind("127.0.0.1:8080")?;
/// volt_hyper::serve(listener, router)
///     .until(told_to_end())
///     .grace(Duration::from_secs(10))
///     .await;
/// # Ok(())
/// # }
/// ```
///
/// A connection that fails ends by itself, as does one whose handler panics;
/// [`on_error`](Serve::on_error) hears of the former.
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
        handshake: Plain,
        protocol: protocol(),
        until: Box::pin(std::future::pending()),
        grace: None,
        opening: Duration::from_secs(30),
        max_connections: NonZeroUsize::MAX,
        knows_peer: false,
        on_error: Arc::new(|_, _| ()),
    }
}

/// Each connection over HTTP/1 gets a timer of its own later.
fn protocol() -> Builder<Executor> {
    #[cfg_attr(not(feature = "http2"), expect(unused_mut, reason = "for HTTP/2"))]
    let mut protocol = Builder::new(Executor::new());
    #[cfg(feature = "http2")]
    protocol.http2().timer(Timer);
    protocol
}

/// A server that is awaited, see [`serve`].
#[must_use = "a server does nothing unless awaited"]
pub struct Serve<L: Listener, S, H = Plain> {
    pub(crate) listener: L,
    pub(crate) service: S,
    pub(crate) handshake: H,
    pub(crate) protocol: Builder<Executor>,
    pub(crate) until: Ending,
    pub(crate) grace: Option<Duration>,
    pub(crate) opening: Duration,
    pub(crate) max_connections: NonZeroUsize,
    pub(crate) knows_peer: bool,
    pub(crate) on_error: OnError<L::Addr>,
}

impl<L: Listener, S, H> Serve<L, S, H> {
    /// Ends the server when this future is done, whatever its output is: it accepts no more, connections
    /// that wait for a request are closed, and the others when they have answered theirs.
    ///
    /// `volt::signal::ctrl_c()` is such a future. It is done at once, with an error, if the system refuses to
    /// catch the signal.
    pub fn until(mut self, end: impl Future + Send + 'static) -> Self {
        self.until = Box::pin(async move { drop(end.await) });
        self
    }

    /// How long connections may take to end after that; those that are left are cancelled.
    ///
    /// Without it, the server waits for the last one.
    pub fn grace(mut self, limit: Duration) -> Self {
        self.grace = Some(limit);
        self
    }

    /// How many connections there are at a time; further ones wait in the listener's queue.
    ///
    /// There is no limit by default.
    pub fn max_connections(mut self, count: NonZeroUsize) -> Self {
        self.max_connections = count;
        self
    }

    /// How long a client may take for its handshake, and then for the first bytes of its first
    /// request, each: 30 s by default.
    pub fn opening_limit(mut self, limit: Duration) -> Self {
        self.opening = limit;
        self
    }

    /// Tells each request its peer, as a [`PeerAddr`](crate::PeerAddr) among its extensions.
    ///
    /// It takes three allocations a request, so it is left out unless it is asked for.
    pub fn with_peer_addr(mut self) -> Self {
        self.knows_peer = true;
        self
    }

    /// Sets what hyper lets one set of HTTP/1 and HTTP/2.
    ///
    /// The head of a request over HTTP/1 has to arrive within 30 s by default, as hyper has it. The timer of
    /// HTTP/1 is the server's own, whichever is set here.
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

    /// Hears of each connection that ends by an error.
    pub fn on_error(mut self, hear: impl Fn(&L::Addr, BoxError) + Send + Sync + 'static) -> Self {
        self.on_error = Arc::new(hear);
        self
    }

    /// Does something with each connection before requests are read from it, such as the handshake of
    /// TLS; it runs in the connection's own task.
    pub fn handshake<N: Handshake<L::Io>>(self, handshake: N) -> Serve<L, S, N> {
        Serve {
            listener: self.listener,
            service: self.service,
            handshake,
            protocol: self.protocol,
            until: self.until,
            grace: self.grace,
            opening: self.opening,
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
            .field("opening", &self.opening)
            .field("max_connections", &self.max_connections)
            .finish_non_exhaustive()
    }
}
