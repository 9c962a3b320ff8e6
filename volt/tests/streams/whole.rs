//! Reads to the end of a stream, numbers, and vectored calls.

use std::io::{ErrorKind, IoSlice, IoSliceMut};

use volt::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, BufWriter};

use super::slow::{Narrow, Pieces, pair, pattern, run};

const LEN: usize = 3 * 1024 * 1024 + 17;

#[test]
fn megabytes_are_read_to_the_end() {
    run(async {
        let (near, mut far) = pair().await;
        let sent = pattern(LEN);
        let expected = sent.clone();
        let sender = volt::spawn(async move {
            let mut writer = BufWriter::with_capacity(1000, near);
            for chunk in sent.chunks(777) {
                writer.write_all(chunk).await?;
            }
            writer.close().await
        });
        let mut read = b"before".to_vec();
        let len = far.read_to_end(&mut read).await.expect("bytes");
        sender.await.expect("no panic").expect("sent");
        assert_eq!((len, &read[..6]), (LEN, &b"before"[..]));
        assert!(read[6..] == expected);
    });
}

#[test]
fn read_to_string_appends_text_or_fails_unchanged() {
    run(async {
        // The character arrives in two pieces.
        let mut reader = Pieces::new(["gr", "ü", "n"]);
        reader.0[2] = Some(vec![0xc3]);
        reader.0.insert(3, Some(vec![0xbc]));
        let mut text = String::from("> ");
        assert_eq!(reader.read_to_string(&mut text).await.ok(), Some(5));
        assert_eq!(text, "> grün");
        let mut reader: &[u8] = b"ok\xff";
        let error = reader.read_to_string(&mut text).await.expect_err("no text");
        assert_eq!(
            (error.kind(), &text[..]),
            (ErrorKind::InvalidData, "> grün")
        );
    });
}

#[test]
fn exact_capacity_does_not_grow() {
    run(async {
        let mut reader: &[u8] = b"12345678";
        let mut read = Vec::with_capacity(8);
        let capacity = read.capacity();
        assert_eq!(reader.read_to_end(&mut read).await.ok(), Some(8));
        assert_eq!((&read[..], read.capacity()), (&b"12345678"[..], capacity));
    });
}

#[test]
fn numbers_cross_in_both_orders() {
    run(async {
        let (mut near, mut far) = pair().await;
        let sender = volt::spawn(async move {
            near.write_u8(0xfe).await?;
            near.write_i8(-2).await?;
            near.write_u16(0x0102).await?;
            near.write_u16_le(0x0102).await?;
            near.write_u32(0x0102_0304).await?;
            near.write_u32_le(0x0102_0304).await?;
            near.write_i64(i64::MIN + 5).await?;
            near.write_i64_le(i64::MIN + 5).await?;
            near.write_u128(u128::MAX - 7).await?;
            near.write_i128_le(i128::MIN + 9).await?;
            near.write_f32(1.5).await?;
            near.write_f64_le(-0.25).await
        });
        assert_eq!(far.read_u8().await.ok(), Some(0xfe));
        assert_eq!(far.read_i8().await.ok(), Some(-2));
        assert_eq!(far.read_u16_le().await.ok(), Some(0x0201));
        assert_eq!(far.read_u16().await.ok(), Some(0x0201));
        assert_eq!(far.read_u32_le().await.ok(), Some(0x0403_0201));
        assert_eq!(far.read_u32().await.ok(), Some(0x0403_0201));
        assert_eq!(far.read_i64().await.ok(), Some(i64::MIN + 5));
        assert_eq!(far.read_i64_le().await.ok(), Some(i64::MIN + 5));
        assert_eq!(far.read_u128().await.ok(), Some(u128::MAX - 7));
        assert_eq!(far.read_i128_le().await.ok(), Some(i128::MIN + 9));
        assert_eq!(far.read_f32().await.ok(), Some(1.5));
        assert_eq!(far.read_f64_le().await.ok(), Some(-0.25));
        sender.await.expect("no panic").expect("sent");
        let error = far.read_u64().await.expect_err("the end");
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    });
}

#[test]
fn number_in_pieces_is_read() {
    run(async {
        let mut reader = Pieces::new(["a", "bc", "d"]);
        assert_eq!(reader.read_u32().await.ok(), Some(0x6162_6364));
    });
}

#[test]
fn spare_capacity_is_filled_and_no_more() {
    run(async {
        let (mut near, mut far) = pair().await;
        near.write_all(&pattern(100)).await.expect("sent");
        near.close().await.expect("closed");
        let mut read: Vec<u8> = Vec::with_capacity(30);
        let capacity = read.capacity();
        while read.len() < capacity {
            let before = read.len();
            let len = far.read_buf(&mut read).await.expect("bytes");
            assert_eq!((read.len(), read.capacity()), (before + len, capacity));
        }
        while far.read_buf(&mut read).await.expect("bytes") > 0 {}
        assert_eq!(read, pattern(100));
    });
}

#[cfg(feature = "bytes")]
#[test]
fn frames_are_split_off_the_buffer() {
    run(async {
        let (near, mut far) = pair().await;
        near.write_all(&pattern(5000)).await.expect("sent");
        drop(near);
        let mut buf = bytes::BytesMut::with_capacity(16);
        let mut frames = Vec::new();
        while far.read_buf(&mut buf).await.expect("bytes") > 0 {
            while buf.len() >= 7 {
                frames.extend_from_slice(&buf.split_to(7));
            }
        }
        frames.extend_from_slice(&buf);
        assert_eq!(frames, pattern(5000));
    });
}

#[test]
fn vectored_calls_fill_one_buffer_after_the_other() {
    run(async {
        let (near, far) = pair().await;
        let (mut near, mut far) = (BufWriter::new(near), BufReader::new(far));
        let bufs = [
            IoSlice::new(b"one"),
            IoSlice::new(b""),
            IoSlice::new(b"two"),
        ];
        assert_eq!(near.write_vectored(&bufs).await.ok(), Some(6));
        near.flush().await.expect("sent");
        let (mut first, mut second) = ([0; 2], [0; 4]);
        assert_eq!(far.fill_buf().await.expect("bytes"), b"onetwo");
        let mut bufs = [IoSliceMut::new(&mut first), IoSliceMut::new(&mut second)];
        assert_eq!(far.read_vectored(&mut bufs).await.ok(), Some(6));
        assert_eq!((&first, &second), (b"on", b"etwo"));
    });
}

#[test]
fn taken_and_chained_readers_end_at_their_limits() {
    run(async {
        let mut text = String::new();
        let chain = Pieces::new(["head", "er"]).chain(&b"body and more"[..]);
        let mut chain = chain.take(10);
        chain.read_to_string(&mut text).await.expect("text");
        assert_eq!((&text[..], chain.limit()), ("headerbody", 0));
        let (_, rest) = chain.into_inner().into_inner();
        assert_eq!(rest, b" and more");
        let mut lines = (&b"a\nb"[..]).chain(&b"c\nd"[..]).take(5).lines();
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().await.expect("text") {
            all.push(line);
        }
        assert_eq!(all, ["a", "bc"]);
    });
}

#[test]
fn buffered_writes_are_sent_when_the_buffer_is_full() {
    run(async {
        let mut writer = BufWriter::with_capacity(8, Narrow::new(3));
        writer.write_all(b"12345").await.expect("written");
        assert_eq!(
            (writer.buffer(), &writer.get_ref().written[..]),
            (&b"12345"[..], &b""[..])
        );
        writer.write_all(b"6789").await.expect("written");
        assert_eq!(
            (writer.buffer(), &writer.get_ref().written[..]),
            (&b"6789"[..], &b"12345"[..])
        );
        writer
            .write_all(b"longer than that")
            .await
            .expect("written");
        // The inner writer accepted three bytes at a time, until the rest fitted into the buffer.
        assert_eq!(
            (writer.buffer(), &writer.get_ref().written[..]),
            (&b"an that"[..], &b"123456789longer th"[..])
        );
        writer.write_all(b"!").await.expect("written");
        writer.close().await.expect("closed");
        let inner = writer.into_inner();
        assert_eq!(inner.written, b"123456789longer than that!");
        assert!(inner.closed);
    });
}
