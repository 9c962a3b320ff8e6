//! The Unix socket of the inspection server.
#![cfg(all(feature = "inspect", unix))]

mod inspecting;

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

use inspecting::read_reply;
use volt::runtime::Runtime;

fn path(name: &str) -> PathBuf {
    let name = format!("volt-inspect-{}-{name}.sock", std::process::id());
    std::env::temp_dir().join(name)
}

fn build(path: &PathBuf) -> std::io::Result<Runtime> {
    let address = volt::runtime::InspectAddress::unix(path);
    Runtime::builder()
        .worker_threads(1)
        .inspect(address)
        .build()
}

#[test]
fn socket_is_private_and_removed() {
    let path = path("private");
    let runtime = build(&path).unwrap();
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.write_all(b"GET /dump.txt HTTP/1.1\r\n\r\n").unwrap();
    assert_eq!(read_reply(stream).status, 200);
    drop(runtime);
    assert!(!path.exists());
}

#[test]
fn abandoned_socket_is_replaced() {
    let path = path("abandoned");
    drop(UnixListener::bind(&path).unwrap());
    let runtime = build(&path).unwrap();
    let second = build(&path).unwrap_err();
    assert_eq!(second.kind(), ErrorKind::AddrInUse, "a server listens");
    drop(runtime);
    fs::write(&path, "a file").unwrap();
    let error = build(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AddrInUse, "it is no socket");
    assert_eq!(fs::read_to_string(&path).unwrap(), "a file");
    fs::remove_file(&path).unwrap();
}

#[test]
fn replaced_socket_is_not_removed() {
    let path = path("replaced");
    let first = build(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let second = build(&path).unwrap();
    drop(first);
    assert!(UnixStream::connect(&path).is_ok());
    drop(second);
}
