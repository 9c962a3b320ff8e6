//! UDP over loopback.

use std::future::poll_fn;
use std::io::{ErrorKind, Read};
use std::net::Ipv4Addr;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use futures_lite::future::zip;
use socket2::SockRef;

use super::support::run;
use crate::net::UdpSocket;

fn socket() -> UdpSocket {
    UdpSocket::bind("127.0.0.1:0").expect("loopback has a port")
}

#[test]
fn datagrams_keep_their_bounds_and_their_sender() {
    run(async {
        let (near, far) = (socket(), socket());
        let target = far.local_addr().expect("an address");
        for text in [&b"one"[..], b"", b"three"] {
            near.send_to(text, target).await.expect("room");
        }
        let mut buf = [0; 16];
        for text in [&b"one"[..], b"", b"three"] {
            let (len, peer) = far.recv_from(&mut buf).await.expect("a datagram");
            assert_eq!((&buf[..len], Some(peer)), (text, near.local_addr().ok()));
        }
    });
}

#[test]
fn waiting_receive_is_woken_by_each_datagram() {
    run(async {
        let (near, far) = (socket(), socket());
        near.connect(far.local_addr().expect("bound"))
            .expect("connects");
        far.connect(near.local_addr().expect("bound"))
            .expect("connects");
        assert_eq!(near.peer_addr().ok(), far.local_addr().ok());
        let mut buf = [0; 4];
        for round in 0..100_u8 {
            let (received, sent) = zip(far.recv(&mut buf), near.send(&[round])).await;
            assert_eq!((received.ok(), sent.ok()), (Some(1), Some(1)));
            assert_eq!(buf[0], round);
        }
    });
}

#[test]
fn polls_wait_and_tries_refuse() {
    run(async {
        let (near, far) = (socket(), socket());
        let target = far.local_addr().expect("bound");
        let mut buf = [0; 4];
        let would_block = far
            .try_recv_from(&mut buf)
            .expect_err("no datagram has arrived");
        assert_eq!(would_block.kind(), ErrorKind::WouldBlock);
        let mut cx = Context::from_waker(Waker::noop());
        assert!(far.poll_recv_from(&mut cx, &mut buf).is_pending());
        assert!(far.poll_recv(&mut cx, &mut buf).is_pending());
        let sent = near.poll_send_to(&mut cx, b"x", target);
        assert!(matches!(sent, Poll::Ready(Ok(1))));
        far.readable().await.expect("the driver is there");
        let peeked = far.poll_peek_from(&mut cx, &mut buf);
        assert!(matches!(peeked, Poll::Ready(Ok((1, _)))));
        assert_eq!(far.try_recv_from(&mut buf).expect("a datagram").0, 1);
        near.writable().await.expect("the driver is there");
        assert_eq!(near.try_send_to(b"yz", target).ok(), Some(2));
        near.connect(target).expect("connects");
        assert!(pin!(near.send(b"z")).poll(&mut cx).is_ready());
        assert!(near.poll_send(&mut cx, b"z").is_ready());
    });
}

#[test]
fn options_are_as_they_were_set() {
    run(async {
        let socket = socket();
        socket.set_broadcast(true).expect("allowed");
        socket.set_ttl(7).expect("allowed");
        socket.set_multicast_ttl_v4(3).expect("allowed");
        socket.set_multicast_loop_v4(false).expect("allowed");
        assert!(socket.broadcast().expect("an answer"));
        assert_eq!(socket.ttl().ok(), Some(7));
        assert_eq!(socket.multicast_ttl_v4().ok(), Some(3));
        assert_eq!(socket.multicast_loop_v4().ok(), Some(false));
    });
}

#[test]
fn multicast_group_is_joined_on_an_interface() {
    run(async {
        let (group, here) = (Ipv4Addr::new(224, 0, 0, 251), Ipv4Addr::LOCALHOST);
        let listener = UdpSocket::bind("0.0.0.0:0").expect("a port");
        listener.join_multicast_v4(group, here).expect("joins");
        assert!(listener.join_multicast_v4(group, here).is_err(), "twice");
        listener.leave_multicast_v4(group, here).expect("leaves");
        assert!(listener.leave_multicast_v4(group, here).is_err(), "twice");
    });
}

#[test]
fn socket_goes_to_std_and_back() {
    run(async {
        let near = socket();
        let address = near.local_addr().expect("bound");
        let std = near.into_std().expect("blocks");
        std.send_to(b"self", address).expect("room");
        let mut buf = [0; 4];
        assert_eq!(std.recv(&mut buf).expect("a blocking socket"), 4);
        std.send_to(b"self", address).expect("room");
        let near = UdpSocket::from_std(std).expect("registered again");
        assert_eq!(near.recv(&mut buf).await.expect("a datagram"), 4);
    });
}

#[test]
fn foreign_io_call_waits_and_would_block_like_ours() {
    run(async {
        let (near, far) = (socket(), socket());
        let target = far.local_addr().expect("bound");
        let mut buf = [0; 4];
        let mut receive = |far: &UdpSocket| (&*SockRef::from(far)).read(&mut buf);
        // The first `WouldBlock` clears the readiness, and the next call does not call the system.
        // The first event of a socket reports that it is writable. A `WouldBlock` before this event
        // clears nothing.
        let mut calls = 0;
        for _ in 0..3 {
            let would_block = far.try_read_io(|far| {
                calls += 1;
                receive(far)
            });
            let would_block = would_block.expect_err("no datagram has arrived");
            assert_eq!(would_block.kind(), ErrorKind::WouldBlock);
        }
        assert!(calls < 3, "{calls} system calls");

        let sent = near.try_write_io(|near| SockRef::from(near).send_to(b"ping", &target.into()));
        assert_eq!(sent.ok(), Some(4));
        let received = poll_fn(|cx| far.poll_read_io(cx, &mut receive)).await;
        assert_eq!(received.ok(), Some(4));
        let again = poll_fn(|cx| {
            near.poll_write_io(cx, |near| {
                SockRef::from(near).send_to(b"pong", &target.into())
            })
        });
        assert_eq!(again.await.ok(), Some(4));
        let received = poll_fn(|cx| far.poll_read_io(cx, &mut receive)).await;
        assert_eq!((received.ok(), &buf), (Some(4), b"pong"));
    });
}
