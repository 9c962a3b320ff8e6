//! Futures of hyper with borrowed buffers, awaited in machines without a box, in one thread.
#![cfg(all(feature = "server", feature = "client", feature = "http1"))]

use bytes::Bytes;
use futures_lite::future::{block_on, zip};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use volt_hyper::FuturesIo;

/// The length of the request's body and its bytes in capitals.
#[volt::state_machine]
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let mut text = Vec::new();
    let mut body = request.into_body();
    read(&mut body, &mut text).await?;
    text.make_ascii_uppercase();
    Ok(Response::new(Full::new(Bytes::from(text))))
}

/// Reads a body into a buffer of the caller's.
#[volt::state_machine]
async fn read(body: &mut Incoming, into: &mut Vec<u8>) -> Result<usize, hyper::Error> {
    let mut frames = 0;
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            into.extend_from_slice(&data);
            frames += 1;
        }
    }
    Ok(frames)
}

#[volt::state_machine]
async fn ask(
    sender: &mut SendRequest<Full<Bytes>>,
    text: &'static str,
    into: &mut Vec<u8>,
) -> Result<StatusCode, hyper::Error> {
    let request = Request::post("http://volt.example/").body(Full::new(Bytes::from(text)));
    let request = request.expect("the request is whole");
    sender.ready().await?;
    let (head, mut body) = sender.send_request(request).await?.into_parts();
    read(&mut body, into).await?;
    Ok(head.status)
}

#[volt::state_machine]
async fn exchange() -> Result<Vec<u8>, hyper::Error> {
    let (near, far) = volt::io::duplex(64);
    let server = hyper::server::conn::http1::Builder::new();
    let server = server.serve_connection(FuturesIo::new(far), service_fn(answer));
    let (mut sender, connection) = http1::handshake(FuturesIo::new(near)).await?;
    let client = async {
        let mut found = Vec::new();
        for text in ["one", "two"] {
            let status = ask(&mut sender, text, &mut found).await?;
            assert_eq!(status, StatusCode::OK);
        }
        drop(sender);
        Ok::<_, hyper::Error>(found)
    };
    let (found, (connection, server)) = zip(client, zip(connection, server)).await;
    connection?;
    server?;
    found
}

#[test]
fn machines_await_hyper_futures_with_borrowed_buffers() {
    let found = block_on(exchange());
    assert_eq!(found.expect("both ends are whole"), b"ONETWO");
}
