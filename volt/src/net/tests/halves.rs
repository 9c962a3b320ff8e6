//! Halves of connections, and options of connections.

use std::time::Duration;

use futures_lite::future::zip;
use futures_lite::{AsyncReadExt, AsyncWriteExt};

use super::support::{bytes, pair, run};
use crate::net::TcpStream;

#[test]
fn owned_halves_transfer_and_end_the_peers_read() {
    run(async {
        let (near, far) = pair().await;
        let (mut read, write) = near.into_split();
        let sent = bytes(1 << 20);
        let sender = async {
            write.write_all(&sent).await.expect("room");
            drop(write);
        };
        let echo = async {
            let (mut reader, mut writer) = (&far, &far);
            futures_lite::io::copy(&mut reader, &mut writer)
                .await
                .expect("copied");
            writer.close().await.expect("closes");
        };
        let receiver = async {
            let mut received = Vec::new();
            read.read_to_end(&mut received).await.expect("bytes");
            received
        };
        let (((), ()), received) = zip(zip(sender, echo), receiver).await;
        assert!(received == sent);
    });
}

#[test]
fn borrowed_halves_read_and_write() {
    run(async {
        let (mut near, far) = pair().await;
        let (read, write) = near.split();
        write.write_all(b"ping").await.expect("room");
        let mut buf = [0; 4];
        far.read_exact(&mut buf).await.expect("bytes");
        far.write_all(&buf).await.expect("room");
        read.read_exact(&mut buf).await.expect("bytes");
        assert_eq!(&buf, b"ping");
        assert_eq!(
            read.as_ref().local_addr().ok(),
            write.as_ref().local_addr().ok()
        );
    });
}

#[test]
fn reunited_halves_are_the_stream_still_open() {
    run(async {
        let (near, far) = pair().await;
        let (other, _) = pair().await;
        let address = near.local_addr().ok();
        let (read, write) = near.into_split();
        let (other_read, other_write) = other.into_split();
        let error = read
            .reunite(other_write)
            .expect_err("the halves belong to different connections");
        assert!(error.to_string().contains("different"));
        let (read, other_write) = (error.read, error.write);
        other_write.forget();
        drop(other_read);
        let near: TcpStream = write.reunite(read).expect("one connection");
        assert_eq!(near.local_addr().ok(), address);
        near.write_all(b"x").await.expect("the half is open");
        assert_eq!(far.read(&mut [0; 4]).await.ok(), Some(1));
    });
}

#[test]
fn forgotten_half_does_not_end_the_stream() {
    run(async {
        let (near, far) = pair().await;
        let (read, write) = near.into_split();
        write.forget();
        read.as_ref().write_all(b"x").await.expect("an open half");
        assert_eq!(far.read(&mut [0; 4]).await.ok(), Some(1));
    });
}

#[test]
fn options_are_as_they_were_set() {
    run(async {
        let (near, _far) = pair().await;
        near.set_ttl(9).expect("allowed");
        assert_eq!(near.ttl().ok(), Some(9));
        assert_eq!(near.linger().ok(), Some(None));
        near.set_linger(Some(Duration::from_secs(2)))
            .expect("allowed");
        assert_eq!(near.linger().ok(), Some(Some(Duration::from_secs(2))));
        near.set_linger(None).expect("allowed");
        near.set_keepalive(true).expect("allowed");
        assert_eq!(near.keepalive().ok(), Some(true));
    });
}

#[test]
fn stream_goes_to_std_and_back() {
    use std::io::{Read as _, Write as _};
    run(async {
        let (near, far) = pair().await;
        far.write_all(b"ab").await.expect("room");
        let mut std = near.into_std().expect("blocks");
        let mut buf = [0; 2];
        std.read_exact(&mut buf).expect("a blocking socket");
        std.write_all(&buf).expect("room");
        let near = TcpStream::from_std(std).expect("registered again");
        far.read_exact(&mut buf).await.expect("bytes");
        far.write_all(&buf).await.expect("room");
        near.read_exact(&mut buf).await.expect("bytes");
    });
}
