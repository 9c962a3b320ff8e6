//! Seeks of a buffered reader whose futures are dropped.

use std::io::{self, ErrorKind, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll};

use volt::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncSeek, AsyncSeekExt, BufReader};

use super::slow::{poll_once, run};

/// A stream of the letters from `a` on. A seek moves at its first poll, and is ready at its second.
#[derive(Default)]
struct Letters {
    at: u64,
    moved: Option<io::Result<u64>>,
}

impl AsyncRead for Letters {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        assert!(self.moved.is_none(), "a read before the end of a seek");
        for byte in &mut *buf {
            *byte = b'a' + self.at as u8;
            self.at += 1;
        }
        Poll::Ready(Ok(buf.len()))
    }
}

impl AsyncSeek for Letters {
    fn poll_seek(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: SeekFrom,
    ) -> Poll<io::Result<u64>> {
        if let Some(moved) = self.moved.take() {
            return Poll::Ready(moved);
        }
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(_) => None,
        };
        self.moved = Some(target.ok_or_else(|| ErrorKind::InvalidInput.into()));
        self.at = target.unwrap_or(self.at);
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Returns a reader that has returned `a` and `b`, and whose buffer has `c` and `d`.
fn reader() -> BufReader<Letters> {
    let mut reader = BufReader::with_capacity(4, Letters::default());
    assert_eq!(next(&mut reader), "ab");
    assert_eq!(reader.buffer(), b"cd");
    reader
}

fn next(reader: &mut BufReader<Letters>) -> String {
    let mut buf = [0; 2];
    run(async { reader.read_exact(&mut buf).await.unwrap() });
    String::from_utf8(buf.to_vec()).unwrap()
}

#[test]
fn read_starts_at_the_target_of_a_dropped_seek() {
    let mut reader = reader();
    assert!(poll_once(reader.seek(SeekFrom::Start(10))).is_pending());
    assert_eq!(next(&mut reader), "kl");
    assert!(poll_once(reader.seek(SeekFrom::Start(20))).is_pending());
    run(async {
        assert_eq!(reader.fill_buf().await.unwrap(), b"uvwx");
        assert!(poll_once(reader.seek(SeekFrom::Start(0))).is_pending());
        assert_eq!(reader.fill_to(1).await.unwrap(), b"abcd");
    });
}

#[test]
fn read_after_a_dropped_failing_seek_continues() {
    let mut reader = reader();
    assert!(poll_once(reader.seek(SeekFrom::Current(-9))).is_pending());
    assert_eq!(next(&mut reader), "cd");
    assert_eq!(next(&mut reader), "ef");
}

#[test]
fn relative_seek_counts_from_a_dropped_seek() {
    let mut reader = reader();
    assert!(poll_once(reader.seek(SeekFrom::Current(2))).is_pending());
    let sought = run(async { reader.seek(SeekFrom::Current(3)).await.unwrap() });
    assert_eq!((sought, &next(&mut reader)[..]), (7, "hi"));
    // The same seek again continues the dropped one.
    assert!(poll_once(reader.seek(SeekFrom::Current(2))).is_pending());
    let sought = run(async { reader.seek(SeekFrom::Current(2)).await.unwrap() });
    assert_eq!((sought, &next(&mut reader)[..]), (11, "lm"));
}

#[test]
fn dropped_seeks_take_place_in_order() {
    let mut reader = reader();
    assert!(poll_once(reader.seek(SeekFrom::Start(10))).is_pending());
    assert!(poll_once(reader.seek(SeekFrom::Current(2))).is_pending());
    assert!(poll_once(reader.seek(SeekFrom::Current(-100))).is_pending());
    assert!(poll_once(reader.seek(SeekFrom::Current(1))).is_pending());
    assert_eq!(next(&mut reader), "no");
}
