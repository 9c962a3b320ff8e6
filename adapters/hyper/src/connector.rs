//! Connections for hyper-util's pooled client.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use volt::net::{TcpStream, connect};

use crate::io::Io;

/// Connects to the host and port of a URI over TCP, for `hyper_util::client::legacy::Client`.
///
/// Host names are resolved on the runtime's blocking pool, and each address is tried in turn. The
/// scheme must be `http`. For other schemes, wrap this connector as any connector of tower.
///
/// ```no_run
/// # #[cfg(feature = "http1")] {
/// use hyper_util::client::legacy::Client;
/// use volt_hyper::{Connector, Executor, Timer};
///
/// let client: Client<_, String> = Client::builder(Executor::new())
///     .pool_timer(Timer)
///     .build(Connector::new());
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Connector {
    nodelay: bool,
}

impl Connector {
    /// A connector whose sockets gather small writes, as new sockets do.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether small writes are sent at once (`TCP_NODELAY`).
    #[must_use]
    pub fn nodelay(mut self, nodelay: bool) -> Self {
        self.nodelay = nodelay;
        self
    }
}

impl tower_service::Service<Uri> for Connector {
    type Response = Io<TcpStream>;
    type Error = io::Error;
    type Future = ConnectorFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> ConnectorFuture {
        let nodelay = self.nodelay;
        ConnectorFuture {
            connecting: Box::pin(async move {
                let (host, port) = target(&uri)?;
                let stream = connect((host, port)).await?;
                stream.set_nodelay(nodelay)?;
                Ok(Io::new(stream))
            }),
        }
    }
}

/// The host, without the brackets of an IPv6 address, and the port.
fn target(uri: &Uri) -> io::Result<(&str, u16)> {
    let refused = |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    match uri.scheme_str() {
        None | Some("http") => {}
        Some(other) => return refused(format!("the scheme is `{other}`, and not `http`")),
    }
    let Some(host) = uri.host() else {
        return refused(format!("`{uri}` has no host"));
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    Ok((bare, uri.port_u16().unwrap_or(80)))
}

/// The future of a [`Connector`]: a connection that is being established.
#[must_use = "futures do nothing unless polled"]
pub struct ConnectorFuture {
    connecting: Pin<Box<dyn Future<Output = io::Result<Io<TcpStream>>> + Send>>,
}

impl Future for ConnectorFuture {
    type Output = io::Result<Io<TcpStream>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.connecting.as_mut().poll(cx)
    }
}

impl std::fmt::Debug for ConnectorFuture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConnectorFuture").finish_non_exhaustive()
    }
}

impl Connection for Io<TcpStream> {
    fn connected(&self) -> Connected {
        let addresses: Option<(SocketAddr, SocketAddr)> = self
            .get_ref()
            .local_addr()
            .ok()
            .zip(self.get_ref().peer_addr().ok());
        match addresses {
            Some((local, remote)) => Connected::new().extra(Addresses { local, remote }),
            None => Connected::new(),
        }
    }
}

/// The two ends of the connection that a response came over, among its extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// This side's.
    pub local: SocketAddr,
    /// The server's.
    pub remote: SocketAddr,
}
