//! The server at work.

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

use crate::ending::{Ending, Lookout};
use crate::executor::Executor;
#[cfg(feature = "http1")]
use crate::head_timer::HeadTimer;
use crate::listener::{Handshake, Listener};
use crate::opening::open;
use crate::serve::{OnError, Serve};
use crate::service::Served;

/// How long the server rests when the system refuses a connection, for want of descriptors mostly.
const REST: Duration = Duration::from_millis(100);

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
        rest: None,
    };
    let mut until = server.until;
    let mut connections = Group::new(Current).policy(Policy::Supervise);
    let ending = Ending::default();
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
            opening: server.opening,
            on_error: Arc::clone(&server.on_error),
            knows_peer: server.knows_peer,
            lookout: ending.lookout(),
        }));
    }
    drop(acceptor);
    ending.begin();
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

/// A listener that rests after an error.
struct Acceptor<L> {
    listener: L,
    rest: Option<Sleep>,
}

impl<L: Listener> Acceptor<L> {
    fn poll_accept(&mut self, cx: &mut Context<'_>) -> Poll<(L::Io, L::Addr)> {
        loop {
            if let Some(rest) = &mut self.rest {
                ready!(Pin::new(rest).poll(cx));
                self.rest = None;
            }
            match ready!(self.listener.poll_accept(cx)) {
                Ok(accepted) => return Poll::Ready(accepted),
                Err(_) => self.rest = Some(sleep(REST)),
            }
        }
    }
}

/// All that the task of a connection begins with.
struct Accepted<I, A, S, H> {
    io: I,
    peer: A,
    service: S,
    handshake: H,
    protocol: Builder<Executor>,
    opening: Duration,
    on_error: OnError<A>,
    knows_peer: bool,
    lookout: Lookout,
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
        opening,
        on_error,
        knows_peer,
        lookout,
    } = accepted;
    #[cfg(feature = "http1")]
    let protocol = {
        let mut protocol = protocol;
        protocol.http1().timer(HeadTimer::default());
        protocol
    };
    let served = async {
        let io = timeout(opening, handshake.shake(io))
            .await
            .map_err(io::Error::from)??;
        let named = knows_peer.then(|| peer.clone());
        let (io, service) = open(io, service, named, opening);
        let connection = protocol.serve_connection_with_upgrades(io, service);
        lookout.serve(connection.into_owned()).await
    };
    if let Err(error) = served.await {
        on_error(&peer, error);
    }
}
