//! Unix sockets.

use std::fs;
use std::io::{ErrorKind, IoSlice};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::time::Duration;

use futures_lite::AsyncReadExt;
use futures_lite::future::{poll_once, try_zip, zip};
use socket2::{MsgHdr, SockRef};

use super::support::{bytes, run};
use crate::net::{UnixDatagram, UnixListener, UnixStream, connect_unix};
use crate::time::{sleep, timeout};

/// A path that is unique to the test and does not exist.
struct TempPath(PathBuf);

impl TempPath {
    fn new(name: &str) -> Self {
        let name = format!("volt-{}-{name}.sock", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for TempPath {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn stream_carries_bytes_both_ways() {
    run(async {
        let path = TempPath::new("stream");
        let listener = UnixListener::bind(&path.0).expect("a listener");
        assert!(listener.try_accept().is_err());
        let (near, (mut far, _)) = try_zip(connect_unix(&path.0), listener.accept())
            .await
            .expect("an address");
        assert_eq!(listener.local_addr().unwrap().as_pathname(), Some(&*path.0));
        let sent = bytes(1 << 20);
        let (read, write) = near.into_split();
        let sender = async {
            write.write_all(&sent).await.expect("room");
            drop(write);
        };
        let receiver = async {
            let mut received = Vec::new();
            far.read_to_end(&mut received).await.expect("bytes");
            received
        };
        let ((), received) = zip(sender, receiver).await;
        assert!(received == sent);
        far.write_all(b"last").await.expect("this half is open");
        let mut buf = [0; 4];
        read.read_exact(&mut buf).await.expect("bytes");
        assert_eq!(&buf, b"last");
    });
}

#[test]
fn connect_error_names_the_path() {
    run(async {
        let path = TempPath::new("absent");
        let error = UnixStream::connect(&path.0)
            .await
            .expect_err("the path does not exist");
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.to_string().contains("absent"), "{error}");
        drop(UnixListener::bind(&path.0).expect("a listener"));
        let error = connect_unix(&path.0)
            .await
            .expect_err("only the file is left");
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
        let error = UnixListener::bind(&path.0).expect_err("the file is left");
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
        assert!(error.to_string().contains("absent"), "{error}");
    });
}

#[test]
fn empty_pair_waits_and_ends() {
    run(async {
        let (mut near, far) = UnixStream::pair().expect("descriptors");
        let mut buf = [0; 1];
        assert!(poll_once(near.read(&mut buf)).await.is_none());
        assert_eq!(
            near.try_read(&mut buf).unwrap_err().kind(),
            ErrorKind::WouldBlock
        );
        {
            let (read, write) = near.split();
            write.write_all(b"x").await.expect("room");
            assert!(poll_once(read.read(&mut buf)).await.is_none());
        }
        assert_eq!(far.read(&mut buf).await.ok(), Some(1));
        drop(far);
        near.readable().await.expect("the driver is there");
        assert_eq!(near.read(&mut buf).await.ok(), Some(0));
    });
}

#[test]
fn datagrams_keep_their_bounds_and_their_sender() {
    run(async {
        let (one, two) = (TempPath::new("one"), TempPath::new("two"));
        let near = UnixDatagram::bind(&one.0).expect("a socket");
        let far = UnixDatagram::bind(&two.0).expect("a socket");
        let mut buf = [0; 16];
        assert!(poll_once(far.recv_from(&mut buf)).await.is_none());
        near.send_to(b"ping", &two.0).await.expect("room");
        let (len, peer) = far.recv_from(&mut buf).await.expect("a datagram");
        assert_eq!(
            (&buf[..len], peer.as_pathname()),
            (&b"ping"[..], Some(&*one.0))
        );
        let nameless = UnixDatagram::unbound().expect("a descriptor");
        nameless.connect(&two.0).expect("connects");
        nameless.send(b"pong").await.expect("room");
        assert_eq!(far.recv(&mut buf).await.ok(), Some(4));
    });
}

#[test]
fn sockets_go_to_std_and_back() {
    run(async {
        let (near, far) = UnixStream::pair().expect("descriptors");
        let near = UnixStream::from_std(near.into_std().expect("blocks")).expect("registered");
        near.write_all(b"x").await.expect("room");
        assert_eq!(far.read(&mut [0]).await.ok(), Some(1));
        let path = TempPath::new("std");
        let listener = UnixListener::bind(&path.0).expect("a listener");
        let listener = listener.into_std().expect("blocks");
        let listener = UnixListener::from_std(listener).expect("registered");
        try_zip(connect_unix(&path.0), listener.accept())
            .await
            .expect("an address");
        let (near, far) = UnixDatagram::pair().expect("descriptors");
        let near = UnixDatagram::from_std(near.into_std().expect("blocks")).expect("registered");
        near.send(b"x").await.expect("room");
        assert_eq!(far.recv(&mut [0]).await.ok(), Some(1));
    });
}

/// Sends one byte and a descriptor.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn send_descriptor(stream: &UnixStream, descriptor: impl AsRawFd) {
    let (socket_level, rights): (i32, i32) = (1, 1);
    let mut control = Vec::new();
    control.extend(20_usize.to_ne_bytes());
    for word in [socket_level, rights, descriptor.as_raw_fd(), 0] {
        control.extend(word.to_ne_bytes());
    }
    let bytes = [IoSlice::new(b"X")];
    let message = MsgHdr::new().with_buffers(&bytes).with_control(&control);
    let sent = SockRef::from(stream).sendmsg(&message, 0);
    assert_eq!(sent.expect("room"), 1);
}

/// A read stops at a passed descriptor, although bytes after it have been reported.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn read_continues_after_a_passed_descriptor() {
    run(async {
        let (near, far) = UnixStream::pair().expect("descriptors");
        far.write_all(b"abc").await.expect("room");
        send_descriptor(&far, std::io::stdin());
        far.write_all(b"def").await.expect("room");
        sleep(Duration::from_millis(20)).await;
        let mut received: Vec<u8> = Vec::new();
        while received.len() < 7 {
            let mut buf = [0; 16];
            let read = timeout(Duration::from_secs(5), near.read(&mut buf)).await;
            let read = read.expect("the rest is there").expect("bytes");
            received.extend(&buf[..read]);
        }
        assert_eq!(received, b"abcXdef");
    });
}
