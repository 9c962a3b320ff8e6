//! Copies in one and both directions, and halves of streams.

use std::io::ErrorKind;
use std::net::Shutdown;
use std::time::Duration;

use volt::io::{
    AsyncReadExt, AsyncWriteExt, BufReader, BufWriter, copy, copy_bidirectional, copy_buf, split,
};
use volt::time::{sleep, timeout};

use super::slow::{Narrow, Pieces, pair, pattern, run};

const LEN: usize = 1024 * 1024 + 3;

#[test]
fn copies_move_every_byte() {
    run(async {
        for buffered in [false, true] {
            let (near, far) = pair().await;
            let sender = volt::spawn(async move {
                let bytes = pattern(LEN);
                let moved = if buffered {
                    copy_buf(&bytes[..], &near).await?
                } else {
                    copy(&bytes[..], &near).await?
                };
                near.shutdown(Shutdown::Write)?;
                std::io::Result::Ok(moved)
            });
            let mut read = Vec::new();
            let moved = if buffered {
                copy_buf(BufReader::new(far), &mut read).await
            } else {
                copy(far, &mut read).await
            };
            assert_eq!(moved.ok(), Some(LEN as u64));
            assert!(read == pattern(LEN));
            let sent = sender.await.expect("no panic").expect("sent");
            assert_eq!(sent, LEN as u64);
        }
    });
}

/// Returns a reader that waits twice after each piece. The writer also waits, so only the second
/// wait is a pause.
fn slow_pieces() -> Pieces {
    let mut pieces = Pieces::new(["ab", "cde"]);
    pieces.0.insert(1, None);
    pieces.0.push_back(None);
    pieces
}

#[test]
fn copy_flushes_before_it_waits() {
    run(async {
        let mut writer = BufWriter::new(Narrow::new(100));
        let moved = copy(slow_pieces(), &mut writer).await;
        assert_eq!(moved.ok(), Some(5));
        assert_eq!(writer.get_ref().flushed, [2, 5, 5]);
        let mut writer = BufWriter::new(Narrow::new(100));
        let reader = BufReader::new(slow_pieces());
        assert_eq!(copy_buf(reader, &mut writer).await.ok(), Some(5));
        assert_eq!(writer.get_ref().flushed, [2, 5, 5]);
    });
}

#[test]
fn copy_into_a_full_writer_fails() {
    run(async {
        let error = copy(&b"abc"[..], Narrow::new(0))
            .await
            .expect_err("no room");
        assert_eq!(error.kind(), ErrorKind::WriteZero);
        let error = copy_buf(&b"abc"[..], Narrow::new(0))
            .await
            .expect_err("no room");
        assert_eq!(error.kind(), ErrorKind::WriteZero);
    });
}

#[test]
fn endless_copy_lets_others_run() {
    let runtime = volt::LocalRuntime::new().expect("a runtime");
    runtime.block_on(async {
        let endless = copy(volt::io::repeat(7), volt::io::sink());
        assert!(timeout(Duration::from_millis(20), endless).await.is_err());
    });
}

#[test]
fn proxy_forwards_half_closed_connections() {
    run(async {
        let (client, mut inside) = pair().await;
        let (mut outside, server) = pair().await;
        let proxy = volt::spawn(async move { copy_bidirectional(&mut inside, &mut outside).await });
        let serve = volt::spawn(async move {
            let (mut read, mut server) = (Vec::new(), server);
            server.read_to_end(&mut read).await?;
            read.reverse();
            server.write_all(&read).await?;
            server.write_all(b"end").await?;
            server.close().await
        });
        client.write_all(&pattern(LEN)).await.expect("sent");
        client.shutdown(Shutdown::Write).expect("half closed");
        let (mut answer, mut client) = (Vec::new(), client);
        client.read_to_end(&mut answer).await.expect("an answer");
        let mut expected = pattern(LEN);
        expected.reverse();
        expected.extend_from_slice(b"end");
        assert!(answer == expected);
        serve.await.expect("no panic").expect("served");
        let moved = proxy.await.expect("no panic").expect("copied");
        assert_eq!(moved, (LEN as u64, LEN as u64 + 3));
    });
}

#[test]
fn halves_of_any_stream_work_in_two_tasks() {
    run(async {
        let (near, far) = pair().await;
        // A `BufReader` must be borrowed mutably.
        let (mut read, mut write) = split(BufReader::new(far));
        let writer = volt::spawn(async move {
            sleep(Duration::from_millis(5)).await;
            write.write_all(&pattern(LEN)).await?;
            write.close().await?;
            std::io::Result::Ok(write)
        });
        // The read half waits for bytes at the same time, and does not block the write half.
        let reader = volt::spawn(async move {
            let mut got = Vec::new();
            read.read_to_end(&mut got).await.map(|_| (read, got))
        });
        let (mut near, mut got) = (near, Vec::new());
        near.read_to_end(&mut got).await.expect("bytes");
        assert!(got == pattern(LEN));
        near.write_all(b"back").await.expect("sent");
        near.close().await.expect("closed");
        let (read, back) = reader.await.expect("no panic").expect("read");
        let write = writer.await.expect("no panic").expect("written");
        assert_eq!(back, b"back");

        let (other, _) = split(EmptyStream);
        assert!(read.is_pair_of(&write) && read.reunite(write).is_ok());
        let (_, other_write) = split(EmptyStream);
        assert!(other.reunite(other_write).is_err());
    });
}

/// A stream that is always at its end.
#[derive(Debug)]
struct EmptyStream;

impl volt::io::AsyncRead for EmptyStream {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut [u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        std::task::Poll::Ready(Ok(0))
    }
}

impl volt::io::AsyncWrite for EmptyStream {
    fn poll_write(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        buf: &[u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        std::task::Poll::Ready(Ok(buf.len()))
    }

    fn poll_flush(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn poll_close(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Ok(()))
    }
}
