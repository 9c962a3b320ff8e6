//! Connections over loopback.
#![cfg(feature = "rustls-ring")]

use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use quinn::{ClientConfig, Connection, ConnectionError, Endpoint, EndpointConfig, ServerConfig};
use rustls::RootCertStore;
use rustls::pki_types::PrivatePkcs8KeyDer;
use volt::time::{self, timeout};
use volt_quinn::VoltRuntime;

/// A server's settings, and those of a client that trusts it.
fn settings() -> (ServerConfig, ClientConfig) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let certificate = made.cert.der().clone();
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let server = ServerConfig::with_single_cert(vec![certificate], key.into()).unwrap();
    let client = ClientConfig::with_root_certificates(Arc::new(roots)).unwrap();
    (server, client)
}

fn loopback() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// A server that echoes streams and datagrams, and a client's endpoint.
fn start() -> (SocketAddr, Endpoint) {
    let (server, config) = settings();
    let server = volt_quinn::server(server, loopback()).unwrap();
    let address = server.local_addr().unwrap();
    volt::spawn(accept(server)).detach();
    let mut client = volt_quinn::client(loopback()).unwrap();
    client.set_default_client_config(config);
    (address, client)
}

async fn accept(server: Endpoint) {
    while let Some(incoming) = server.accept().await {
        volt::spawn(async move {
            let Ok(connection) = incoming.await else {
                return;
            };
            volt::spawn(datagrams(connection.clone())).detach();
            streams(connection).await;
        })
        .detach();
    }
}

async fn streams(connection: Connection) {
    while let Ok((mut send, mut receive)) = connection.accept_bi().await {
        volt::spawn(async move {
            let mut chunk = vec![0; 10_000];
            while let Some(count) = receive.read(&mut chunk).await.unwrap() {
                send.write_all(&chunk[..count]).await.unwrap();
            }
            send.finish().unwrap();
        })
        .detach();
    }
}

async fn datagrams(connection: Connection) {
    while let Ok(bytes) = connection.read_datagram().await {
        connection.send_datagram(bytes).unwrap();
    }
}

/// Bytes that no two places of have in common by chance.
fn noise(seed: u32, len: usize) -> Vec<u8> {
    let mut word = 0x9e37_79b9_u32 ^ seed;
    let next = || {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        word.to_le_bytes()[0]
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// Sends noise over a stream of its own, and checks each byte that comes back.
async fn echo(connection: Connection, seed: u32, len: usize) {
    let (mut send, mut receive) = connection.open_bi().await.unwrap();
    let sent = noise(seed, len);
    let writing = {
        let sent = sent.clone();
        volt::spawn(async move {
            send.write_all(&sent).await.unwrap();
            send.finish().unwrap();
        })
    };
    let received = receive.read_to_end(len + 1).await.unwrap();
    writing.await.unwrap();
    assert!(received == sent, "{} of {len} bytes", received.len());
}

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().unwrap().block_on(async {
        timeout(Duration::from_secs(120), future)
            .await
            .expect("it ends")
    })
}

#[test]
fn streams_come_back_whole() {
    run(async {
        let (address, client) = start();
        let connection = client.connect(address, "localhost").unwrap().await.unwrap();
        let streams = (0..16).map(|n| {
            let echoed = echo(connection.clone(), n, n as usize * 20_011);
            volt::spawn(echoed)
        });
        for stream in streams.collect::<Vec<_>>() {
            stream.await.unwrap();
        }
    });
}

#[test]
fn many_connections_share_their_sockets() {
    run(async {
        let (address, client) = start();
        let rounds = (0..8).map(|n| {
            let connecting = client.connect(address, "localhost").unwrap();
            volt::spawn(async move {
                let connection = connecting.await.unwrap();
                echo(connection.clone(), n, 50_000).await;
                connection.close(0_u8.into(), b"done");
            })
        });
        for round in rounds.collect::<Vec<_>>() {
            round.await.unwrap();
        }
        client.wait_idle().await;
    });
}

#[test]
fn datagram_comes_back() {
    run(async {
        let (address, client) = start();
        let connection = client.connect(address, "localhost").unwrap().await.unwrap();
        let sent = noise(7, 1000);
        // A datagram may be lost, on loopback too; one of many is not.
        let received = loop {
            connection.send_datagram(sent.clone().into()).unwrap();
            match timeout(Duration::from_secs(1), connection.read_datagram()).await {
                Ok(received) => break received.unwrap(),
                Err(_) => continue,
            }
        };
        assert_eq!(received, sent);
    });
}

#[test]
fn peer_learns_why_the_connection_was_closed() {
    run(async {
        let (config, client_config) = settings();
        let server = volt_quinn::server(config, loopback()).unwrap();
        let mut client = volt_quinn::client(loopback()).unwrap();
        client.set_default_client_config(client_config);
        let connecting = client.connect(server.local_addr().unwrap(), "localhost");
        let accepted = volt::spawn(async move {
            let connection = server.accept().await.unwrap().await.unwrap();
            let reason = connection.closed().await;
            (reason, server)
        });
        let connection = connecting.unwrap().await.unwrap();
        connection.close(42_u8.into(), b"enough");
        let (reason, _server) = accepted.await.unwrap();
        let ConnectionError::ApplicationClosed(close) = reason else {
            panic!("{reason}");
        };
        assert_eq!(
            (close.error_code, &close.reason[..]),
            (42_u8.into(), &b"enough"[..])
        );
    });
}

/// The timer at work: half a minute of silence takes no time on a paused clock.
#[test]
fn silent_peer_times_out_by_volts_clock() {
    let silent = UdpSocket::bind(loopback()).unwrap();
    let address = silent.local_addr().unwrap();
    run(async {
        let (_, config) = settings();
        let mut client = volt_quinn::client(loopback()).unwrap();
        client.set_default_client_config(config);
        time::pause();
        let begun = time::now();
        let connecting = client.connect(address, "localhost").unwrap();
        assert_eq!(connecting.await.unwrap_err(), ConnectionError::TimedOut);
        let waited = time::now() - begun;
        assert!(waited >= Duration::from_secs(5), "{waited:?}");
    });
}

#[test]
fn endpoint_is_made_and_called_outside_of_its_runtime() {
    let runtime = volt::Runtime::new().unwrap();
    let on_runtime = Arc::new(VoltRuntime::on(runtime.handle().clone()));
    let (server_config, client_config) = settings();
    let endpoint = |config| {
        let socket = UdpSocket::bind(loopback()).unwrap();
        let settings = EndpointConfig::default();
        Endpoint::new(settings, config, socket, on_runtime.clone()).unwrap()
    };
    let server = endpoint(Some(server_config));
    let mut client = endpoint(None);
    client.set_default_client_config(client_config);
    let connecting = client.connect(server.local_addr().unwrap(), "localhost");
    runtime.handle().spawn(accept(server)).detach();
    runtime.block_on(async {
        let connection = connecting.unwrap().await.unwrap();
        echo(connection, 1, 100_000).await;
    });
}

/// No task hangs: waiting for a connection fails.
#[test]
fn connection_ends_with_its_runtime() {
    let runtime = volt::Runtime::new().unwrap();
    let (client, connection) = runtime.block_on(async {
        let (address, client) = start();
        let connection = client.connect(address, "localhost").unwrap().await.unwrap();
        (client, connection)
    });
    drop(runtime);
    let other = volt::Runtime::new().unwrap();
    let opened = other.block_on(timeout(Duration::from_secs(60), async {
        let (mut send, _) = connection.open_bi().await?;
        send.write_all(&noise(1, 10_000_000)).await?;
        Ok::<_, std::io::Error>(())
    }));
    drop((client, connection));
    assert!(!matches!(opened, Ok(Ok(()))), "{opened:?}");
}
