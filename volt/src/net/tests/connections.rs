//! Listeners, connections, and methods of all sockets.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use futures_lite::future::{block_on, poll_once, try_zip};

use super::support::{bytes, echo, listener, pair, run};
use crate::driver::DriverThread;
use crate::net::{TcpListener, TcpStream, connect};
use crate::runtime::context;
use crate::time::timeout;

#[test]
fn many_connections_at_once() {
    const CLIENTS: usize = 200;
    run(async {
        let listener = listener();
        let address = listener.local_addr().expect("an address");
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

/// The system completes the handshakes of connections in the accept queue. With a queue of 128, it
/// would complete no further one, and `connect` would fail.
#[test]
#[cfg(target_os = "linux")]
fn accept_queue_has_the_length_of_the_system() {
    const CLIENTS: usize = 200;
    let limit = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("a limit");
    let limit: usize = limit.trim().parse().expect("a number");
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let count = CLIENTS.min(limit);
        let clients = (0..count).map(|_| std::net::TcpStream::connect(address));
        let clients: Result<Vec<_>, _> = clients.collect();
        assert_eq!(clients.expect("a place in the queue").len(), count);
    });
}

#[test]
fn refused_connection_names_the_address() {
    run(async {
        let address = listener().local_addr().expect("an address");
        let refused = TcpStream::connect(address).await.expect_err("no listener");
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        assert!(refused.to_string().contains(&address.to_string()));
        let cause = std::error::Error::source(&refused).map(ToString::to_string);
        assert!(cause.is_some_and(|cause| cause.contains("os error")));
    });
}

#[test]
fn connect_tries_every_address() {
    run(async {
        let refused = listener().local_addr().expect("an address");
        let listener = listener();
        let address = listener.local_addr().expect("an address");
        let stream = connect(&[refused, address][..]).await.expect("the second");
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
        let address = first.local_addr().expect("an address");
        let error = TcpListener::bind(address).expect_err("an address in use");
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
        assert!(error.to_string().contains(&address.to_string()));
    });
}

#[test]
fn cancelled_accept_loses_no_connection() {
    run(async {
        let listener = listener();
        let address = listener.local_addr().expect("an address");
        assert!(poll_once(listener.accept()).await.is_none());
        let cut = timeout(Duration::from_millis(5), listener.accept()).await;
        assert!(cut.is_err());
        let stream = connect(address).await.expect("connects");
        let (_, peer) = listener.accept().await.expect("the connection");
        assert_eq!(stream.local_addr().ok(), Some(peer));
        let would_block = listener.try_accept().expect_err("no connection");
        assert_eq!(would_block.kind(), ErrorKind::WouldBlock);
    });
}

#[test]
fn sockets_of_std_are_taken_over() {
    run(async {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
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
    assert!(block_on(read).is_err(), "the read waits forever");
    assert!(block_on(far.write_all(b"x")).is_err());
}

#[test]
fn dropped_sockets_are_deregistered() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let both = block_on(pair());
    assert!(!driver.handle().watches_nothing());
    drop(both);
    assert!(driver.handle().watches_nothing());
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
        let connecting = connect(listener.local_addr().expect("an address"));
        check(&connecting);
        let stream = connecting.await.expect("connects");
        check(&stream);
        check(&stream.read(&mut []));
        check(&stream.write_all(&[]));
        check(&stream.readable());
    });
}
