//! A driver, and connections for the tests.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::time::Duration;

use futures_lite::future::{block_on, try_zip};

use crate::driver::DriverThread;
use crate::net::{TcpListener, TcpStream, connect};
use crate::runtime::context;
use crate::time::timeout;

/// Runs a future with a driver. A test that hangs fails.
pub(super) fn run<F>(future: F) -> F::Output
where
    F: Future,
{
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let timed = block_on(timeout(Duration::from_secs(30), future));
    timed.expect("the sockets make progress")
}

pub(super) fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").expect("loopback has a port")
}

/// Returns the two ends of one connection.
pub(super) async fn pair() -> (TcpStream, TcpStream) {
    let listener = listener();
    let address = listener.local_addr().expect("an address");
    let (near, far) = try_zip(connect(address), listener.accept())
        .await
        .expect("loopback connects");
    assert_eq!(near.local_addr().ok(), Some(far.1));
    (near, far.0)
}

/// Returns bytes whose pattern does not repeat at the size of a buffer.
pub(super) fn bytes(len: usize) -> Vec<u8> {
    (0..len as u64)
        .map(|nth| (nth.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8)
        .collect()
}

/// Writes to the stream until its buffers are full.
pub(super) fn fill(stream: &TcpStream) -> usize {
    let mut sent = 0;
    loop {
        match stream.try_write(&[7; 65_536]) {
            Ok(written) => sent += written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return sent,
            Err(error) => panic!("writes to a full stream return `WouldBlock`: {error}"),
        }
    }
}

pub(super) async fn echo(stream: TcpStream) -> io::Result<usize> {
    let mut buf = [0; 1_000];
    let mut echoed = 0;
    loop {
        match stream.read(&mut buf).await? {
            0 => return Ok(echoed),
            read => stream.write_all(&buf[..read]).await?,
        }
        echoed += 1;
    }
}
