//! Connections in memory, polled manually and by tasks.

use std::io::ErrorKind;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_io::{AsyncRead, AsyncWrite};

use super::{DuplexStream, duplex};
#[cfg(not(shuttle))]
use crate::io::{AsyncReadExt, AsyncWriteExt};
#[cfg(not(shuttle))]
use crate::runtime::{block_on, spawn};
#[cfg(not(shuttle))]
use crate::task::yield_now;

fn read(end: &mut DuplexStream, buf: &mut [u8]) -> Poll<Result<usize, ErrorKind>> {
    let mut cx = Context::from_waker(Waker::noop());
    let polled = Pin::new(end).poll_read(&mut cx, buf);
    polled.map_err(|error| error.kind())
}

fn write(end: &mut DuplexStream, buf: &[u8]) -> Poll<Result<usize, ErrorKind>> {
    let mut cx = Context::from_waker(Waker::noop());
    let polled = Pin::new(end).poll_write(&mut cx, buf);
    polled.map_err(|error| error.kind())
}

#[test]
fn write_fills_the_buffer_and_then_waits() {
    let (mut near, mut far) = duplex(4);
    let mut buf = [0; 3];
    assert!(read(&mut far, &mut buf).is_pending());
    assert_eq!(write(&mut near, b"abcdef"), Poll::Ready(Ok(4)));
    assert!(write(&mut near, b"ef").is_pending());
    assert_eq!(write(&mut near, b""), Poll::Ready(Ok(0)));
    assert_eq!(
        (read(&mut far, &mut buf), &buf),
        (Poll::Ready(Ok(3)), b"abc")
    );
    assert_eq!(write(&mut near, b"ef"), Poll::Ready(Ok(2)));
    assert_eq!(
        (read(&mut far, &mut buf), &buf),
        (Poll::Ready(Ok(3)), b"def")
    );
    assert!(read(&mut far, &mut buf).is_pending());
    assert_eq!(read(&mut far, &mut []), Poll::Ready(Ok(0)));
}

#[test]
fn dropped_end_ends_reads_and_breaks_writes() {
    let (mut near, mut far) = duplex(8);
    assert_eq!(write(&mut near, b"last"), Poll::Ready(Ok(4)));
    assert_eq!(write(&mut far, b"unread"), Poll::Ready(Ok(6)));
    drop(near);
    let mut buf = [0; 8];
    assert_eq!(read(&mut far, &mut buf), Poll::Ready(Ok(4)));
    assert_eq!(read(&mut far, &mut buf), Poll::Ready(Ok(0)));
    assert_eq!(
        write(&mut far, b"x"),
        Poll::Ready(Err(ErrorKind::BrokenPipe))
    );
}

#[test]
fn closed_end_still_reads() {
    let (mut near, mut far) = duplex(8);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(Pin::new(&mut near).poll_close(&mut cx).is_ready());
    let mut buf = [0; 8];
    assert_eq!(read(&mut far, &mut buf), Poll::Ready(Ok(0)));
    assert_eq!(
        write(&mut near, b"x"),
        Poll::Ready(Err(ErrorKind::BrokenPipe))
    );
    assert_eq!(write(&mut far, b"answer"), Poll::Ready(Ok(6)));
    assert_eq!(read(&mut near, &mut buf), Poll::Ready(Ok(6)));
}

#[cfg(not(shuttle))]
#[test]
fn bytes_arrive_whole_between_two_tasks() {
    for capacity in [1, 7, 4096] {
        let sent: Vec<u8> = (0..50_000_u32)
            .map(|n| (n.wrapping_mul(n) >> 5) as u8)
            .collect();
        let expected = sent.clone();
        let received = block_on(async move {
            let (mut near, mut far) = duplex(capacity);
            let writing = spawn(async move { near.write_all(&sent).await });
            let mut received = Vec::new();
            far.read_to_end(&mut received).await.expect("the end");
            writing.await.expect("no panic").expect("read");
            received
        });
        assert!(received == expected, "with room for {capacity}");
    }
}

#[cfg(not(shuttle))]
#[test]
fn waiting_write_fails_when_the_reader_is_dropped() {
    let (mut near, far) = duplex(1);
    let outcome = block_on(async move {
        let writing = spawn(async move { near.write_all(b"too long").await });
        yield_now().await;
        drop(far);
        writing.await.expect("no panic")
    });
    assert_eq!(outcome.expect_err("broken").kind(), ErrorKind::BrokenPipe);
}
