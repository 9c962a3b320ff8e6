//! Sockets with options, operations that do not wait, and abstract Unix addresses.
#![cfg(all(unix, not(miri)))]

use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::time::Duration;

use volt::net::{Interest, TcpListener, TcpSocket, TcpStream, UdpSocket, UnixDatagram, UnixStream};
use volt::time::timeout;

fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().expect("a runtime").block_on(future)
}

fn address(text: &str) -> SocketAddr {
    text.parse().expect("an address")
}

async fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address");
    let near = TcpStream::connect(address).await.expect("connected");
    let (far, _) = listener.accept().await.expect("accepted");
    (near, far)
}

const SOON: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(20);

#[test]
fn socket_connects_from_its_bound_address() {
    run(async {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(address("127.0.0.1:0")).expect("bound");
        let listener = socket.listen(7).expect("a listener");
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(address("127.0.0.3:0")).expect("bound");
        let from = socket.local_addr().expect("an address");
        let to = listener.local_addr().expect("an address");
        let near = socket.connect(to).await.expect("connected");
        let (far, peer) = listener.accept().await.expect("accepted");
        assert_eq!((peer, near.peer_addr().ok()), (from, Some(to)));
        near.write_all(b"hello").await.expect("sent");
        let mut read = [0; 5];
        far.read_exact(&mut read).await.expect("read");
        assert_eq!(&read, b"hello");
    });
}

#[test]
fn socket_options_are_read_back() {
    let socket = TcpSocket::new_v6().expect("a socket");
    socket.set_reuseaddr(true).expect("set");
    socket.set_reuseport(true).expect("set");
    socket.set_nodelay(true).expect("set");
    socket.set_keepalive(true).expect("set");
    socket
        .set_linger(Some(Duration::from_secs(3)))
        .expect("set");
    socket.set_send_buffer_size(100_000).expect("set");
    socket.set_recv_buffer_size(100_000).expect("set");
    assert_eq!(socket.reuseaddr().ok(), Some(true));
    assert_eq!(socket.reuseport().ok(), Some(true));
    assert_eq!(socket.nodelay().ok(), Some(true));
    assert_eq!(socket.keepalive().ok(), Some(true));
    assert_eq!(socket.linger().ok(), Some(Some(Duration::from_secs(3))));
    assert!(socket.send_buffer_size().is_ok_and(|size| size >= 100_000));
    assert!(socket.recv_buffer_size().is_ok_and(|size| size >= 100_000));
}

#[test]
fn two_listeners_share_an_address() {
    run(async {
        let listen = |at: SocketAddr| {
            let socket = TcpSocket::new_v4()?;
            socket.set_reuseport(true)?;
            socket.bind(at)?;
            socket.listen(64)
        };
        let first = listen(address("127.0.0.1:0")).expect("a listener");
        let second = listen(first.local_addr().expect("an address")).expect("another");
        assert_eq!(first.local_addr().ok(), second.local_addr().ok());
        let without_option = TcpSocket::new_v4().expect("a socket");
        let taken = without_option.bind(first.local_addr().expect("an address"));
        let error = taken.expect_err("without the option");
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
    });
}

#[test]
fn refused_connection_names_the_address() {
    run(async {
        let gone = TcpListener::bind("127.0.0.1:0").expect("a listener");
        let at = gone.local_addr().expect("an address");
        drop(gone);
        let socket = TcpSocket::new_v4().expect("a socket");
        let error = socket.connect(at).await.expect_err("no listener");
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
        assert!(error.to_string().contains(&at.to_string()), "{error}");
    });
}

#[test]
fn readiness_matches_the_interest() {
    run(async {
        let (near, far) = pair().await;
        // The socket counts as ready until an operation would block.
        assert!(far.ready(Interest::READABLE).await.is_ok());
        // The first event of a socket reports that it is writable. A `WouldBlock` before this event
        // clears nothing.
        let mut waits = false;
        for _ in 0..3 {
            let refused = far.try_read(&mut [0; 4]).expect_err("nothing to read");
            assert_eq!(refused.kind(), ErrorKind::WouldBlock);
            waits |= timeout(SOON, far.ready(Interest::READABLE)).await.is_err();
        }
        assert!(waits);
        let both = Interest::READABLE | Interest::WRITABLE;
        let ready = far.ready(both).await.expect("writable");
        assert_eq!((ready.is_readable(), ready.is_writable()), (false, true));
        near.write_all(b"x").await.expect("sent");
        let ready = far.ready(Interest::READABLE).await.expect("readable");
        assert_eq!((ready.is_readable(), ready.is_writable()), (true, false));
        assert!(near.try_read(&mut [0; 4]).is_err(), "nothing was sent back");
        // A full connection becomes writable when the peer reads.
        while timeout(SOON, near.ready(Interest::WRITABLE)).await.is_ok() {
            while near.try_write(&[7; 65_536]).is_ok() {}
        }
        let reader = volt::spawn(async move {
            let mut buf = vec![0; 65_536];
            while far.read(&mut buf).await.is_ok_and(|len| len > 0) {}
        });
        let ready = timeout(LONG, near.ready(both))
            .await
            .expect("in time")
            .expect("ready");
        assert!(ready.is_writable() && !ready.is_readable());
        drop(near);
        reader.await.expect("no panic");
    });
}

#[test]
fn vectored_and_uninit_reads_transfer_bytes() {
    run(async {
        let (near, far) = pair().await;
        near.writable().await.expect("room");
        let parts = [IoSlice::new(b"ab"), IoSlice::new(b"cde")];
        assert_eq!(near.try_write_vectored(&parts).ok(), Some(5));
        far.readable().await.expect("bytes");
        let (mut first, mut second) = ([0; 1], [0; 2]);
        let mut bufs = [IoSliceMut::new(&mut first), IoSliceMut::new(&mut second)];
        assert_eq!(far.try_read_vectored(&mut bufs).ok(), Some(3));
        assert_eq!((&first, &second), (b"a", b"bc"));

        let mut bare = [MaybeUninit::new(b'-'); 8];
        let read = poll_fn(|cx| far.poll_read_uninit(cx, &mut bare)).await;
        assert_eq!(read.ok(), Some(2));
        // SAFETY: All bytes were initialized before the read.
        let text = bare.map(|byte| unsafe { byte.assume_init() });
        assert_eq!(&text, b"de------");
        let waits = poll_fn(|cx| far.poll_read_uninit(cx, &mut bare));
        assert!(timeout(SOON, waits).await.is_err());
        let refused = far.try_read_vectored(&mut [IoSliceMut::new(&mut [0; 4])]);
        assert_eq!(
            refused.expect_err("nothing to read").kind(),
            ErrorKind::WouldBlock
        );
        drop(near);
        let end = poll_fn(|cx| far.poll_read_uninit(cx, &mut bare)).await;
        assert_eq!(end.ok(), Some(0));

        let (near, far) = UnixStream::pair().expect("a pair");
        near.write_all(b"unix").await.expect("sent");
        assert!(
            far.ready(Interest::READABLE)
                .await
                .expect("bytes")
                .is_readable()
        );
        let read = poll_fn(|cx| far.poll_read_uninit(cx, &mut bare)).await;
        assert_eq!(read.ok(), Some(4));
    });
}

#[test]
fn datagrams_are_tried_at_once() {
    run(async {
        let near = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let far = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        near.connect(far.local_addr().expect("an address"))
            .expect("connected");
        far.connect(near.local_addr().expect("an address"))
            .expect("connected");
        let mut buf = [0; 16];
        // The operation shows that the socket is not ready.
        assert!(timeout(SOON, far.recv(&mut buf)).await.is_err());
        let refused = far.try_recv(&mut buf).expect_err("no datagram");
        assert_eq!(refused.kind(), ErrorKind::WouldBlock);
        near.ready(Interest::WRITABLE).await.expect("room");
        assert_eq!(near.try_send(b"ping").ok(), Some(4));
        far.ready(Interest::READABLE).await.expect("readable");
        assert_eq!(far.try_recv(&mut buf).ok(), Some(4));
        assert_eq!(&buf[..4], b"ping");

        let (near, far) = UnixDatagram::pair().expect("a pair");
        near.writable().await.expect("room");
        assert_eq!(near.try_send(b"pong!").ok(), Some(5));
        far.readable().await.expect("readable");
        assert_eq!(far.try_recv(&mut buf).ok(), Some(5));
        assert_eq!(&buf[..5], b"pong!");
    });
}

#[test]
fn datagrams_of_paths_are_tried_at_once() {
    run(async {
        let path = |name: &str| {
            let name = format!("volt-sockets-{}-{name}", std::process::id());
            std::env::temp_dir().join(name)
        };
        let (near, far) = (path("near"), path("far"));
        let from = UnixDatagram::bind(&near).expect("a socket");
        let to = UnixDatagram::bind(&far).expect("a socket");
        from.ready(Interest::WRITABLE).await.expect("room");
        assert_eq!(from.try_send_to(b"here", &far).ok(), Some(4));
        to.ready(Interest::READABLE).await.expect("readable");
        let mut buf = [0; 8];
        let (len, sender) = to.try_recv_from(&mut buf).expect("a datagram");
        assert_eq!(
            (&buf[..len], sender.as_pathname()),
            (&b"here"[..], Some(near.as_path()))
        );
        std::fs::remove_file(near).expect("removed");
        std::fs::remove_file(far).expect("removed");
    });
}

#[cfg(target_os = "linux")]
mod on_linux {
    //! Features that only Linux has.

    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::SocketAddr;

    use socket2::{Domain, Socket, Type};
    use volt::net::{UnixDatagram, UnixListener, UnixStream};

    fn abstract_address(name: &str) -> SocketAddr {
        let name = format!("volt-{}-{name}", std::process::id());
        SocketAddr::from_abstract_name(name).expect("a name")
    }

    #[test]
    fn abstract_address_ends_with_its_listener() {
        super::run(async {
            let address = abstract_address("stream");
            let listener = UnixListener::bind_addr(&address).expect("a listener");
            assert!(
                UnixListener::bind_addr(&address).is_err(),
                "the address is taken"
            );
            let near = UnixStream::connect_addr(&address).await.expect("connected");
            let (far, _) = listener.accept().await.expect("accepted");
            near.write_all(b"hidden").await.expect("sent");
            let mut read = [0; 6];
            far.read_exact(&mut read).await.expect("read");
            assert_eq!(&read, b"hidden");
            assert_eq!(
                near.peer_addr().expect("an address").as_abstract_name(),
                address.as_abstract_name()
            );
            drop(listener);
            assert!(UnixStream::connect_addr(&address).await.is_err());

            let address = abstract_address("datagram");
            let to = UnixDatagram::bind_addr(&address).expect("a socket");
            assert_eq!(
                to.local_addr().expect("an address").as_abstract_name(),
                address.as_abstract_name()
            );
        });
    }

    /// A socket without a peer has no process, like a peer in another process namespace.
    #[test]
    fn peer_without_a_process_has_credentials() {
        super::run(async {
            let socket = Socket::new(Domain::UNIX, Type::STREAM, None).expect("a socket");
            let stream = UnixStream::from_std(socket.into()).expect("registered");
            let peer = stream.peer_cred().expect("no error");
            assert_eq!(peer.pid(), None);
            assert_eq!((peer.uid(), peer.gid()), (u32::MAX, u32::MAX));
            assert!(format!("{peer:?}").contains("process: None"));
        });
    }

    #[test]
    fn abstract_names_are_paths_with_a_leading_zero() {
        super::run(async {
            let path = format!("\0volt-paths-{}", std::process::id());
            let listener = UnixListener::bind(&path).expect("a listener");
            let local = listener.local_addr().expect("an address");
            assert_eq!(local.as_abstract_name(), Some(&path.as_bytes()[1..]));
            let near = UnixStream::connect(&path).await.expect("connected");
            let (far, _) = listener.accept().await.expect("accepted");
            near.write_all(b"x").await.expect("sent");
            far.read_exact(&mut [0]).await.expect("read");

            let [from, to] = ["from", "to"].map(|name| format!("{path}-{name}"));
            let to_socket = UnixDatagram::bind(&to).expect("a socket");
            let from_socket = UnixDatagram::bind(&from).expect("a socket");
            let address = to_socket.local_addr().expect("an address");
            from_socket.send_to(b"1", &to).await.expect("sent");
            from_socket.try_send_to(b"2", &to).expect("sent");
            from_socket
                .send_to_addr(b"3", &address)
                .await
                .expect("sent");
            from_socket.connect_addr(&address).expect("connected");
            from_socket.send(b"4").await.expect("sent");
            for expected in b"1234" {
                let mut buf = [0; 4];
                let (len, peer) = to_socket.recv_from(&mut buf).await.expect("received");
                assert_eq!(&buf[..len], [*expected]);
                assert_eq!(peer.as_abstract_name(), Some(&from.as_bytes()[1..]));
            }
            let error = UnixStream::connect("\0volt-absent")
                .await
                .expect_err("refused");
            let text = "cannot connect to @volt-absent: Connection refused (os error 111)";
            assert_eq!(error.to_string(), text);
        });
    }

    #[test]
    fn peer_is_this_process() {
        super::run(async {
            let (near, _far) = UnixStream::pair().expect("a pair");
            let peer = near.peer_cred().expect("an answer");
            assert_eq!(peer.pid(), i32::try_from(std::process::id()).ok());
            let own = std::fs::metadata("/proc/self").expect("Linux has it");
            use std::os::unix::fs::MetadataExt;
            assert_eq!((peer.uid(), peer.gid()), (own.uid(), own.gid()));
        });
    }
}

/// The futures are `Send`, so they can be spawned.
#[test]
fn connection_is_made_in_a_task() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
        let at = listener.local_addr().expect("an address");
        let near = volt::spawn(async move { TcpSocket::new_v4()?.connect(at).await });
        let (far, _) = listener.accept().await.expect("accepted");
        let near: io::Result<TcpStream> = near.await.expect("no panic");
        near.expect("connected")
            .write_all(b"ok")
            .await
            .expect("sent");
        let mut read = [0; 2];
        far.read_exact(&mut read).await.expect("read");
        assert_eq!(&read, b"ok");
    });
}
