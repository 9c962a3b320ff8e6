//! The accept loop of a server.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper_util::server::conn::auto::Builder;
use volt::future::Policy;
use volt::time::{Sleep, sleep, timeout};
use volt::{Current, Group};

use crate::executor::Executor;
use crate::first_byte_timeout::with_first_byte_timeout;
use crate::graceful_shutdown::{ShutdownSignal, ShutdownWatcher};
#[cfg(feature = "http1")]
use crate::head_timer::HeadTimer;
use crate::listener::{Handshake, Listener};
use crate::serve::{OnError, Serve};
use crate::service::Served;

/// The pause after the system refuses a connection, mostly because no descriptor is free.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

impl<L, S, H> IntoFuture for Serve<L, S, H>
where
    L: Listener,
    H: Handshake<L::Io> + Sync,
    S: Served,
{
    type Output = ();
    type IntoFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

    /// Allocates once for the server.
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(run(self))
    }
}

async fn run<L, S, H>(server: Serve<L, S, H>)
where
    L: Listener,
    H: Handshake<L::Io>,
    S: Served,
{
    let mut acceptor = Acceptor {
        listener: server.listener,
        backoff: None,
    };
    let mut until = server.until;
    let mut connections = Group::new(Current).policy(Policy::Supervise);
    let shutdown = ShutdownSignal::default();
    loop {
        let next = poll_fn(|cx| {
            if until.as_mut().poll(cx).is_ready() {
                return Poll::Ready(None);
            }
            while let Poll::Ready(Some(_ended)) = connections.poll_next(cx) {}
            if connections.live() >= server.max_connections.get() {
                return Poll::Pending;
            }
            acceptor.poll_accept(cx).map(Some)
        });
        let Some((io, peer)) = next.await else { break };
        connections.spawn(connection(Accepted {
            io,
            peer,
            service: server.service.clone(),
            handshake: server.handshake.clone(),
            protocol: server.protocol.clone(),
            first_byte_timeout: server.first_byte_timeout,
            on_error: Arc::clone(&server.on_error),
            knows_peer: server.knows_peer,
            watcher: shutdown.watcher(),
        }));
    }
    drop(acceptor);
    shutdown.notify();
    let all_ended = poll_fn(|cx| {
        while ready!(connections.poll_next(cx)).is_some() {}
        Poll::Ready(())
    });
    match server.grace {
        Some(limit) => drop(timeout(limit, all_ended).await),
        None => all_ended.await,
    }
    connections.shutdown().await;
}

/// A listener that pauses after an error.
struct Acceptor<L> {
    listener: L,
    backoff: Option<Sleep>,
}

impl<L: Listener> Acceptor<L> {
    fn poll_accept(&mut self, cx: &mut Context<'_>) -> Poll<(L::Io, L::Addr)> {
        loop {
            if let Some(backoff) = &mut self.backoff {
                ready!(Pin::new(backoff).poll(cx));
                self.backoff = None;
            }
            match ready!(self.listener.poll_accept(cx)) {
                Ok(accepted) => return Poll::Ready(accepted),
                Err(_) => self.backoff = Some(sleep(ACCEPT_BACKOFF)),
            }
        }
    }
}

/// The initial values of a connection's task.
struct Accepted<I, A, S, H> {
    io: I,
    peer: A,
    service: S,
    handshake: H,
    protocol: Builder<Executor>,
    first_byte_timeout: Duration,
    on_error: OnError<A>,
    knows_peer: bool,
    watcher: ShutdownWatcher,
}

async fn connection<I, A, S, H>(accepted: Accepted<I, A, S, H>)
where
    I: Send + 'static,
    A: Clone + Send + Sync + 'static,
    H: Handshake<I>,
    S: Served,
{
    let Accepted {
        io,
        peer,
        service,
        handshake,
        protocol,
        first_byte_timeout,
        on_error,
        knows_peer,
        watcher,
    } = accepted;
    #[cfg(feature = "http1")]
    let protocol = {
        let mut protocol = protocol;
        protocol.http1().timer(HeadTimer::default());
        protocol
    };
    let served = async {
        let io = timeout(first_byte_timeout, handshake.perform(io))
            .await
            .map_err(io::Error::from)??;
        let named = knows_peer.then(|| peer.clone());
        let (io, service) = with_first_byte_timeout(io, service, named, first_byte_timeout);
        let connection = protocol.serve_connection_with_upgrades(io, service);
        watcher.serve(connection.into_owned()).await
    };
    if let Err(error) = served.await {
        on_error(&peer, error);
    }
}
