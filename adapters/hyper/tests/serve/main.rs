//! Servers over loopback, spoken to by hyper's own clients and by hand.
#![cfg(all(
    feature = "server",
    feature = "client",
    feature = "http1",
    feature = "http2"
))]

mod shutdown;
mod limits;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, Version};
use hyper_util::client::legacy::Client;
use volt::net::{TcpListener, TcpStream, connect};
use volt::time::sleep;
use volt_hyper::{Addresses, Connector, Executor, PeerAddr, Timer, serve};

/// Answers with the bytes of the request.
async fn echo(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let body = request.into_body().collect().await?.to_bytes();
    Ok(Response::new(Full::new(body)))
}

fn bind() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().unwrap().block_on(future)
}

/// Bytes that no two places of have in common by chance.
fn noise(len: usize) -> Bytes {
    let mut word = 0x9e37_79b9_u32;
    let next = || {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        word.to_le_bytes()[0]
    };
    std::iter::repeat_with(next).take(len).collect()
}

fn client(version: Version) -> Client<Connector, Full<Bytes>> {
    Client::builder(Executor::new())
        .pool_timer(Timer)
        .http2_only(version == Version::HTTP_2)
        .build(Connector::new().nodelay(true))
}

async fn bodies_come_back_whole(version: Version) {
    let (listener, address) = bind();
    volt::spawn(serve(listener, service_fn(echo)).into_future()).detach();
    let client = client(version);
    let rounds = (0..32).map(|n| {
        let client = client.clone();
        volt::spawn(async move {
            let sent = noise(n * 7919);
            let request = Request::post(format!("http://{address}/"))
                .version(version)
                .body(Full::new(sent.clone()))
                .unwrap();
            let response = client.request(request).await.unwrap();
            assert_eq!(response.version(), version);
            let addresses = *response.extensions().get::<Addresses>().unwrap();
            assert_eq!(addresses.remote, address);
            let received = response.into_body().collect().await.unwrap().to_bytes();
            assert!(
                received == sent,
                "{} bytes for {}",
                received.len(),
                sent.len()
            );
        })
    });
    for round in rounds.collect::<Vec<_>>() {
        round.await.unwrap();
    }
}

#[test]
fn http1_bodies_come_back_whole() {
    run(bodies_come_back_whole(Version::HTTP_11));
}

#[test]
fn http2_bodies_come_back_whole() {
    run(bodies_come_back_whole(Version::HTTP_2));
}

/// Reads until the connection is closed.
async fn rest(stream: &TcpStream) -> String {
    let (mut text, mut chunk) = (Vec::new(), [0; 1024]);
    loop {
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return String::from_utf8(text).unwrap(),
            Ok(count) => text.extend_from_slice(&chunk[..count]),
        }
    }
}

#[test]
fn requests_on_one_connection_are_answered_in_order() {
    run(async {
        let (listener, address) = bind();
        volt::spawn(serve(listener, service_fn(echo)).into_future()).detach();
        let stream = connect(address).await.unwrap();
        for word in ["one", "three"] {
            let head = format!(
                "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: {}\r\n\r\n",
                word.len()
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(word.as_bytes()).await.unwrap();
        }
        let last = b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
        stream.write_all(last).await.unwrap();
        let answer = rest(&stream).await;
        let bodies: Vec<_> = answer.split("\r\n\r\n").collect();
        assert_eq!(bodies.len(), 4, "{answer}");
        assert!(bodies[1].starts_with("oneHTTP/1.1 200"), "{answer}");
        assert!(bodies[2].starts_with("threeHTTP/1.1 200"), "{answer}");
        assert_eq!(bodies[3], "");
    });
}

#[test]
fn axum_router_is_served_and_knows_its_peer() {
    use axum::{Extension, Json, Router, routing::post};

    async fn sum(
        Extension(PeerAddr(peer)): Extension<PeerAddr<SocketAddr>>,
        Json(numbers): Json<Vec<u64>>,
    ) -> String {
        format!("{} {}", peer.ip(), numbers.iter().sum::<u64>())
    }

    run(async {
        let (listener, address) = bind();
        let router = Router::new().route("/sum", post(sum));
        volt::spawn(serve(listener, router).with_peer_addr().into_future()).detach();
        let request = Request::post(format!("http://{address}/sum"))
            .header("content-type", "application/json")
            .body(Full::from("[1, 2, 39]"))
            .unwrap();
        let response = client(Version::HTTP_11).request(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, "127.0.0.1 42");
    });
}

#[test]
fn connections_beyond_the_limit_wait_their_turn() {
    run(async {
        let (listener, address) = bind();
        volt::spawn(
            serve(listener, service_fn(echo))
                .max_connections(NonZeroUsize::MIN)
                .into_future(),
        )
        .detach();
        let first = connect(address).await.unwrap();
        let second = connect(address).await.unwrap();
        let request =
            b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\nconnection: close\r\n\r\nx";
        second.write_all(request).await.unwrap();
        let mut chunk = [0; 64];
        let early = volt::time::timeout(Duration::from_millis(50), second.read(&mut chunk)).await;
        assert!(early.is_err(), "the second was served beside the first");
        first.write_all(request).await.unwrap();
        assert!(rest(&first).await.ends_with('x'));
        assert!(rest(&second).await.ends_with('x'));
    });
}

#[test]
fn panicking_handler_ends_only_its_connection() {
    run(async {
        let (listener, address) = bind();
        let service = service_fn(async |request: Request<Incoming>| {
            assert_ne!(request.uri().path(), "/panic", "on purpose");
            Ok::<_, Infallible>(Response::new("fine".to_owned()))
        });
        volt::spawn(serve(listener, service).into_future()).detach();
        for (path, end) in [("/panic", ""), ("/", "fine")] {
            let stream = connect(address).await.unwrap();
            let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).await.unwrap();
            assert!(rest(&stream).await.ends_with(end));
        }
    });
}

#[test]
fn upgraded_connection_carries_bytes_both_ways() {
    use hyper::header::{CONNECTION, UPGRADE};
    use hyper::rt::{Read, ReadBuf, Write};
    use std::future::poll_fn;
    use std::pin::Pin;

    /// Sends back what comes first.
    async fn talk(mut upgraded: hyper::upgrade::Upgraded) {
        let mut memory = [0; 16];
        let mut buf = ReadBuf::new(&mut memory);
        poll_fn(|cx| Pin::new(&mut upgraded).poll_read(cx, buf.unfilled()))
            .await
            .unwrap();
        let filled = buf.filled();
        poll_fn(|cx| Pin::new(&mut upgraded).poll_write(cx, filled))
            .await
            .unwrap();
        poll_fn(|cx| Pin::new(&mut upgraded).poll_shutdown(cx))
            .await
            .unwrap();
    }

    async fn switch(mut request: Request<Incoming>) -> Result<Response<String>, Infallible> {
        let upgrade = hyper::upgrade::on(&mut request);
        volt::spawn(async move { talk(upgrade.await.unwrap()).await }).detach();
        let mut response = Response::new(String::new());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        response
            .headers_mut()
            .insert(CONNECTION, "upgrade".parse().unwrap());
        response
            .headers_mut()
            .insert(UPGRADE, "echo".parse().unwrap());
        Ok(response)
    }

    run(async {
        let (listener, address) = bind();
        volt::spawn(serve(listener, service_fn(switch)).into_future()).detach();
        let stream = connect(address).await.unwrap();
        let request = b"GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n";
        stream.write_all(request).await.unwrap();
        stream.write_all(b"hello").await.unwrap();
        let answer = rest(&stream).await;
        assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
        assert!(answer.ends_with("\r\n\r\nhello"), "{answer}");
    });
}
