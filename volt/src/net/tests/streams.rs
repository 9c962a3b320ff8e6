//! Reads and writes of one connection.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use futures_lite::future::{poll_once, try_zip, zip};
use futures_lite::{AsyncReadExt, AsyncWriteExt};
#[cfg(target_os = "linux")]
use socket2::SockRef;

use super::support::{bytes, echo, fill, pair, run};
use crate::time::{sleep, timeout};

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
        let written = AsyncWriteExt::write_vectored(&mut near, &parts).await;
        let written = written.expect("room");
        assert_eq!(written, 7);
        let (mut first, mut second) = ([0; 3], [0; 10]);
        let mut bufs = [
            io::IoSliceMut::new(&mut first),
            io::IoSliceMut::new(&mut second),
        ];
        let read = AsyncReadExt::read_vectored(&mut far, &mut bufs).await;
        let read = read.expect("bytes");
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
        // A close with unread bytes resets the connection.
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
        let mut sent = fill(&near);
        while poll_once(near.writable()).await.is_some() {
            sent += fill(&near);
        }
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
        while poll_once(near.readable()).await.is_some() {
            let would_block = near.try_read(&mut [0]).expect_err("nothing to read");
            assert_eq!(would_block.kind(), ErrorKind::WouldBlock);
        }
        far.write_all(b"x").await.expect("room");
        near.readable().await.expect("a byte");
        assert_eq!(near.try_read(&mut [0]).expect("a byte"), 1);
    });
}

#[test]
fn dropped_read_drops_its_waker() {
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

/// A read stops at an urgent byte, although bytes after it have been reported.
#[cfg(target_os = "linux")]
#[test]
fn read_continues_after_an_urgent_byte() {
    run(async {
        let (near, far) = pair().await;
        for _ in 0..3 {
            far.write_all(b"abc").await.expect("room");
            let urgent = SockRef::from(&far).send_out_of_band(b"X");
            assert_eq!(urgent.expect("room"), 1);
            far.write_all(b"def").await.expect("room");
            sleep(Duration::from_millis(20)).await;
            let mut buf = [0; 16];
            let read = near.read(&mut buf).await.expect("bytes");
            assert_eq!(&buf[..read], b"abc");
            let read = timeout(Duration::from_secs(5), near.read(&mut buf)).await;
            let read = read.expect("the rest is there").expect("bytes");
            assert_eq!(&buf[..read], b"def");
        }
    });
}

/// The system accepts at most 1,024 buffers in one call, so one call transfers only a part of the
/// bytes.
#[test]
fn transfer_exceeds_the_systems_buffer_count() {
    run(async {
        let (near, far) = pair().await;
        let one = [7];
        let mut sent = 0;
        while sent < 4_096 {
            let bufs = vec![IoSlice::new(&one); 4_096 - sent];
            let written = timeout(Duration::from_secs(5), far.write_vectored(&bufs)).await;
            sent += written.expect("there is room").expect("connected");
        }
        sleep(Duration::from_millis(20)).await;
        let mut received = 0;
        while received < 4_096 {
            let mut bytes = vec![[0]; 4_096];
            let mut bufs: Vec<_> = bytes.iter_mut().map(|byte| IoSliceMut::new(byte)).collect();
            let read = timeout(Duration::from_secs(5), near.read_vectored(&mut bufs)).await;
            received += read.expect("bytes are there").expect("connected");
        }
    });
}
