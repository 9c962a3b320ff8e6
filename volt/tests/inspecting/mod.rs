//! A runtime with an inspection server, and a client without a library.

#![allow(dead_code, reason = "no test uses all of it")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use volt::runtime::{Builder, InspectAddress, InspectEndpoint, Runtime};

/// A response, split into its status line, its headers and its body.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) fn read_reply(mut stream: impl Read) -> Reply {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("a response has a head");
    Reply {
        status: head[9..12].parse().unwrap(),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

pub(crate) fn send(address: SocketAddr, request: &str) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    read_reply(stream)
}

pub(crate) fn get(address: SocketAddr, path: &str, headers: &str) -> Reply {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    send(address, &request)
}

pub(crate) fn runtime(address: impl Into<InspectAddress>) -> (Runtime, SocketAddr) {
    runtime_of(Runtime::builder().worker_threads(1).inspect(address))
}

/// Starts a runtime of a builder that has the address of a server.
pub(crate) fn runtime_of(builder: Builder) -> (Runtime, SocketAddr) {
    let runtime = builder.build().unwrap();
    match runtime.handle().inspect_endpoint() {
        Some(InspectEndpoint::Tcp(address)) => (runtime, address),
        other => panic!("{other:?}"),
    }
}
