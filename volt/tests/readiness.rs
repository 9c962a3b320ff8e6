//! Readiness of sockets, and reads and peeks after it.
#![cfg(all(unix, not(miri)))]

use std::future::Future;
use std::io::{ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::time::{Duration, Instant};

use socket2::{Domain, SockRef, Socket, Type};
use volt::io::{Interest, Registered};
use volt::net::{TcpListener, TcpStream, UdpSocket, UnixListener, UnixStream};
use volt::time::timeout;

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().expect("a runtime").block_on(future)
}

const SOON: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(20);

async fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address");
    let near = TcpStream::connect(address).await.expect("connected");
    let (far, _) = listener.accept().await.expect("accepted");
    (near, far)
}

#[test]
fn closed_halves_are_reported() {
    run(async {
        let (near, far) = pair().await;
        // A new socket counts as ready until an operation would block.
        let error = near.try_read(&mut [0]).expect_err("nothing to read");
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        assert!(timeout(SOON, near.ready(Interest::READABLE)).await.is_err());
        far.shutdown(std::net::Shutdown::Write)
            .expect("half closed");
        let ready = near.ready(Interest::READABLE).await.expect("reported");
        assert!(ready.is_readable() && ready.is_read_closed() && !ready.is_write_closed());
        assert_eq!(format!("{ready:?}"), "READABLE | READ_CLOSED");
        let (near, far) = UnixStream::pair().expect("a pair");
        drop(far);
        let both = Interest::READABLE | Interest::WRITABLE;
        let is_closed = async {
            while !near.ready(both).await.expect("reported").is_write_closed() {
                volt::task::yield_now().await;
            }
        };
        timeout(LONG, is_closed).await.expect("reported");
    });
}

#[cfg(target_os = "linux")]
#[test]
fn urgent_data_is_reported() {
    run(async {
        let (near, far) = pair().await;
        let urgent = near.ready(Interest::PRIORITY);
        assert!(timeout(SOON, urgent).await.is_err());
        SockRef::from(&far).send_out_of_band(b"!").expect("sent");
        let ready = timeout(LONG, near.ready(Interest::PRIORITY)).await;
        let ready = ready.expect("in time").expect("reported");
        assert!(ready.is_priority() && !ready.is_readable());
        let read = |near: &TcpStream| {
            let mut buf = [std::mem::MaybeUninit::uninit(); 4];
            SockRef::from(near).recv_out_of_band(&mut buf)
        };
        assert_eq!(near.try_io(Interest::PRIORITY, read).ok(), Some(1));
        let error = near.try_io(Interest::PRIORITY, |_| -> std::io::Result<()> {
            Err(ErrorKind::WouldBlock.into())
        });
        assert_eq!(error.expect_err("no more").kind(), ErrorKind::WouldBlock);
        assert!(timeout(SOON, near.ready(Interest::PRIORITY)).await.is_err());
        // The other states have not changed.
        near.ready(Interest::WRITABLE).await.expect("there is room");
    });
}

#[test]
fn errors_are_reported_to_error_interest() {
    run(async {
        let gone = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let address = gone.local_addr().expect("an address");
        drop(gone);
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        socket.connect(address).expect("connected");
        assert!(timeout(SOON, socket.ready(Interest::ERROR)).await.is_err());
        socket.send(b"x").await.expect("sent");
        let ready = timeout(LONG, socket.ready(Interest::ERROR)).await;
        assert!(ready.expect("in time").expect("reported").is_error());
        let error = socket.take_error().expect("an answer").expect("refused");
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
        assert!(socket.take_error().expect("an answer").is_none());
    });
}

#[test]
fn descriptor_waits_for_several_states() {
    run(async {
        let (near, far) = std::os::unix::net::UnixStream::pair().expect("a pair");
        near.set_nonblocking(true).expect("set");
        let near = Registered::new(near).expect("registered");
        let read = |mut near: &std::os::unix::net::UnixStream| near.read(&mut [0; 4]);
        let refused = near.try_io(Interest::READABLE, read).expect_err("empty");
        assert_eq!(refused.kind(), ErrorKind::WouldBlock);
        (&far).write_all(b"x").expect("written");
        let both = Interest::READABLE | Interest::PRIORITY;
        let ready = timeout(LONG, near.ready(both)).await;
        assert!(ready.expect("in time").expect("reported").is_readable());
        assert_eq!(near.try_io(both, read).ok(), Some(1));
    });
}

#[test]
fn pending_connection_makes_a_listener_readable() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
        let address = listener.local_addr().expect("an address");
        assert!(listener.try_accept().is_err());
        assert!(timeout(SOON, listener.readable()).await.is_err());
        let _near = TcpStream::connect(address).await.expect("connected");
        listener.readable().await.expect("reported");
        listener.try_accept().expect("a connection");
        assert!(listener.take_error().expect("an answer").is_none());

        let name = format!("volt-readiness-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let listener = UnixListener::bind(&path).expect("a listener");
        assert!(listener.try_accept().is_err());
        assert!(timeout(SOON, listener.readable()).await.is_err());
        let _near = UnixStream::connect(&path).await.expect("connected");
        std::fs::remove_file(path).expect("removed");
        listener.readable().await.expect("reported");
        listener.try_accept().expect("a connection");
    });
}

#[test]
fn datagram_is_peeked_at() {
    run(async {
        let to = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let from = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let (at, sender) = (to.local_addr(), from.local_addr().ok());
        from.send_to(b"ping", at.expect("an address"))
            .await
            .expect("sent");
        let mut buf = [0; 8];
        for _ in 0..2 {
            let (len, peer) = to.peek_from(&mut buf).await.expect("received");
            assert_eq!((&buf[..len], Some(peer)), (&b"ping"[..], sender));
        }
        assert_eq!(to.recv(&mut buf).await.ok(), Some(4));
        assert!(timeout(SOON, to.peek_from(&mut buf)).await.is_err());
    });
}

#[test]
fn halves_peek_and_try() {
    run(async {
        let (mut near, far) = pair().await;
        {
            let (read, write) = near.split();
            assert!(read.try_read(&mut [0]).is_err());
            write.writable().await.expect("there is room");
            assert_eq!(write.try_write(b"there").ok(), Some(5));
        }
        let (read, write) = far.into_split();
        read.readable().await.expect("readable");
        let mut buf = [0; 8];
        assert_eq!(read.peek(&mut buf).await.ok(), Some(5));
        let (mut first, mut second) = ([0; 2], [0; 8]);
        let mut bufs = [IoSliceMut::new(&mut first), IoSliceMut::new(&mut second)];
        assert_eq!(read.read_vectored(&mut bufs).await.ok(), Some(5));
        assert_eq!((&first, &second[..3]), (b"th", &b"ere"[..]));
        assert!(read.try_read(&mut buf).is_err());

        let bufs = [IoSlice::new(b"and "), IoSlice::new(b"back")];
        assert_eq!(write.write_vectored(&bufs).await.ok(), Some(8));
        assert_eq!(write.try_write_vectored(&bufs).ok(), Some(8));
        assert!(
            write
                .ready(Interest::WRITABLE)
                .await
                .expect("room")
                .is_writable()
        );
        let mut all = [0; 16];
        near.read_exact(&mut all).await.expect("read");
        assert_eq!(&all, b"and backand back");
    });
}

/// Returns a listener with a full accept queue, so that the system answers no further connection.
fn full_listener() -> (Socket, Vec<Socket>) {
    let listener = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    let any = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    listener.bind(&any.into()).expect("bound");
    listener.listen(0).expect("a listener");
    let address = listener.local_addr().expect("an address");
    let waiting = (0..8).map(|_| {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.set_nonblocking(true).expect("set");
        // The connection is in progress, or gets no answer.
        let _ = socket.connect(&address);
        socket
    });
    let waiting = waiting.collect();
    (listener, waiting)
}

#[cfg(target_os = "linux")]
#[test]
fn connect_races_a_silent_address() {
    run(async {
        let (full, _waiting) = full_listener();
        let silent = full.local_addr().expect("an address").as_socket();
        let silent = silent.expect("an address of IP");
        let good = TcpListener::bind("127.0.0.1:0").expect("a listener");
        let answers = good.local_addr().expect("an address");
        let refused = std::net::SocketAddr::from(([127, 0, 0, 1], 1));
        let begun = Instant::now();
        let addresses = [refused, silent, silent, answers];
        let connected = timeout(LONG, TcpStream::connect(addresses)).await;
        let stream = connected.expect("in time").expect("connected");
        assert_eq!(stream.peer_addr().ok(), Some(answers));
        let took = begun.elapsed();
        // The refused address is skipped at once, and two attempts wait for 250 ms each.
        assert!(took >= Duration::from_millis(480), "{took:?}");
        assert!(took < Duration::from_secs(5), "{took:?}");
        let error = TcpStream::connect([refused, refused]).await;
        let text = error.expect_err("no listener").to_string();
        assert!(text.contains("connect to 127.0.0.1:1"), "{text}");
    });
}
