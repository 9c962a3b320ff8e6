//! The relay, over loopback.

mod support;

use async_tungstenite::tungstenite::Message;
use ecosystem::relay::{self, ClientSocket};
use futures_lite::StreamExt;
use volt::net::{TcpListener, TcpStream};

use support::in_time;

fn run<F: Future>(future: F) -> F::Output {
    volt::block_on(in_time(future))
}

async fn heard(socket: &mut ClientSocket) -> Message {
    socket.next().await.expect("it is open").unwrap()
}

/// Bytes that no two places of have in common by chance.
fn noise(seed: u32, len: usize) -> Vec<u8> {
    let mut word = 0x9e37_79b9_u32 ^ seed;
    let next = || {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        word.to_le_bytes()[0]
    };
    std::iter::repeat_with(next).take(len).collect()
}

#[test]
fn messages_reach_all_others_whole() {
    run(async {
        let (server, client) = relay::configurations().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = async_channel::bounded::<()>(1);
        let serving = volt::spawn(async move {
            let end = async {
                let _ = ended.recv().await;
            };
            relay::serve(listener, server, end).await
        });
        let mut sockets = Vec::new();
        for n in 0..4 {
            let mut socket = relay::join(address, client.clone()).await.unwrap();
            // Each message reaches the clients before it, so all of them are connected in the end.
            socket.send(Message::text(format!("{n}"))).await.unwrap();
            for earlier in &mut sockets {
                assert_eq!(heard(earlier).await, Message::text(format!("{n}")));
            }
            sockets.push(socket);
        }
        for (from, len) in [(0, 0), (1, 1), (2, 100_000), (3, 1_000_000), (0, 70_000)] {
            let sent = Message::binary(noise(from as u32, len));
            sockets[from].send(sent.clone()).await.unwrap();
            for (to, socket) in sockets.iter_mut().enumerate() {
                if to != from {
                    assert!(
                        heard(socket).await == sent,
                        "{len} bytes from {from} to {to}"
                    );
                }
            }
        }
        // A client that leaves is closed properly, and receives no further message.
        let mut leaving = sockets.pop().unwrap();
        leaving.close(None).await.unwrap();
        assert!(matches!(
            leaving.next().await,
            Some(Ok(Message::Close(_))) | None
        ));
        sockets[0].send(Message::text("bye")).await.unwrap();
        assert_eq!(heard(&mut sockets[1]).await, Message::text("bye"));
        drop(end);
        serving.await.unwrap().unwrap();
        assert!(!matches!(sockets[0].next().await, Some(Ok(_))));
    });
}

#[test]
fn client_without_tls_is_refused() {
    run(async {
        let (server, client) = relay::configurations().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serving = volt::spawn(relay::serve(listener, server, std::future::pending()));
        let plain = TcpStream::connect(address).await.unwrap();
        plain.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        let mut answer = [0; 64];
        // An alert of TLS, or nothing at all.
        while let Ok(count @ 1..) = plain.read(&mut answer).await {
            assert_ne!(&answer[..count.min(4)], b"HTTP");
        }
        let mut ann = relay::join(address, client.clone()).await.unwrap();
        let mut bob = relay::join(address, client).await.unwrap();
        bob.send(Message::text("here")).await.unwrap();
        assert_eq!(heard(&mut ann).await, Message::text("here"));
        serving.cancel();
    });
}

#[test]
fn stranger_is_not_trusted() {
    run(async {
        let (server, _) = relay::configurations().unwrap();
        let (_, of_another) = relay::configurations().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serving = volt::spawn(relay::serve(listener, server, std::future::pending()));
        let refused = relay::join(address, of_another)
            .await
            .expect_err("another certificate");
        assert!(refused.to_string().contains("certificate"), "{refused}");
        serving.cancel();
    });
}
