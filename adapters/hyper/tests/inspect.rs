//! Handlers that are machines, in dumps, though hyper and axum keep their futures behind types of
//! their own.
#![cfg(all(feature = "server", feature = "http1"))]

use std::convert::Infallible;
use std::future::pending;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use volt::net::TcpListener;
use volt::task::{inspected, yield_now};
use volt::time::sleep;
use volt_hyper::{Inspect, serve};

#[volt::state_machine]
async fn look_up(key: u32) -> u32 {
    pending::<()>().await;
    key
}

#[volt::state_machine]
async fn answer(request: Request<Incoming>) -> Result<Response<String>, Infallible> {
    yield_now().await;
    drop(request);
    let found: u32 = look_up(7).await;
    Ok(Response::new(found.to_string()))
}

#[volt::state_machine]
async fn page(Path(key): Path<u32>) -> String {
    let found: u32 = look_up(key).await;
    found.to_string()
}

#[volt::state_machine]
async fn soon() -> &'static str {
    sleep(Duration::from_millis(1)).await;
    "soon"
}

fn bind() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

fn ask(address: SocketAddr, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: volt\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// The names of the machines that tasks show, once there are some.
fn shown(runtime: &volt::Runtime) -> Vec<&'static str> {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let dump = runtime.dump();
        let within = dump
            .tasks()
            .iter()
            .flat_map(|task| task.within.iter().flatten());
        let names: Vec<_> = within.map(|state| state.machine).collect();
        if names.len() >= 2 || Instant::now() > end {
            let text = dump.to_string();
            assert!(names.iter().all(|name| text.contains(name)), "{text}");
            return names;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn calls_of_a_service_are_in_dumps() {
    let runtime = volt::Runtime::builder().worker_threads(2).build().unwrap();
    let (listener, address) = runtime.block_on(async { bind() });
    let server = serve(listener, Inspect::new(service_fn(answer)));
    let server = runtime.spawn(server.into_future());
    let client = ask(address, "/");
    assert_eq!(shown(&runtime), ["Answer", "LookUp"]);
    drop(client);
    server.cancel();
}

#[test]
fn handlers_of_a_router_are_in_dumps() {
    let runtime = volt::Runtime::builder().worker_threads(2).build().unwrap();
    let (listener, address) = runtime.block_on(async { bind() });
    let router = Router::new()
        .route("/pages/{key}", get(|key| inspected(page(key))))
        .route("/soon", get(|| inspected(soon())));
    let server = runtime.spawn(serve(listener, router).into_future());
    let _client = ask(address, "/pages/3");
    assert_eq!(shown(&runtime), ["Page", "LookUp"]);
    // One that is over is not shown any more.
    let mut text = String::new();
    ask(address, "/soon").read_to_string(&mut text).unwrap();
    assert!(text.ends_with("soon"), "{text}");
    assert_eq!(shown(&runtime), ["Page", "LookUp"]);
    server.cancel();
}
