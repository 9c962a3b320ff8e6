//! hyper 1 on the volt runtime.
//!
//! hyper requires sockets, tasks and timers from its user. This crate implements them with volt:
//!
//! | hyper requires | here |
//! | --- | --- |
//! | [`hyper::rt::Read`] and [`hyper::rt::Write`] | [`Io`] around a socket of volt, [`FuturesIo`] around anything of `futures-io` |
//! | [`hyper::rt::Executor`] | [`Executor`] |
//! | [`hyper::rt::Timer`] | [`Timer`], which follows a paused clock |
//! | a connector for hyper-util's pooled client | [`Connector`] (feature `client`) |
//! | an accept loop | [`serve`] (feature `server`) |
//!
//! [`Inspect`] shows the requests that wait in dumps of volt.
//!
//! # A server
//!
//! [`serve`] accepts services of hyper and of tower, such as axum's routers and the services that
//! tonic generates:
//!
//! ```
//! # #[cfg(all(feature = "server", feature = "http1"))] {
//! use std::convert::Infallible;
//! use std::time::Duration;
//!
//! use hyper::body::Incoming;
//! use hyper::service::service_fn;
//! use hyper::{Request, Response};
//! use volt::net::TcpListener;
//! use volt::time::sleep;
//!
//! # fn main() -> std::io::Result<()> {
//! let hello = service_fn(async |request: Request<Incoming>| {
//!     Ok::<_, Infallible>(Response::new(format!("{} was asked for", request.uri().path())))
//! });
//! volt::Runtime::new()?.block_on(async {
//!     let listener = TcpListener::bind("127.0.0.1:0")?;
//!     volt_hyper::serve(listener, hello)
//!         .until(sleep(Duration::from_millis(10)))
//!         .await;
//!     Ok(())
//! })
//! # }
//! # main().unwrap();
//! # }
//! ```
//!
//! # Unsafe code
//!
//! hyper passes uninitialized memory. One file, `uninit.rs`, reports the number of bytes read into
//! it, with one line of `unsafe`.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod executor;
mod timer;
mod uninit;
mod io;
#[cfg(feature = "client")]
mod connector;
#[cfg(feature = "server")]
mod service;
#[cfg(feature = "server")]
mod listener;
#[cfg(feature = "server")]
mod first_byte_timeout;
#[cfg(feature = "server")]
mod graceful_shutdown;
#[cfg(all(feature = "server", feature = "http1"))]
mod head_timer;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod accept_loop;

#[cfg(feature = "client")]
pub use self::connector::{Addresses, Connector, ConnectorFuture};
pub use self::executor::Executor;
#[cfg(feature = "server")]
pub use self::first_byte_timeout::PeerAddr;
pub use self::io::{FuturesIo, Io};
#[cfg(feature = "server")]
pub use self::listener::{Handshake, Listener, NoHandshake};
#[cfg(feature = "server")]
pub use self::serve::{Serve, serve};
#[cfg(feature = "server")]
pub use self::service::{HyperKind, Inspect, IntoHyperService, Served, TowerKind};
pub use self::timer::Timer;
