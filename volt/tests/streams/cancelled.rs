//! Futures that are dropped before completion: the bytes that are kept and lost, as documented.

use std::io::ErrorKind;
use std::task::Poll;
use std::time::Duration;

use volt::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, BufWriter, copy, copy_buf,
};
use volt::time::timeout;

use super::slow::{Narrow, Pieces, pair, poll_once, run};

#[test]
fn dropped_read_to_end_keeps_its_bytes() {
    let mut reader = Pieces::new(["abc", "def"]);
    let mut read = Vec::new();
    assert!(poll_once(reader.read_to_end(&mut read)).is_pending());
    assert_eq!(read, b"abc");
    assert!(poll_once(reader.read_to_end(&mut read)).is_pending());
    assert!(matches!(
        poll_once(reader.read_to_end(&mut read)),
        Poll::Ready(Ok(0))
    ));
    assert_eq!(read, b"abcdef");
}

#[test]
fn dropped_read_until_keeps_its_bytes() {
    let mut reader = BufReader::new(Pieces::new(["ab", "c;d"]));
    let mut read = Vec::new();
    assert!(poll_once(reader.read_until(b';', &mut read)).is_pending());
    assert_eq!(read, b"ab");
    assert!(matches!(
        poll_once(reader.read_until(b';', &mut read)),
        Poll::Ready(Ok(2))
    ));
    assert_eq!((&read[..], reader.buffer()), (&b"abc;"[..], &b"d"[..]));
}

#[test]
fn dropped_next_line_keeps_its_bytes() {
    let mut lines = BufReader::new(Pieces::new(["ab", "c\nd"])).lines();
    assert!(poll_once(lines.next_line()).is_pending());
    let Poll::Ready(Ok(Some(line))) = poll_once(lines.next_line()) else {
        panic!("a line");
    };
    assert_eq!(line, "abc");
    let mut segments = BufReader::new(Pieces::new(["ab", "c;d"])).split(b';');
    assert!(poll_once(segments.next_segment()).is_pending());
    let Poll::Ready(Ok(Some(segment))) = poll_once(segments.next_segment()) else {
        panic!("a segment");
    };
    assert_eq!(segment, b"abc");
}

#[test]
fn dropped_read_line_keeps_its_text() {
    let mut reader = BufReader::new(Pieces::new(["ab", "c\n"]));
    let mut line = String::from("> ");
    assert!(poll_once(reader.read_line(&mut line)).is_pending());
    assert_eq!(line, "> ab");
    let polled = poll_once(reader.read_line(&mut line));
    assert!(matches!(polled, Poll::Ready(Ok(2))));
    assert_eq!(line, "> abc\n");
    let mut reader = Pieces::new(["ab", "c"]);
    let mut text = String::from("> ");
    assert!(poll_once(reader.read_to_string(&mut text)).is_pending());
    assert!(poll_once(reader.read_to_string(&mut text)).is_pending());
    assert_eq!(text, "> abc");
    let polled = poll_once(reader.read_to_string(&mut text));
    assert!(matches!(polled, Poll::Ready(Ok(0))));
}

/// The drop loses the first byte of the character, and the next call reports it.
#[test]
fn character_cut_by_a_drop_is_an_error() {
    let mut reader = BufReader::new(Pieces::of([&b"gr\xc3"[..], b"\xbcn\n"]));
    let mut line = String::new();
    assert!(poll_once(reader.read_line(&mut line)).is_pending());
    assert_eq!(line, "gr");
    let polled = poll_once(reader.read_line(&mut line));
    assert!(matches!(polled, Poll::Ready(Err(error)) if error.kind() == ErrorKind::InvalidData));
    assert_eq!(line, "gr");
}

#[test]
fn dropped_read_exact_loses_its_count() {
    let mut reader = Pieces::new(["ab", "cd"]);
    let mut buf = [0; 4];
    assert!(poll_once(reader.read_exact(&mut buf)).is_pending());
    assert_eq!(&buf, b"ab\0\0");
    assert!(matches!(
        poll_once(reader.read_exact(&mut buf[..2])),
        Poll::Ready(Ok(()))
    ));
    assert_eq!(&buf, b"cd\0\0");
    let mut reader = Pieces::new(["ab", "cd"]);
    assert!(poll_once(reader.read_u32()).is_pending());
    assert!(matches!(
        poll_once(reader.read_u16()),
        Poll::Ready(Ok(0x6364))
    ));
}

#[test]
fn numbers_of_a_buffered_reader_lose_no_byte() {
    let mut reader = BufReader::with_capacity(1, Pieces::new(["a", "bc", "defg", "h"]));
    for _ in 0..2 {
        assert!(poll_once(reader.read_u32()).is_pending());
    }
    assert!(matches!(
        poll_once(reader.read_u32()),
        Poll::Ready(Ok(0x6162_6364))
    ));
    // The number needs more bytes than the stream has. The bytes stay in the buffer.
    while poll_once(reader.fill_to(4)).is_pending() {}
    while reader.buffer().len() < 4 || poll_once(reader.read_u64_le()).is_pending() {}
    let polled = poll_once(reader.read_u64_le());
    assert!(matches!(polled, Poll::Ready(Err(error)) if error.kind() == ErrorKind::UnexpectedEof));
    assert_eq!(reader.buffer(), b"efgh");
    assert!(matches!(poll_once(reader.fill_to(3)), Poll::Ready(Ok(bytes)) if bytes == b"efgh"));
    assert!(matches!(
        poll_once(reader.read_u16_le()),
        Poll::Ready(Ok(0x6665))
    ));
    assert_eq!(reader.buffer(), b"gh");
}

#[test]
fn reads_of_a_connection_lose_no_byte() {
    run(async {
        let (mut near, far) = pair().await;
        let mut far = BufReader::new(far);
        let mut read = Vec::with_capacity(64);
        let soon = Duration::from_millis(5);
        assert!(timeout(soon, far.read(&mut [0; 4])).await.is_err());
        assert!(timeout(soon, far.fill_buf()).await.is_err());
        assert!(
            timeout(soon, far.get_mut().read_buf(&mut read))
                .await
                .is_err()
        );
        assert!(read.is_empty());
        near.write_all(b"hello").await.expect("sent");
        near.close().await.expect("closed");
        far.read_to_end(&mut read).await.expect("bytes");
        assert_eq!(read, b"hello");
    });
}

#[test]
fn dropped_flush_and_close_continue() {
    let mut writer = BufWriter::new(Narrow::new(3));
    assert!(matches!(
        poll_once(writer.write_all(b"abcdefgh")),
        Poll::Ready(Ok(()))
    ));
    let mut polls = 0;
    while poll_once(writer.flush()).is_pending() {
        polls += 1;
    }
    assert_eq!(
        (polls, &writer.get_ref().written[..]),
        (3, &b"abcdefgh"[..])
    );
    assert!(matches!(
        poll_once(writer.write_all(b"ij")),
        Poll::Ready(Ok(()))
    ));
    while poll_once(writer.close()).is_pending() {}
    let inner = writer.into_inner();
    assert_eq!(inner.written, b"abcdefghij");
    assert!(inner.closed);
}

#[test]
fn dropped_write_all_loses_its_count() {
    let mut writer = Narrow::new(2);
    assert!(poll_once(writer.write_all(b"abc")).is_pending());
    assert!(poll_once(writer.write_all(b"abc")).is_pending());
    assert_eq!(writer.written, b"ab");
}

#[test]
fn dropped_copy_buf_keeps_unwritten_bytes() {
    let mut reader = BufReader::new(&b"abcdef"[..]);
    let mut writer = Narrow::new(2);
    let mut polls = 0;
    while poll_once(copy_buf(&mut reader, &mut writer)).is_pending() {
        polls += 1;
    }
    assert_eq!((polls, &writer.written[..]), (3, &b"abcdef"[..]));

    let mut reader = &b"abcdef"[..];
    let mut writer = Narrow::new(2);
    assert!(poll_once(copy(&mut reader, &mut writer)).is_pending());
    assert_eq!((reader, &writer.written[..]), (&b""[..], &b""[..]));
}
