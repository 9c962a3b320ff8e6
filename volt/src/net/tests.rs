//! Sockets over loopback, on a driver that another thread waits in.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::{Shutdown, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use futures_lite::future::{block_on, poll_once, try_zip, zip};
use futures_lite::{AsyncReadExt, AsyncWriteExt};

use super::{TcpListener, TcpStream, connect};
use crate::driver::DriverThread;
use crate::runtime::context;
use crate::time::{sleep, timeout};

/// Runs a future beside a driver; a test that hangs fails.
fn run<F>(future: F) -> F::Output
where
    F: Future,
{
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let timed = block_on(timeout(Duration::from_secs(30), future));
    timed.expect("the sockets make progress")
}

fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").expect("loopback has a port")
}

/// Two ends of one connection.
async fn pair() -> (TcpStream, TcpStream) {
    let listener = listener();
    let address = listener.local_addr().expect("it listens");
    let (near, far) = try_zip(connect(address), listener.accept())
        .await
        .expect("loopback connects");
    assert_eq!(near.local_addr().ok(), Some(far.1));
    (near, far.0)
}

/// Bytes that do not repeat where buffers do.
fn bytes(len: usize) -> Vec<u8> {
    (0..len as u64)
        .map(|nth| (nth.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8)
        .collect()
}

/// Fills the stream's way to its peer until nothing more goes in.
fn fill(stream: &TcpStream) -> usize {
    let mut sent = 0;
    loop {
        match stream.try_write(&[7; 65_536]) {
            Ok(written) => sent += written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return sent,
            Err(error) => panic!("a stream nobody reads: {error}"),
        }
    }
}

async fn echo(stream: TcpStream) -> io::Result<usize> {
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

struct Counted(AtomicUsize);

impl Wake for Counted {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counted() -> (Arc<Counted>, Waker) {
    let counted = Arc::new(Counted(AtomicUsize::new(0)));
    (Arc::clone(&counted), Waker::from(counted))
}

#[test]
fn echo_returns_every_message() {
    run(async {
        let (near, far) = pair().await;
        let client = async {
            for len in [1, 10, 999, 1_000, 1_001, 5_000] {
                let sent = bytes(len);
                near.write_all(&sent).await?;
                let mut received = vec![0; len];
                near.read_exact(&mut received).await?;
                assert_eq!(received, sent);
            }
            near.shutdown(Shutdown::Write)
        };
        let (client, echoed) = zip(client, echo(far)).await;
        client.expect("the client");
        assert!(echoed.expect("the server") >= 6);
    });
}

#[test]
fn many_connections_at_once() {
    const CLIENTS: usize = 200;
    run(async {
        let listener = listener();
        let address = listener.local_addr().expect("it listens");
        let server = async {
            let mut served = Vec::new();
            for _ in 0..CLIENTS {
                served.push(echo(listener.accept().await?.0));
            }
            futures::future::try_join_all(served).await
        };
        let clients = (0..CLIENTS).map(|nth| async move {
            let stream = connect(address).await?;
            stream.set_nodelay(true)?;
            assert!(stream.nodelay()?);
            for _ in 0..10 {
                let sent = bytes(100 + nth);
                stream.write_all(&sent).await?;
                let mut received = vec![0; sent.len()];
                stream.read_exact(&mut received).await?;
                assert_eq!(received, sent);
            }
            Ok(())
        });
        let clients = futures::future::try_join_all(clients);
        try_zip(server, clients).await.expect("every echo");
    });
}

#[test]
fn large_transfer_arrives_byte_for_byte() {
    run(async {
        let (near, far) = pair().await;
        let sent = bytes(8 << 20);
        let sender = async {
            near.write_all(&sent).await?;
            (&near).close().await
        };
        let receiver = async {
            let mut received = Vec::new();
            (&far).read_to_end(&mut received).await?;
            Ok::<_, io::Error>(received)
        };
        let (done, received) = zip(sender, receiver).await;
        done.expect("the sender");
        assert!(received.expect("the receiver") == sent);
    });
}

#[test]
fn vectored_transfer_keeps_the_order() {
    run(async {
        let (mut near, mut far) = pair().await;
        let parts = [io::IoSlice::new(b"one "), io::IoSlice::new(b"two")];
        let written = near.write_vectored(&parts).await.expect("room");
        assert_eq!(written, 7);
        let (mut first, mut second) = ([0; 3], [0; 10]);
        let mut bufs = [
            io::IoSliceMut::new(&mut first),
            io::IoSliceMut::new(&mut second),
        ];
        let read = far.read_vectored(&mut bufs).await.expect("bytes");
        assert_eq!((read, &first, &second[..4]), (7, b"one", &b" two"[..]));
    });
}

#[test]
fn half_closed_stream_is_read_to_its_end() {
    run(async {
        let (mut near, far) = pair().await;
        near.close().await.expect("closes");
        near.close().await.expect("closes again");
        let mut buf = [0; 4];
        assert_eq!(far.read(&mut buf).await.expect("the end"), 0);
        far.write_all(b"last")
            .await
            .expect("the other half is open");
        near.read_exact(&mut buf).await.expect("bytes");
        assert_eq!(&buf, b"last");
        drop(far);
        let end = near.read_exact(&mut buf).await.expect_err("the end");
        assert_eq!(end.kind(), ErrorKind::UnexpectedEof);
    });
}

#[test]
#[cfg(target_os = "linux")]
fn reset_by_peer_fails_both_halves() {
    run(async {
        let (near, far) = pair().await;
        // A close with bytes left unread resets the connection.
        near.write_all(b"unread").await.expect("room");
        far.readable().await.expect("bytes");
        drop(far);
        let mut buf = [0; 4];
        let reset = near.read(&mut buf).await.expect_err("a reset");
        assert_eq!(reset.kind(), ErrorKind::ConnectionReset);
        let broken = near.write_all(b"more").await.expect_err("no peer");
        assert_eq!(broken.kind(), ErrorKind::BrokenPipe);
        std::future::poll_fn(|cx| near.poll_close(cx))
            .await
            .expect("there is nothing left to close");
    });
}

#[test]
fn refused_connection_names_the_address() {
    run(async {
        let address = listener().local_addr().expect("it listened");
        let refused = TcpStream::connect(address)
            .await
            .expect_err("nobody listens");
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        assert!(refused.to_string().contains(&address.to_string()));
        let cause = std::error::Error::source(&refused).map(ToString::to_string);
        assert!(cause.is_some_and(|cause| cause.contains("os error")));
    });
}

#[test]
fn connect_tries_every_address() {
    run(async {
        let refuses = listener().local_addr().expect("it listened");
        let listener = listener();
        let address = listener.local_addr().expect("it listens");
        let stream = connect(&[refuses, address][..]).await.expect("the second");
        assert_eq!(stream.peer_addr().ok(), Some(address));
        let none: [SocketAddr; 0] = [];
        let error = connect(&none[..]).await.expect_err("no address");
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    });
}

#[test]
fn port_in_use_names_the_address() {
    run(async {
        let first = listener();
        let address = first.local_addr().expect("it listens");
        let error = TcpListener::bind(address).expect_err("it is in use");
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
        assert!(error.to_string().contains(&address.to_string()));
    });
}

#[test]
fn cancelled_read_loses_no_byte() {
    run(async {
        let (near, far) = pair().await;
        let mut buf = [0; 5];
        for _ in 0..3 {
            assert!(poll_once(near.read(&mut buf)).await.is_none());
        }
        let cut = timeout(Duration::from_millis(5), near.read(&mut buf)).await;
        assert!(cut.is_err());
        far.write_all(b"hello").await.expect("room");
        near.read_exact(&mut buf).await.expect("bytes");
        assert_eq!(&buf, b"hello");
    });
}

#[test]
fn cancelled_accept_loses_no_connection() {
    run(async {
        let listener = listener();
        let address = listener.local_addr().expect("it listens");
        assert!(poll_once(listener.accept()).await.is_none());
        let cut = timeout(Duration::from_millis(5), listener.accept()).await;
        assert!(cut.is_err());
        let stream = connect(address).await.expect("connects");
        let (_, peer) = listener.accept().await.expect("the connection");
        assert_eq!(stream.local_addr().ok(), Some(peer));
        let nobody = listener.try_accept().expect_err("nobody comes");
        assert_eq!(nobody.kind(), ErrorKind::WouldBlock);
    });
}

#[test]
fn two_tasks_read_one_stream() {
    run(async {
        let (near, far) = pair().await;
        let (mut one, mut two) = ([0; 1], [0; 1]);
        let readers = zip(near.read(&mut one), near.read(&mut two));
        let writer = async {
            for _ in 0..2 {
                sleep(Duration::from_millis(5)).await;
                far.write_all(b"x").await.expect("room");
            }
        };
        let ((first, second), ()) = zip(readers, writer).await;
        assert_eq!((first.ok(), second.ok()), (Some(1), Some(1)));
    });
}

#[test]
fn peeked_bytes_stay() {
    run(async {
        let (near, far) = pair().await;
        far.write_all(b"abc").await.expect("room");
        let mut buf = [0; 2];
        assert_eq!(near.peek(&mut buf).await.expect("bytes"), 2);
        assert_eq!(near.peek(&mut buf).await.expect("bytes"), 2);
        let mut all = [0; 3];
        near.read_exact(&mut all).await.expect("bytes");
        assert_eq!(&all, b"abc");
    });
}

#[test]
fn halves_work_at_once() {
    run(async {
        let (mut near, far) = pair().await;
        let sent = bytes(1 << 20);
        let (mut reader, mut writer) = near.split();
        let write = async {
            writer.write_all(&sent).await?;
            writer.close().await
        };
        let read = async {
            let mut received = Vec::new();
            reader.read_to_end(&mut received).await?;
            Ok(received)
        };
        let server = async {
            echo(far).await?;
            Ok(())
        };
        let both = try_zip(try_zip(write, read), server).await;
        let (((), received), ()) = both.expect("the echo");
        assert!(received == sent);
    });
}

#[test]
fn full_stream_is_writable_when_the_peer_reads() {
    run(async {
        let (near, far) = pair().await;
        let sent = fill(&near);
        assert!(poll_once(near.writable()).await.is_none());
        let drain = async {
            let mut left = sent;
            let mut buf = vec![0; 1 << 16];
            while left > 0 {
                left -= far.read(&mut buf).await.expect("bytes");
            }
        };
        let (writable, ()) = zip(near.writable(), drain).await;
        writable.expect("the driver is there");
        assert!(near.try_write(b"more").is_ok());
    });
}

#[test]
fn readable_stream_may_have_nothing_to_read() {
    run(async {
        let (near, far) = pair().await;
        let nothing = near.try_read(&mut [0]).expect_err("nothing yet");
        assert_eq!(nothing.kind(), ErrorKind::WouldBlock);
        assert!(poll_once(near.readable()).await.is_none());
        far.write_all(b"x").await.expect("room");
        near.readable().await.expect("a byte");
        assert_eq!(near.try_read(&mut [0]).expect("a byte"), 1);
    });
}

#[test]
fn dropped_read_gives_its_waker_back() {
    run(async {
        let (near, _far) = pair().await;
        let (wakes, waker) = counted();
        let mut buf = [0; 1];
        let mut read = near.read(&mut buf);
        let polled = Pin::new(&mut read).poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
        assert_eq!(Arc::strong_count(&wakes), 3);
        drop(read);
        assert_eq!(Arc::strong_count(&wakes), 2);
        assert_eq!(wakes.0.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn sockets_of_std_are_taken_over() {
    run(async {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it listens");
        let far = std::thread::spawn(move || std::net::TcpStream::connect(address));
        let listener = TcpListener::from_std(listener).expect("registers");
        let (near, _) = listener.accept().await.expect("the connection");
        let far = far.join().expect("ran").expect("connects");
        let far = TcpStream::from_std(far).expect("registers");
        near.write_all(b"hi").await.expect("room");
        let mut buf = [0; 2];
        far.read_exact(&mut buf).await.expect("bytes");
        assert_eq!(&buf, b"hi");
    });
}

#[test]
fn sockets_fail_when_their_driver_is_gone() {
    let driver = DriverThread::start();
    let entered = context::enter(driver.handle());
    let (near, far) = block_on(pair());
    let mut buf = [0; 1];
    let mut read = near.read(&mut buf);
    assert!(block_on(poll_once(&mut read)).is_none());
    drop(entered);
    drop(driver);
    assert!(block_on(read).is_err(), "it would wait for ever");
    assert!(block_on(far.write_all(b"x")).is_err());
}

#[test]
fn socket_outside_a_runtime_panics() {
    let made = std::panic::catch_unwind(|| TcpListener::bind("127.0.0.1:0"));
    assert!(made.is_err());
}

#[test]
fn net_futures_are_send_and_sync() {
    fn check<T: Send + Sync + Unpin>(_: &T) {}
    run(async {
        let listener = listener();
        check(&listener);
        check(&listener.accept());
        let connecting = connect(listener.local_addr().expect("it listens"));
        check(&connecting);
        let stream = connecting.await.expect("connects");
        check(&stream);
        check(&stream.read(&mut []));
        check(&stream.write_all(&[]));
        check(&stream.readable());
    });
}
