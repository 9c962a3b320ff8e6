//! The same service on each runtime.

use std::convert::Infallible;
use std::io::Read;
use std::net::SocketAddr;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};

pub(crate) const NAMES: [&str; 4] = ["volt", "volt, by `serve`", "tokio", "smol"];

const WORKERS: usize = 2;

async fn hello(_: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    Ok(Response::new(Full::new(Bytes::from_static(
        b"Hello, World!",
    ))))
}

/// Serves until the standard input ends.
pub(crate) fn run(name: &str) {
    match name {
        "volt" => on_volt(),
        "volt, by `serve`" => on_volt_by_serve(),
        "tokio" => on_tokio(),
        "smol" => on_smol(),
        _ => panic!("there is no server {name}"),
    }
}

fn until_told(address: SocketAddr) {
    println!("{address}");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

fn on_volt() {
    let runtime = volt::Runtime::builder()
        .worker_threads(WORKERS)
        .build()
        .unwrap();
    let _entered = runtime.enter();
    let listener = volt::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    runtime
        .spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                volt::spawn(async move {
                    let io = volt_hyper::Io::new(stream);
                    let _ = http1::Builder::new()
                        .serve_connection(io, service_fn(hello))
                        .await;
                })
                .detach();
            }
        })
        .detach();
    until_told(address);
}

fn on_volt_by_serve() {
    let runtime = volt::Runtime::builder()
        .worker_threads(WORKERS)
        .build()
        .unwrap();
    let _entered = runtime.enter();
    let listener = volt::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    runtime
        .spawn(volt_hyper::serve(listener, service_fn(hello)).into_future())
        .detach();
    until_told(address);
}

fn on_tokio() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_io()
        .build()
        .unwrap();
    let _entered = runtime.enter();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            tokio::spawn(async move {
                let io = hyper_util::rt::TokioIo::new(stream);
                let _ = http1::Builder::new()
                    .serve_connection(io, service_fn(hello))
                    .await;
            });
        }
    });
    until_told(address);
}

fn on_smol() {
    static EXECUTOR: async_executor::Executor<'static> = async_executor::Executor::new();
    for _ in 0..WORKERS {
        std::thread::spawn(|| async_io::block_on(EXECUTOR.run(std::future::pending::<()>())));
    }
    let listener = async_io::block_on(async_net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let accepting = EXECUTOR.spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let serving = EXECUTOR.spawn(async move {
                let io = smol_hyper::rt::FuturesIo::new(stream);
                let _ = http1::Builder::new()
                    .serve_connection(io, service_fn(hello))
                    .await;
            });
            serving.detach();
        }
    });
    accepting.detach();
    until_told(address);
}
