//! WebSockets over TLS: a message of one client reaches all others. No tokio anywhere.
//!
//! rustls encrypts, through `futures-rustls`, and tungstenite frames, through `async-tungstenite`.
//! Both use the traits of `futures-io`, and so volt's sockets as they are.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_channel::{Receiver, Sender};
use async_tungstenite::tungstenite::{self, Message};
use async_tungstenite::{WebSocketStream, accept_async, client_async};
use futures_lite::StreamExt;
use futures_rustls::rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName};
use futures_rustls::rustls::{self, ClientConfig, RootCertStore, ServerConfig};
use futures_rustls::{TlsAcceptor, TlsConnector, client, server};
use volt::future::{FutureExt, Policy, race};
use volt::net::{TcpListener, TcpStream, connect};
use volt::time::timeout;
use volt::{Current, Group};

/// How many messages wait for a client that reads slowly, before it has to go.
const BACKLOG: usize = 64;
/// The time in which a client has to complete the handshakes of TLS and WebSocket.
const OPENING: Duration = Duration::from_secs(10);

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A server's settings, and those of clients that trust it: made for one run.
pub fn configurations() -> Outcome<(Arc<ServerConfig>, Arc<ClientConfig>)> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])?;
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let certificate: CertificateDer<'static> = made.cert.der().clone();
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone())?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let server = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())?;
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok((Arc::new(server), Arc::new(client)))
}

/// The connected clients: a channel to the task of each.
#[derive(Debug, Default)]
struct Clients(Mutex<HashMap<SocketAddr, Sender<Message>>>);

impl Clients {
    fn enter(&self, address: SocketAddr) -> Receiver<Message> {
        let (sender, receiver) = async_channel::bounded(BACKLOG);
        self.0.lock().unwrap().insert(address, sender);
        receiver
    }

    fn leave(&self, address: SocketAddr) {
        self.0.lock().unwrap().remove(&address);
    }

    /// A client whose channel is full is forgotten: its channel closes, and its task ends.
    fn tell_others(&self, from: SocketAddr, message: &Message) {
        let mut clients = self.0.lock().unwrap();
        clients
            .retain(|&address, sender| address == from || sender.try_send(message.clone()).is_ok());
    }
}

/// Serves until `end` is ready; the clients that are left then are cut off.
pub async fn serve(
    listener: TcpListener,
    settings: Arc<ServerConfig>,
    end: impl Future<Output = ()>,
) -> io::Result<()> {
    let acceptor = TlsAcceptor::from(settings);
    let clients = Arc::new(Clients::default());
    let mut sessions = Group::new(Current).policy(Policy::Supervise).detached();
    let mut end = std::pin::pin!(end);
    loop {
        let came = listener.accept().map(Some);
        let Some(came) = race(came, end.as_mut().map(|()| None)).await else {
            break;
        };
        let (stream, peer) = came?;
        let (acceptor, clients) = (acceptor.clone(), Arc::clone(&clients));
        sessions.spawn(async move {
            let opening = timeout(OPENING, open(acceptor, stream));
            let Ok(Ok(socket)) = opening.await else {
                return;
            };
            let messages = clients.enter(peer);
            if let Err(error) = session(socket, peer, &clients, messages).await {
                eprintln!("relay: {peer}: {error}");
            }
            clients.leave(peer);
        });
    }
    sessions.shutdown().await;
    Ok(())
}

type ServerSocket = WebSocketStream<server::TlsStream<TcpStream>>;

async fn open(acceptor: TlsAcceptor, stream: TcpStream) -> Outcome<ServerSocket> {
    let stream = acceptor.accept(stream).await?;
    Ok(accept_async(stream).await?)
}

enum Event {
    Heard(Option<tungstenite::Result<Message>>),
    Tell(Message),
    Dropped,
}

async fn session(
    mut socket: ServerSocket,
    peer: SocketAddr,
    clients: &Clients,
    messages: Receiver<Message>,
) -> tungstenite::Result<()> {
    loop {
        let told = messages
            .recv()
            .map(|message| message.map_or(Event::Dropped, Event::Tell));
        match race(told, socket.next().map(Event::Heard)).await {
            Event::Heard(None) => return Ok(()),
            Event::Heard(Some(message)) => {
                let message = message?;
                if message.is_text() || message.is_binary() {
                    clients.tell_others(peer, &message);
                }
            }
            Event::Tell(message) => socket.send(message).await?,
            Event::Dropped => return socket.close(None).await,
        }
    }
}

/// A client's end of a connection.
pub type ClientSocket = WebSocketStream<client::TlsStream<TcpStream>>;

/// Connects a client, which sees that the server is the one that it trusts.
pub async fn join(address: SocketAddr, settings: Arc<ClientConfig>) -> Outcome<ClientSocket> {
    let stream = connect(address).await?;
    let name = ServerName::try_from("localhost")?;
    let stream = TlsConnector::from(settings).connect(name, stream).await?;
    let (socket, _) = client_async("wss://localhost/", stream).await?;
    Ok(socket)
}
